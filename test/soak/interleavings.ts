import "./at-once.ts";
import { readCounts, say } from "./command-line.ts";
import { commandFor, openStage, tryInterleaving } from "./interleaved.ts";

const HELP = `Lets several generators observe and publish the same made-up cluster at the same time, step by step in an order
made up from a seed; with even seeds they also die. Compares what is left with a rebuild and with one generator alone.

npx node test/soak/interleavings.ts [--seeds 100] [--from 1] [--generators 2] [--validators 12]

Ends with 1 when something differed: each seed is named, with the command that tells it alone.`;

const SAY_EVERY = 50;

const { seeds, from, generators, validators } = readCounts(HELP, {
  seeds: { default: 100 },
  from: { default: 1, least: 0 },
  generators: { default: 2 },
  validators: { default: 12, least: 12 },
});
const stage = await openStage(validators);
const total = { differing: 0, deaths: 0, operations: 0 };
for (let seed = from; seed < from + seeds; seed += 1) {
  const { faults, deaths, operations } = await tryInterleaving(stage, { generators, seed });
  total.deaths += deaths;
  total.operations += operations;
  if (faults.length > 0) {
    total.differing += 1;
    say(
      `seed ${seed}: ${commandFor(stage, { generators, seed })}\n  ${faults.slice(0, 10).join("\n  ")}`,
    );
  }
  const done = seed - from + 1;
  if (done % SAY_EVERY === 0 && done < seeds)
    say(`${done} of ${seeds} seeds, ${total.differing} differed`);
}
say(
  `${seeds} seeds, ${generators} generators, ${validators} validators, ${stage.expected.length} events each: ` +
    `${total.differing} differed; ${total.operations} operations, ${total.deaths} deaths`,
);
process.exitCode = total.differing === 0 ? 0 : 1;
