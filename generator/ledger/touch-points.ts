import type { Ledger } from "./ledger.ts";
import { commissionPoint, trackedEpochs } from "./points.ts";
import type { Touched } from "./touched.ts";

/*
 * Of which epochs what is told of a validator changes when something of it is recorded: its own, those after it, where
 * nothing else is recorded and the past goes on, and gaps before it, since what stood in a gap is only told where the same
 * was recorded on both sides (documents/histories.ts).
 */

interface Where {
  ledger: Ledger;
  touched: Touched;
}

/** Touches the points of the closed epochs from one on. */
export function touchPointsFrom({ ledger, touched }: Where, epoch: number): void {
  const running = ledger.epochs.at(-1)?.epoch ?? epoch;
  if (epoch >= running) return;
  for (const each of trackedEpochs(ledger)) if (each >= epoch && each < running) touched.points.add(each);
}

/** Touches the epochs just before one of which no inflation commission of a validator is recorded, if one is before them. */
export function touchGapBefore({ ledger, touched }: Where, ordinal: number, epoch: number): void {
  const isRecorded = (each: number) => commissionPoint(ledger, "inflation", { epoch: each, ordinal }) !== null;
  if (isRecorded(epoch - 1)) return;
  const before = trackedEpochs(ledger).filter((each) => each < epoch);
  const last = before.findLastIndex(isRecorded);
  if (last === -1) return;
  for (const each of before.slice(last + 1)) touched.points.add(each);
}
