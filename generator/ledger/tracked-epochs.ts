import type { Ledger } from "./ledger.ts";
import { lastSlotOf } from "./schedule.ts";

/** Epochs that were observed or that a public history, a transaction or a tip account mentions. */
export function trackedEpochs({ epochs, history }: Ledger): number[] {
  const tracked = new Set([...epochs.map(({ epoch }) => epoch), ...history.firstSlots.keys()]);
  return [...tracked].sort((a, b) => a - b);
}

/**
 * Adds an epoch that was not observed. Returns whether it is a new one.
 * @param firstSlot by default from the observed epochs
 */
export function trackEpoch(
  ledger: Ledger,
  epoch: number,
  firstSlot = lastSlotOf(ledger, epoch - 1) + 1,
): boolean {
  const { epochs, history } = ledger;
  if (history.firstSlots.has(epoch) || epochs.some((observed) => observed.epoch === epoch))
    return false;
  history.firstSlots.set(epoch, firstSlot);
  return true;
}
