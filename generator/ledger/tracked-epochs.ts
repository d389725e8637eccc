import type { Ledger } from "./ledger.ts";
import { lastSlotOf } from "./schedule.ts";
import type { Touched } from "./touched.ts";

/** Those observed, and those of which a public history, a transaction or a tip account tells. */
export function trackedEpochs({ epochs, history }: Ledger): number[] {
  const tracked = new Set([...epochs.map(({ epoch }) => epoch), ...history.firstSlots.keys()]);
  return [...tracked].sort((a, b) => a - b);
}

/** @param firstSlot by default as the observed epochs tell */
export function trackEpoch(
  { ledger, touched }: { ledger: Ledger; touched: Touched },
  epoch: number,
  firstSlot = lastSlotOf(ledger, epoch - 1) + 1,
): void {
  const { epochs, history } = ledger;
  if (history.firstSlots.has(epoch) || epochs.some((observed) => observed.epoch === epoch)) return;
  history.firstSlots.set(epoch, firstSlot);
  touched.epochs.add(epoch);
}
