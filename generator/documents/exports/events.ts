import type { CommissionEvent } from "../../contract/event.ts";
import type { View } from "../view.ts";
import { tableOf, type Table } from "./table.ts";

/** None has a name, because a new name would change past rows. */
const toTable = tableOf<"events", CommissionEvent>("events", {
  transactionSignature: ({ transaction }) => transaction?.signature ?? null,
  transactionSlot: ({ transaction }) => transaction?.slot ?? null,
  transactionBlockTime: ({ transaction }) => transaction?.blockTime ?? null,
  signer: ({ transaction }) => transaction?.signer ?? null,
  verified: ({ transaction }) => transaction?.verified ?? null,
});

/**
 * Changes only with an epoch's end or a correction. It may be empty, because a ruling must be able
 * to remove the only event.
 */
export function toEventsTable(view: View): Table | null {
  if (view.closedEpochs().size === 0) return null;
  return toTable(view.events().filter(({ epoch }) => isClosed(view, epoch)));
}

/** Whether a later epoch runs. */
export function isClosed({ latestEpoch }: View, epoch: number): boolean {
  return epoch < (latestEpoch ?? 0);
}
