import type { Ledger } from "./ledger.ts";
import type { Moment } from "./records.ts";

/** Epoch of a slot, by the observed schedule extended with the nearest epoch's length. */
export function epochAt({ epochs, acceptance }: Ledger, slot: number): number {
  const nearest = epochs.findLast(({ firstSlot }) => firstSlot <= slot) ?? epochs.at(0);
  if (nearest === undefined) return acceptance.newest?.epoch ?? 0;
  return Math.max(0, nearest.epoch + Math.floor((slot - nearest.firstSlot) / nearest.slotsInEpoch));
}

/** Last slot of an epoch, by the same schedule. */
export function lastSlotOf({ epochs }: Pick<Ledger, "epochs">, epoch: number): number {
  const nearest = epochs.findLast((one) => one.epoch <= epoch) ?? epochs[0];
  if (nearest === undefined) return Infinity;
  return nearest.firstSlot + (epoch + 1 - nearest.epoch) * nearest.slotsInEpoch - 1;
}

/** A slot of this observation as a moment with the observation's time. It caches in `moments`. */
export function momentAt(
  {
    ledger,
    moment: { time },
    moments,
  }: { ledger: Ledger; moment: Moment; moments: Map<number, Moment> },
  slot: number,
): Moment {
  const known = moments.get(slot);
  if (known !== undefined) return known;
  const moment = { time, slot, epoch: epochAt(ledger, slot) };
  moments.set(slot, moment);
  return moment;
}
