import type { CommissionPoint, UptimeDay } from "../contract/history.ts";
import { listOfValidator, listUptime } from "../contract/lists.ts";
import { toPercentOrNull, toPercentOf, toStake } from "../contract/numbers.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { DISABLED, getU16 } from "../ledger/columns.ts";
import { commissionPoint, stakePoint } from "../ledger/stake/points.ts";
import type { ValidatorRecord } from "../ledger/records.ts";
import {
  appliedBasisPoints,
  beginAt,
  FILLED_EPOCHS_MAX,
  isPaidAt,
  lastEpoch,
} from "../views/commissions.ts";
import { findPaid, type Paid } from "../views/paid.ts";
import { findRecord, type UptimeOfDay, type View } from "./view.ts";

// Oldest first; null: never seen.

/** Stake and rank of each epoch that has a record. */
export function renderStakeHistory(
  view: View,
  votePubkey: string,
): DocumentOf<"stakeHistory"> | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const data = view.stakeEpochs().flatMap((epoch) => {
    const point = stakePoint(view.ledger, { epoch, validatorIndex: found.validatorIndex });
    return point === null
      ? []
      : [{ epoch, activeStake: toStake(point.lamports), rank: point.rank }];
  });
  return listOfValidator({ network: view.ledger.network, votePubkey }, data);
}

/** Checks of each UTC day that has any. */
export function renderUptime(view: View, votePubkey: string): DocumentOf<"uptime"> | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const recorded = view.uptimeDays().flatMap((day) => toUptimeDay(day, found.validatorIndex) ?? []);
  return listUptime({ network: view.ledger.network, votePubkey }, recorded);
}

/** The checks of a validator on a day; null: there was none. */
export function toUptimeDay(
  { date, checks, delinquentChecks: delinquent }: UptimeOfDay,
  validatorIndex: number,
): UptimeDay | null {
  const uptimeChecks = checks[validatorIndex] ?? 0;
  if (uptimeChecks === 0) return null;
  const delinquentChecks = delinquent?.[validatorIndex] ?? 0;
  const uptimePercent = toPercentOf(uptimeChecks - delinquentChecks, uptimeChecks);
  return { date, uptimeChecks, delinquentChecks, uptimePercent };
}

/** null: no record so far, or MEV disabled. */
interface Announced {
  commissionBasisPoints: number | null;
  mevCommissionBasisPoints: number | null;
}

/** Commissions of every epoch from the first record on; null in a point where one is not known. */
export function renderCommissionHistory(
  view: View,
  votePubkey: string,
): DocumentOf<"commissionHistory"> | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const { validatorIndex, record } = found;
  const announced = fillForward(view, validatorIndex, record);
  const unseen = differingGaps(view, validatorIndex, announced);
  const announcedAt = (epoch: number) =>
    unseen.has(epoch) ? null : (announced.get(epoch)?.commissionBasisPoints ?? null);
  const data = [...announced].map(
    ([epoch, { commissionBasisPoints, mevCommissionBasisPoints }]): CommissionPoint => ({
      epoch,
      commission: toPercentOrNull(commissionBasisPoints),
      mevCommission: toPercentOrNull(mevCommissionBasisPoints),
      appliedCommission: toPercentOrNull(
        appliedBasisPoints(view, { validatorIndex, epoch, announcedAt }),
      ),
      paid: isPaidAt(view, { validatorIndex, epoch }),
      ...toPaidCommission(findPaid(view, { validatorIndex, epoch })),
      blockRevenueCommission: toPercentOrNull(
        getU16(view.ledger.blockRevenue, epoch, validatorIndex),
      ),
    }),
  );
  return listOfValidator({ network: view.ledger.network, votePubkey }, data);
}

/** A measured commission as documents and exports show it. */
export function toPaidCommission(
  paid: Paid,
): Pick<CommissionPoint, "paidCommission" | "paidCommissionUnknown"> {
  return {
    paidCommission: toPercentOrNull(paid.basisPoints),
    paidCommissionUnknown: paid.basisPoints === null ? paid.unknown : null,
  };
}

/** Repeats each record until the next one, from the first record on. */
function fillForward(
  view: View,
  validatorIndex: number,
  record: ValidatorRecord,
): Map<number, Announced> {
  const filled = new Map<number, Announced>();
  let latest: Announced = { commissionBasisPoints: null, mevCommissionBasisPoints: null };
  for (const epoch of epochsToFill(view, validatorIndex, record)) {
    const mev =
      commissionPoint(view.ledger, "mev", { epoch, validatorIndex }) ??
      latest.mevCommissionBasisPoints;
    latest = {
      commissionBasisPoints:
        commissionPoint(view.ledger, "inflation", { epoch, validatorIndex }) ??
        latest.commissionBasisPoints,
      mevCommissionBasisPoints: mev === DISABLED ? null : mev,
    };
    filled.set(epoch, latest);
  }
  return filled;
}

/** Epochs for which nobody observed which of two commissions was in force. */
function differingGaps(
  view: View,
  validatorIndex: number,
  announced: ReadonlyMap<number, Announced>,
): Set<number> {
  const gaps = new Set<number>();
  let after: number | null = null;
  for (const [epoch, { commissionBasisPoints }] of [...announced].reverse()) {
    const recorded = commissionPoint(view.ledger, "inflation", { epoch, validatorIndex });
    after =
      recorded === null ? after : beginAt(view, validatorIndex, { epoch, basisPoints: recorded });
    if (recorded === null && after !== null && after !== commissionBasisPoints) gaps.add(epoch);
  }
  return gaps;
}

function epochsToFill(view: View, validatorIndex: number, record: ValidatorRecord): number[] {
  const isRecorded = (epoch: number) =>
    (["inflation", "mev"] as const).some(
      (source) => commissionPoint(view.ledger, source, { epoch, validatorIndex }) !== null,
    );
  // A refused observation may have shown a change in an epoch that was never observed.
  const begun = [
    ...record.rates.runs.map(({ from }) => from.epoch),
    ...record.tips.runs.map(({ from }) => from),
  ];
  const recorded = [...new Set([...view.commissionEpochs(), ...begun])]
    .filter(isRecorded)
    .sort((a, b) => a - b);
  const [first] = recorded;
  const last = lastEpoch(view, record);
  if (first === undefined || last < first) return [];
  const known = [...recorded.filter((epoch) => epoch < last), last];
  return known.flatMap((epoch, index) => fromAfter(known[index - 1] ?? epoch - 1, epoch));
}

function fromAfter(before: number, epoch: number): number[] {
  const between = epoch - before;
  return between > FILLED_EPOCHS_MAX
    ? [epoch]
    : Array.from({ length: between }, (_, index) => before + 1 + index);
}
