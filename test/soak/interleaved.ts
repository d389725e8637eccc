import { letRivalsRun, EPOCHS } from "./rivals.ts";
import { findFaults, readEvents, type Told } from "./verdict.ts";
import { findUnverified } from "./verification.ts";
import { BEGIN, createWorld, EPOCH_MILLISECONDS, type World } from "./world.ts";

/** What one seed in so many leaves behind is looked at by the command of operators as well. */
const VERIFIED_EVERY = 10;
const VERIFIED_AT = BEGIN + 4 * EPOCH_MILLISECONDS;

/** A world, and what one generator alone tells of it when nothing goes wrong. */
export interface Stage {
  world: World;
  validators: number;
  expected: Told[];
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
  const expected = await readEvents(traces.stores);
  const faults = await findFaults(traces, expected);
  if (faults.length > 0) throw new Error(`undisturbed, and yet: ${faults.join("; ")}`);
  return { world, validators, expected };
}

export async function tryInterleaving(
  { world, expected }: Stage,
  { generators, seed }: { generators: number; seed: number },
): Promise<Outcome> {
  const traces = await letRivalsRun({ world, generators, seed });
  const faults = await findFaults(traces, expected);
  if (seed % VERIFIED_EVERY === 0) faults.push(...(await findUnverified(traces.stores, VERIFIED_AT)));
  return { faults, deaths: traces.deaths, operations: traces.operations };
}

/** How to tell one seed again, alone. */
export function commandFor({ validators }: Stage, { generators, seed }: { generators: number; seed: number }): string {
  return `node test/soak/interleavings.ts --seeds 1 --from ${seed} --generators ${generators} --validators ${validators}`;
}
