import type { Member } from "./cast.ts";
import type { Random } from "./random.ts";

/** A commission set at a fraction of an epoch. */
export interface Step {
  fraction: number;
  basisPoints: number;
}

/** One rug in each quarter of every epoch: at no time is the last one long ago. */
export const RUGS_PER_EPOCH = 4;

/** Longest time a rugger stays up, in epochs. */
const RECOVERY_EPOCHS_MAX = 3;

/** Where rugs end, in turn: the whole, exactly the limit, just above it, more than the runtime applies. */
const RUG_BASIS_POINTS = [10_000, 9000, 10_000, 9550, 15_000];

/**
 * What a rugger does in one epoch. Ruggers take turns, a quarter of an epoch each, and go back to their resting
 * commission half way to their next turn, so that a small pool never runs out of validators to rise.
 */
export function toRugSteps(member: Member, ordinal: number, random: Random, restingBasisPoints: number): Step[] {
  const pool = member.commission.of;
  const recoveryEpochs = Math.min(pool / RUGS_PER_EPOCH / 2, RECOVERY_EPOCHS_MAX);
  const steps: Step[] = [];
  for (let past = Math.max(ordinal - RECOVERY_EPOCHS_MAX - 1, 0); past <= ordinal; past++) {
    for (let quarter = 0; quarter < RUGS_PER_EPOCH; quarter++) {
      const turn = past * RUGS_PER_EPOCH + quarter;
      if (turn % pool !== member.commission.place) continue;
      const position = past + (quarter + 0.2 + 0.5 * random.fraction("rug", turn)) / RUGS_PER_EPOCH;
      const basisPoints = RUG_BASIS_POINTS[turn % RUG_BASIS_POINTS.length] ?? 10_000;
      steps.push({ fraction: position - ordinal, basisPoints });
      steps.push({ fraction: position + recoveryEpochs - ordinal, basisPoints: restingBasisPoints });
    }
  }
  return steps.filter(({ fraction }) => fraction >= 0 && fraction < 1);
}
