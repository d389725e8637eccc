import { toPercent } from "../contract/numbers.ts";
import { listOfValidator } from "../contract/lists.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { VERIFIED_BY } from "../contract/event.ts";
import type { RateProof } from "../ledger/records.ts";
import { findRecord, type View } from "./view.ts";

/** The transactions behind a validator's commissions as bytes, newest first; null: never seen. */
export function renderRawTransactions(
  view: View,
  votePubkey: string,
): DocumentOf<"validatorTransactions"> | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const data = found.record.rateProofs.toReversed().flatMap((proof) => toRow(proof) ?? []);
  return listOfValidator({ network: view.ledger.network, votePubkey }, data);
}

/** null: it proves nothing, or its bytes are no longer kept. */
function toRow({
  signature,
  slot,
  signer,
  rates,
  verified,
  bytes,
  isDisputed,
}: RateProof): DocumentOf<"validatorTransactions">["data"][number] | null {
  if (bytes === null || isDisputed) return null;
  return {
    signature,
    slot,
    signer,
    commissions: rates.map(toPercent),
    verifiedBy: VERIFIED_BY[verified],
    bytes,
  };
}
