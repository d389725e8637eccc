import type { MevState, TipRun, TipTimeline, ValidatorRecord } from "../records.ts";

type Known = Pick<ValidatorRecord, "tips">;

/** A validator whose tip accounts were never read. */
export function createTips(): TipTimeline {
  return { runs: [], knownTo: null, pending: new Map() };
}

/**
 * The run of the newest epoch with a tip account. After a restart, epochs that run again have none
 * yet.
 */
export function newestTip({ tips: { runs } }: Known): TipRun | null {
  return runs.findLast(({ from, until }) => from <= until) ?? null;
}

/** The MEV commission that documents show; null: none is known. */
export function newestMev(validator: Known): MevState {
  return newestTip(validator)?.rate ?? null;
}

/**
 * MEV commission of an epoch; null: not known, or no tip account in an epoch where that means
 * nothing.
 */
export function observedMev(known: Known, epoch: number): MevState {
  const last = lastObservedMev(known, epoch);
  return last?.epoch === epoch ? last.rate : null;
}

/** MEV commission of the newest epoch up to this one that has a tip account. */
export function lastObservedMev(
  { tips: { runs } }: Known,
  upTo: number,
): { epoch: number; rate: TipRun["rate"] } | null {
  const run = runs.findLast(({ from, until }) => from <= upTo && from <= until);
  return run === undefined ? null : { epoch: Math.min(upTo, run.until), rate: run.rate };
}

/** Whether the tip account of an epoch was learned, or that it has none. */
export function isTipKnown({ tips: { knownTo } }: Known, epoch: number): boolean {
  return knownTo !== null && epoch <= knownTo;
}

/** Runs that are changes, each with the commission before it. */
export function changesOfTips({ tips: { runs } }: Known): { from: MevState; run: TipRun }[] {
  return runs.flatMap((run) => (run.believed === null ? [] : [{ from: run.believed.from, run }]));
}
