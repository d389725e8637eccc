import { parseArgs } from "node:util";

export const HELP = `Lets witnesses lie, and looks for what is false, missed, late or stopped.

  node test/soak/witnesses/main.ts [--seeds 1000] [--from 1] [--panel 3] [--minutes 180] [--applied] [--keep-going]

Each seed draws a cluster with all that happens to it, one to four witnesses of which less than half lie (of two, at times
one), and what they lie about; then it is observed as generate run does, in simulated time, for an hour or more, --minutes at
most. What was published is held against what was true. --panel: so many witnesses in every seed.
--applied: what closed epochs are said to have paid is held against what the chain pays, too. Ends at the first seed with
a fault, and tells its story; with --keep-going it tells the fault of each in a line. Exit status: 0 none had any, 1 one had,
2 wrong use.`;

export interface Flags {
  seeds: number;
  from: number;
  panel: number | undefined;
  minutes: number;
  applied: boolean;
  keepsGoing: boolean;
}

/** null: help is wanted. @throws {Error} naming the flag and its range */
export function parseFlags(args: string[]): Flags | null {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: "string", default: "1000" },
      from: { type: "string", default: "1" },
      panel: { type: "string" },
      minutes: { type: "string", default: "180" },
      applied: { type: "boolean", default: false },
      "keep-going": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  return {
    seeds: toCount("seeds", values.seeds, 1, 10_000_000),
    from: toCount("from", values.from, 0, 10_000_000),
    panel: values.panel === undefined ? undefined : toCount("panel", values.panel, 1, 4),
    minutes: toCount("minutes", values.minutes, 30, 180),
    applied: values.applied,
    keepsGoing: values["keep-going"],
  };
}

function toCount(flag: string, text: string, least: number, most: number): number {
  const count = /^\d{1,8}$/.test(text) ? Number(text) : NaN;
  if (count >= least && count <= most) return count;
  throw new Error(`--${flag} is ${JSON.stringify(text)}: give a whole number from ${least} to ${most}`);
}
