import type { MevState, TipRun, TipTimeline, ValidatorRecord } from "../records.ts";

type Known = Pick<ValidatorRecord, "tips">;

export function createTips(): TipTimeline {
  return { runs: [], knownTo: null, pending: new Map() };
}

/** Of the newest epoch that has one. After a restart, epochs that run again have none yet. */
export function newestTip({ tips: { runs } }: Known): TipRun | null {
  return runs.findLast(({ from, until }) => from <= until) ?? null;
}

export function newestMev(validator: Known): MevState {
  return newestTip(validator)?.rate ?? null;
}

/** Of the tip account of an epoch; null: not known, or there is none, which means nothing. */
export function observedMev(known: Known, epoch: number): MevState {
  const last = lastObservedMev(known, epoch);
  return last?.epoch === epoch ? last.rate : null;
}

/** Of the last epoch up to this one that has one. */
export function lastObservedMev(
  { tips: { runs } }: Known,
  upTo: number,
): { epoch: number; rate: TipRun["rate"] } | null {
  const run = runs.findLast(({ from, until }) => from <= upTo && from <= until);
  return run === undefined ? null : { epoch: Math.min(upTo, run.until), rate: run.rate };
}

export function isTipKnown({ tips: { knownTo } }: Known, epoch: number): boolean {
  return knownTo !== null && epoch <= knownTo;
}

/** Runs that are changes, and what stood before. */
export function changesOfTips({ tips: { runs } }: Known): { from: MevState; run: TipRun }[] {
  return runs.flatMap((run) => (run.believed === null ? [] : [{ from: run.believed.from, run }]));
}
