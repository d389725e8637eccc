import { isDelayed, type ClusterLife } from "../ledger/events.ts";
import type { ValidatorRecord } from "../ledger/records.ts";

/**
 * The rewards of an epoch pay the commission that stood at the beginning of the epoch before, which is the end of the one
 * before that (SIMD-0249).
 */
const DELAY_EPOCHS = 2;

export interface AppliedQuestion {
  cluster: ClusterLife;
  record: Pick<ValidatorRecord, "isNew" | "firstEpoch">;
  /** The inflation commission at the end of an epoch in basis points, forward-filled; null: not known then. */
  announcedAt: (epoch: number) => number | null;
  epoch: number;
}

/** What the rewards earned in an epoch pay, in basis points (design §4, «appliedCommission»); null: not known. */
export function appliedBasisPoints({ cluster, record, announcedAt, epoch }: AppliedQuestion): number | null {
  if (!isDelayed(cluster, epoch)) return announcedAt(epoch);
  const ruling = epoch - DELAY_EPOCHS;
  // A vote account that did not exist then pays by its first rate.
  return announcedAt(record.isNew && record.firstEpoch > ruling ? record.firstEpoch : ruling);
}
