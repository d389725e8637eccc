import type { DocumentOf } from "../contract/objects.ts";
import { findRecord, type View } from "./view.ts";

/** Every event of a validator, newest first (endpoint 3); null: no such vote account was ever seen. */
export function renderValidatorEvents(view: View, votePubkey: string): DocumentOf<"validatorEvents"> | null {
  if (findRecord(view, votePubkey) === null) return null;
  const data = [...(view.eventsByVote().get(votePubkey) ?? [])];
  return { data, meta: { network: view.ledger.network, total: data.length, votePubkey } };
}
