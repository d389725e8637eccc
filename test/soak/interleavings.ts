import "./at-once.ts";
import { parseArgs } from "node:util";
import { commandFor, openStage, tryInterleaving } from "./interleaved.ts";

const HELP = `Lets several generators observe and publish the same made-up cluster at the same time, step by step in an order
made up from a seed; with even seeds they also die. Compares what is left with a rebuild and with one generator alone.

node test/soak/interleavings.ts [--seeds 100] [--from 1] [--generators 2] [--validators 12]

Ends with 1 when something differed: each seed is named, with the command that tells it alone.`;

/** So many seeds between two lines of progress. */
const SAY_EVERY = 50;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    generators: { type: "string", default: "2" },
    validators: { type: "string", default: "12" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) say(HELP);
else process.exitCode = await main();

async function main(): Promise<number> {
  const seeds = toCount("seeds", values.seeds, 1);
  const from = toCount("from", values.from, 0);
  const generators = toCount("generators", values.generators, 1);
  const stage = await openStage(toCount("validators", values.validators, 12));
  const total = { differing: 0, deaths: 0, operations: 0 };
  for (let seed = from; seed < from + seeds; seed += 1) {
    const { faults, deaths, operations } = await tryInterleaving(stage, { generators, seed });
    total.deaths += deaths;
    total.operations += operations;
    if (faults.length > 0) {
      total.differing += 1;
      say(`seed ${seed}: ${commandFor(stage, { generators, seed })}\n  ${faults.slice(0, 10).join("\n  ")}`);
    }
    const done = seed - from + 1;
    if (done % SAY_EVERY === 0 && done < seeds) say(`${done} of ${seeds} seeds, ${total.differing} differed`);
  }
  say(
    `${seeds} seeds, ${generators} generators, ${stage.validators} validators, ${stage.expected.length} events each: ` +
      `${total.differing} differed; ${total.operations} operations, ${total.deaths} deaths`,
  );
  return total.differing === 0 ? 0 : 1;
}

/** @throws {RangeError} naming the flag and its range */
function toCount(flag: string, text: string, least: number): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= least) return count;
  throw new RangeError(`--${flag} is ${JSON.stringify(text)}: give a whole number of at least ${least}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
