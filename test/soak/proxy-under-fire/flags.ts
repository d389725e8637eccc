import { parseArgs } from "node:util";

export const HELP = `Loads a real proxy while its store goes down and comes back, and new snapshots are published; checks every body it reads.

  node test/soak/proxy-under-fire.ts [--minutes 10] [--connections 64] [--seed 1] [--publish-seconds 20]
    [--validators 1000]

The proxy reads its documents from a web server that is up for a while, and then refuses, hangs, is slow, cuts its bodies,
answers pages of its own, loses its documents, or gives out an index that is older or of another network: in an order made
up from the seed. No cluster answers it. wrk loads it where there is wrk, and clients of our own read one answer after the
other and check it: the bytes fit Content-Length and ETag, are whole JSON, and carry the mark of one snapshot only; what was
once answered is answered always, and within 7 s; an old answer says so, with its age; a new snapshot is seen within 16 s
while the store is up (it is asked every 15 s), and within 21 s of its coming back.

Exit status: 0 all as it should be, 1 something was wrong, 2 wrong use.`;

export interface Flags {
  minutes: number;
  connections: number;
  seed: number;
  publishSeconds: number;
  validators: number;
}

/** null: help is wanted. @throws {Error} naming the flag and its range */
export function parseFlags(args: string[]): Flags | null {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "10" },
      connections: { type: "string", default: "64" },
      seed: { type: "string", default: "1" },
      "publish-seconds": { type: "string", default: "20" },
      validators: { type: "string", default: "1000" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  return {
    minutes: toCount("minutes", values.minutes, 600),
    connections: toCount("connections", values.connections, 10_000),
    seed: toCount("seed", values.seed, 999_999),
    publishSeconds: toCount("publish-seconds", values["publish-seconds"], 3_600),
    validators: toCount("validators", values.validators, 5_000),
  };
}

function toCount(flag: string, text: string, most: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
  throw new Error(`--${flag} is ${JSON.stringify(text)}: give a whole number from 1 to ${most}`);
}
