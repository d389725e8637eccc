import type { RateRun, RateTimeline, ValidatorRecord } from "../records.ts";

/* The runs of a validator's inflation commission: its history, and the rate that documents show. */

/** A validator whose inflation commission was never read. */
export function createRates(): RateTimeline {
  return { runs: [], restartIndex: 0, isAgreed: false, floor: -1, pending: null, read: null };
}

type Known = Pick<ValidatorRecord, "rates">;

/** The run that documents show; null: the rate was never read. */
export function newestRate({ rates: { runs } }: Known): RateRun | null {
  return runs.at(-1) ?? null;
}

/** Last rate read in an epoch, in basis points; null: none was read. */
export function observedRate(known: Known, epoch: number): number | null {
  const last = lastObservedRate(known, epoch);
  return last?.epoch === epoch ? last.basisPoints : null;
}

/** Last rate read in the newest epoch up to this one that has any, in basis points. */
export function lastObservedRate(
  { rates: { runs } }: Known,
  upTo: number,
): { epoch: number; basisPoints: number } | null {
  const run = runs.findLast(({ from }) => from.epoch <= upTo);
  return run === undefined
    ? null
    : { epoch: Math.min(upTo, run.lastEpoch), basisPoints: run.basisPoints };
}

/**
 * The newest run that is a change, and the run before it; none from before a restart of the
 * cluster.
 */
export function newestChange({
  rates: { runs, restartIndex },
}: Known): { run: RateRun; before: RateRun } | null {
  const index = runs.findLastIndex(({ believed }) => believed !== null);
  const [before, run] = [runs[index - 1], runs[index]];
  return before === undefined || run === undefined || index <= restartIndex
    ? null
    : { run, before };
}

/** Slot of the first reading since the cluster's last restart, if any; Infinity: no reading. */
export function knownFrom({ rates: { runs, restartIndex } }: Known): number {
  return runs[restartIndex]?.from.slot ?? Infinity;
}
