import type { CommissionEvent } from "../../contract/event.ts";
import type { View } from "../view.ts";
import { toColumns, type Table } from "./table.ts";

/**
 * The validator's name is left out: it is as of now, so the past would change with it, and it is the one text that a
 * stranger chooses (csv.ts). The vote account tells who it was.
 */
const COLUMNS = toColumns<"events", CommissionEvent>("events", {
  id: ({ id }) => id,
  votePubkey: ({ votePubkey }) => votePubkey,
  severity: ({ severity }) => severity,
  source: ({ source }) => source,
  fromCommission: ({ fromCommission }) => fromCommission,
  toCommission: ({ toCommission }) => toCommission,
  fromDisabled: ({ fromDisabled }) => fromDisabled,
  toDisabled: ({ toDisabled }) => toDisabled,
  delta: ({ delta }) => delta,
  epoch: ({ epoch }) => epoch,
  createdAt: ({ createdAt }) => createdAt,
  slot: ({ slot }) => slot,
  previousSlot: ({ previousSlot }) => previousSlot,
  previousSeenAt: ({ previousSeenAt }) => previousSeenAt,
  effectiveEpoch: ({ effectiveEpoch }) => effectiveEpoch,
  confirmed: ({ confirmed }) => confirmed,
  effectiveEpochLatest: ({ effectiveEpochLatest }) => effectiveEpochLatest,
  effectiveEpochFinal: ({ effectiveEpochFinal }) => effectiveEpochFinal,
  confirmedBy: ({ confirmedBy }) => confirmedBy,
  supersededBy: ({ supersededBy }) => supersededBy,
  transactionSignature: ({ transaction }) => transaction?.signature ?? null,
  transactionSlot: ({ transaction }) => transaction?.slot ?? null,
  transactionBlockTime: ({ transaction }) => transaction?.blockTime ?? null,
  signer: ({ transaction }) => transaction?.signer ?? null,
  verified: ({ transaction }) => transaction?.verified ?? null,
  replacedBy: ({ replacedBy }) => replacedBy,
});

/**
 * Every event of the closed epochs, confirmed or of a public history, newest first; null: no epoch has closed. Without those
 * of the running epoch the table stands still from one epoch's end to the next, whenever it is rendered. It may be empty: a
 * ruling that takes the only event back must take it out of the file too.
 */
export function toEventsTable(view: View): Table<CommissionEvent> | null {
  const running = view.latestEpoch ?? 0;
  if (view.closedEpochs().size === 0) return null;
  return { columns: COLUMNS, rows: view.events().filter(({ epoch }) => epoch < running) };
}
