import type { MevState, TipRun, TipTimeline, ValidatorRecord } from "../records.ts";

type Known = Pick<ValidatorRecord, "tips">;

export function createTips(): TipTimeline {
  return { runs: [], knownTo: null, pending: new Map() };
}

/** Of the newest epoch that tells it. */
export function newestTip({ tips: { runs } }: Known): TipRun | null {
  return runs.at(-1) ?? null;
}

export function newestMev(validator: Known): MevState {
  return newestTip(validator)?.rate ?? null;
}

/** Of the tip account of an epoch; null: not known, or there is none, which says nothing. */
export function observedMev({ tips: { runs } }: Known, epoch: number): MevState {
  const run = runs.findLast(({ from }) => from <= epoch);
  return run !== undefined && epoch <= run.until ? run.rate : null;
}

export function isTipKnown({ tips: { knownTo } }: Known, epoch: number): boolean {
  return knownTo !== null && epoch <= knownTo;
}

export function changesOfTips({ tips: { runs } }: Known): { before: TipRun; run: TipRun }[] {
  return runs.flatMap((run, index) => {
    const before = runs[index - 1];
    return before === undefined || run.believed === null ? [] : [{ before, run }];
  });
}
