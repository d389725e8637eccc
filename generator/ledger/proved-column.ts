import { getU16, NOT_RECORDED, setU16 } from "./columns.ts";
import { isCovered } from "./coverage.ts";
import type { Ledger } from "./ledger.ts";
import type { Move } from "./proof-moves.ts";
import type { Subject } from "./proof-steps.ts";
import type { EventRecord } from "./records.ts";
import { touchGapBefore, touchPointsFrom } from "./touch-points.ts";

/** Longest time for which a rate stood and observations showed another one. */
const UNSEEN_EPOCHS_MAX = 1_000;

/**
 * Keeps what the proved moves left at the ends of epochs: where it is known of all slots up to them that nothing else
 * happened, and nothing else was seen to.
 */
export function keepColumn(
  { ledger, touched, ordinal, validator, seen, moves }: Subject,
  certain: readonly Move[],
): void {
  const wanted = new Map<number, number>();
  for (const move of certain) {
    for (const epoch of epochsOf(move, { seen, next: moves.find(({ slot }) => slot > move.slot) })) {
      const isChangedAfter = seen.some(
        (event) => event.transaction === null && event.seenIn.earliest <= epoch && event.slot > move.slot,
      );
      const isAll = isCovered(validator, { after: move.slot - 1, upTo: lastSlotOf(ledger, epoch) });
      const isTold = epoch === move.epoch || getU16(ledger.inflation, epoch, ordinal) !== null;
      if (move.to !== null && isTold && isAll && !isChangedAfter) wanted.set(epoch, move.to);
    }
  }
  for (const epoch of new Set([...ledger.proved.keys(), ...wanted.keys()])) {
    const value = wanted.get(epoch) ?? null;
    if (getU16(ledger.proved, epoch, ordinal) === value) continue;
    setU16(ledger.proved, epoch, ordinal, value ?? NOT_RECORDED, NOT_RECORDED);
    touched.commissions.add(ordinal);
    touched.profiles.add(ordinal);
    touchPointsFrom({ ledger, touched }, epoch);
    touchGapBefore({ ledger, touched }, ordinal, epoch);
  }
}

/** Those at whose ends the rate of a move stood while observations still showed the old one. */
function epochsOf(
  { epoch, proof }: Move,
  { seen, next }: { seen: readonly EventRecord[]; next: Move | undefined },
): number[] {
  const event = seen.find(({ transaction }) => transaction?.signature === proof.signature);
  const shownIn = event?.seenEpoch ?? next?.epoch ?? epoch;
  const last = Math.min(Math.max(epoch, shownIn - 1), next === undefined ? Infinity : next.epoch - 1);
  return Array.from(
    { length: Math.min(Math.max(0, last - epoch + 1), UNSEEN_EPOCHS_MAX) },
    (_, index) => epoch + index,
  );
}

/** Epochs are as long as the nearest one that was observed. */
function lastSlotOf({ epochs }: Ledger, epoch: number): number {
  const nearest = epochs.findLast((one) => one.epoch <= epoch) ?? epochs[0];
  if (nearest === undefined) return Infinity;
  return nearest.firstSlot + (epoch + 1 - nearest.epoch) * nearest.slotsInEpoch - 1;
}
