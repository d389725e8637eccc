import { parseArgs } from "node:util";
import type { ClusterOptions } from "../../../infra/demo/cluster/options.ts";

export const HELP = `Kills real generators (SIGKILL) on a real S3 server, and looks for what was lost or doubled.

  .ci/with-s3 node test/soak/killed-runs.ts [--runs 20] [--aimed 20] [--seed 1] [--epochs 2] [--epoch-minutes 5]
    [--validators 40]

A simulated cluster, a process of its own, lives through so many epochs. Meanwhile one generate process after the other is
killed by what stands between it and the store. --runs of them at random: after some of the time that its work takes, or with
its n-th request or write; --aimed of them, as many by default, where a request of a kind arrives (an entry, a document, the
index, the manifest, the lease, a mark, a checkpoint, a pack ...): before it is done; done and not answered; or late: it is
held, and done when the next process has died too. So that these come soon, documents, checkpoints and leases of the dead
are taken away before. A second generate run goes on beside them in the same stores, at times a third. One more, and a snapshot
with each third kill, observe undisturbed into stores of their own.

In the end: publish, rebuild --verify, a rebuild of a copy of the journal into an empty place, compared byte by byte, and a
comparison of all events, their times, and of the uptime with what the journal and the cluster say. Exit status: 0 nothing
lost or doubled, 1 something was, 2 wrong use. Takes epochs times epoch-minutes and three minutes; never ten more.`;

export interface Flags {
  runs: number;
  aimed: number;
  seed: number;
  epochs: number;
  epochMinutes: number;
  validators: number;
}

/** null: help is wanted. @throws {Error} naming the flag and its range */
export function parseFlags(args: string[]): Flags | null {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: "string", default: "20" },
      aimed: { type: "string" },
      seed: { type: "string", default: "1" },
      epochs: { type: "string", default: "2" },
      "epoch-minutes": { type: "string", default: "5" },
      validators: { type: "string", default: "40" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const runs = toCount("runs", values.runs);
  return {
    runs,
    aimed: values.aimed === undefined ? runs : toCount("aimed", values.aimed, 0),
    seed: toCount("seed", values.seed),
    epochs: toCount("epochs", values.epochs),
    epochMinutes: toCount("epoch-minutes", values["epoch-minutes"]),
    validators: toCount("validators", values.validators),
  };
}

/** The cluster that they ask for. @param options `now` in milliseconds since 1970 */
export function toClusterOptions({ seed, validators, epochMinutes }: Flags, { now }: { now: number }): ClusterOptions {
  const epochMilliseconds = epochMinutes * 60_000;
  return {
    network: "mainnet",
    seed,
    validators,
    stakeAccounts: validators * 6,
    // The first epoch is over: there is something to look back at.
    startsAt: now - epochMilliseconds,
    firstEpoch: 1060,
    epochMilliseconds,
    slotsPerEpoch: 4096,
  };
}

function toCount(flag: string, text: string, least = 1): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`--${flag} is ${JSON.stringify(text)}: give a whole number from ${least} to 999999`);
}
