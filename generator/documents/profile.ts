import type { DocumentOf } from "../contract/objects.ts";
import { ACCOUNT_CHANGES_MAX, type Profile } from "../contract/validator.ts";
import type { AccountChange, ValidatorRecord } from "../ledger/records.ts";
import { appliedBasisPoints } from "./applied.ts";
import { announcedBasisPoints } from "./commission-history.ts";
import { toCappedPercent, toCount, toPercentOrNull, toShare } from "../contract/numbers.ts";
import { toListItem } from "./validator-item.ts";
import { findRecord, type View } from "./view.ts";

/** The profile of a validator (endpoint 2); null: no such vote account was ever seen. One that left keeps its profile. */
export function renderProfile(view: View, votePubkey: string): DocumentOf<"validator"> | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const { ordinal, record } = found;
  const data: Profile = {
    ...toListItem(view.ledger, record),
    mev: {
      epoch: record.mevEpoch,
      mevCommission: toPercentOrNull(record.mev),
      priorityFeeCommission: toPercentOrNull(record.priorityFeeBasisPoints),
    },
    performance: toPerformance(view, record),
    appliedCommission: toPercentOrNull(appliedNow(view, ordinal)),
    listed: record.listed,
    lastSeenAt: record.listed ? null : record.seen.time,
    withdrawAuthority: record.authorities.at(-1)?.key ?? null,
    ...toSetByTransactions(record),
  };
  return { data, meta: { network: view.ledger.network } };
}

/** What transactions set last, and when they changed what. */
function toSetByTransactions({ accountChanges }: ValidatorRecord) {
  const lastOf = (part: AccountChange["of"]) => accountChanges.findLast(({ of }) => of === part);
  const newestFirst = accountChanges.slice(-ACCOUNT_CHANGES_MAX).reverse();
  return {
    blockRevenueCommission: toSides(lastOf("blockRevenueCommission")).toCommission,
    commissionCollector: toSides(lastOf("inflationCollector")).toKey,
    accountChanges: newestFirst.map((change): Profile["accountChanges"][number] => {
      const { of, slot, epoch, blockTime, signature, signer, verified } = change;
      return { of, ...toSides(change), slot, epoch, blockTime, signature, signer, verified };
    }),
  };
}

/** A key, or a commission. */
function toSides(change: Pick<AccountChange, "to"> | undefined) {
  const to = change?.to ?? null;
  return {
    toKey: typeof to === "string" ? to : null,
    toCommission: typeof to === "number" ? toCappedPercent(to) : null,
  };
}

/** As of the last full hour. */
function toPerformance(view: View, record: ValidatorRecord): Profile["performance"] {
  const performance = record.performanceOfHour ?? record.performance;
  if (performance === null) return noPerformance(view, record);
  const { epoch, voteCredits, unit, leaderSlots, asOf } = performance;
  // Two readings of a running epoch make the two numbers: the blocks can be a little ahead of the slots.
  const blocksProduced = Math.min(performance.blocksProduced, leaderSlots);
  const skipRate = toShare(leaderSlots - blocksProduced, leaderSlots);
  return {
    epoch,
    skipRate,
    voteCredits: toCount(voteCredits),
    voteCreditsUnit: unit,
    leaderSlots,
    blocksProduced,
    asOf,
  };
}

function noPerformance(view: View, record: ValidatorRecord): Profile["performance"] {
  const nothing = {
    skipRate: 0,
    voteCredits: 0,
    voteCreditsUnit: "credits",
    leaderSlots: 0,
    blocksProduced: 0,
  } as const;
  return { epoch: view.latestEpoch ?? record.firstEpoch, ...nothing, asOf: null };
}

function appliedNow(view: View, ordinal: number): number | null {
  if (view.latestEpoch === null) return null;
  const announcedAt = (epoch: number) => announcedBasisPoints(view, ordinal, epoch);
  return appliedBasisPoints(view, { ordinal, epoch: view.latestEpoch, announcedAt });
}
