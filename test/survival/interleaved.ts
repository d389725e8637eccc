import { letRivalsRun, EPOCHS } from "./rivals.ts";
import { findFaults, readEvents, type Told } from "./verdict.ts";
import { BEGIN, createWorld, EPOCH_MILLISECONDS, type World } from "./world.ts";

/** A world, and what one generator alone tells of it when nothing goes wrong. */
export interface Stage {
  world: World;
  validators: number;
  expected: { events: Told[]; now: number };
}

/** What came of one seed. */
export interface Outcome {
  /** A line each; none: all is well. */
  faults: string[];
  deaths: number;
  operations: number;
}

/** @throws {Error} when the story of one generator alone is not a good one already */
export async function openStage(validators: number): Promise<Stage> {
  const world = createWorld(validators, { epochs: EPOCHS });
  const traces = await letRivalsRun({ world, generators: 1, seed: null });
  const expected = { events: await readEvents(traces.stores), now: BEGIN + 4 * EPOCH_MILLISECONDS };
  const faults = await findFaults(traces, expected);
  if (faults.length > 0) throw new Error(`undisturbed, and yet: ${faults.join("; ")}`);
  return { world, validators, expected };
}

export async function tryInterleaving(
  { world, expected }: Stage,
  { generators, seed }: { generators: number; seed: number },
): Promise<Outcome> {
  const traces = await letRivalsRun({ world, generators, seed });
  return { faults: await findFaults(traces, expected), deaths: traces.deaths, operations: traces.operations };
}

/** How to tell one seed again, alone. */
export function commandFor({ validators }: Stage, { generators, seed }: { generators: number; seed: number }): string {
  return `node test/survival/interleavings.ts --seeds 1 --from ${seed} --generators ${generators} --validators ${validators}`;
}
