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
});

/**
 * Every event of the closed epochs, confirmed or of a public history, newest first; null: none yet. Without those of the
 * running epoch the table stands still from one epoch's end to the next, whenever it is rendered.
 */
export function toEventsTable(view: View): Table<CommissionEvent> | null {
  const running = view.latestEpoch ?? 0;
  const rows = view.events().filter(({ epoch }) => epoch < running);
  return rows.length === 0 ? null : { columns: COLUMNS, rows };
}
