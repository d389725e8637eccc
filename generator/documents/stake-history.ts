import type { StakePoint } from "../contract/history.ts";
import { listOfValidator } from "../contract/lists.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { stakePoint } from "../ledger/points.ts";
import { toStake } from "../contract/numbers.ts";
import { findRecord, type View } from "./view.ts";

/** The recorded stakes of a validator by epoch, oldest first (endpoint 5); null: no such vote account was ever seen. */
export function renderStakeHistory(view: View, votePubkey: string): DocumentOf<"stakeHistory"> | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const data = view.stakeEpochs().flatMap((epoch) => toPoint(view, found.ordinal, epoch) ?? []);
  return listOfValidator({ network: view.ledger.network, votePubkey }, data);
}

function toPoint(view: View, ordinal: number, epoch: number): StakePoint | null {
  const point = stakePoint(view.ledger, { epoch, ordinal });
  return point && { epoch, activeStake: toStake(point.lamports), rank: point.rank };
}
