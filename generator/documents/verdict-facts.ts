import type { CommissionEvent } from "../contract/event.ts";
import type { Pattern } from "../contract/pattern.ts";
import { commissionPoint, stakePoint } from "../ledger/points.ts";
import type { ValidatorRecord } from "../ledger/records.ts";
import { appliedAt, isPaidKnown, lastEpoch } from "./commissions.ts";
import { toBlockRevenueReason } from "./block-revenue.ts";
import { isStanding } from "./patterns.ts";
import { HABIT_EPOCHS, type VerdictFacts } from "./verdict.ts";
import type { View } from "./view.ts";

interface Subject {
  ordinal: number;
  record: ValidatorRecord;
}

/** Of the inflation or else the MEV commission. */
export function findPattern(view: View, { record }: Pick<Subject, "record">): Pattern | null {
  const events = view.eventsByVote().get(record.vote) ?? [];
  const epoch = lastEpoch(view, record);
  const standing = (["COMMISSION", "MEV"] as const).map((source) => {
    const newest = events.find((event) => event.source === source && event.pattern !== null)?.pattern ?? null;
    return newest !== null && isStanding(newest, epoch) ? newest : null;
  });
  return standing.find((pattern) => pattern !== null) ?? null;
}

export function toVerdictFacts(view: View, subject: Subject): VerdictFacts {
  const { ordinal, record } = subject;
  const epoch = lastEpoch(view, record);
  const events = (view.eventsByVote().get(record.vote) ?? []).filter(({ replacedBy }) => replacedBy === null);
  const recent = Array.from({ length: HABIT_EPOCHS }, (_, ago) => epoch - ago);
  return {
    epoch,
    listed: record.listed,
    delinquent: record.delinquent,
    announced: record.commissionBasisPoints,
    applied: recent.map((each) => appliedAt(view, { ordinal, epoch: each })),
    watched: recent.filter((each) => isPaidKnown(view, { ordinal, epoch: each })).length,
    mev: typeof record.mev === "number" ? record.mev : null,
    pattern: findPattern(view, subject),
    events,
    known: view
      .commissionEpochs()
      .filter((each) => each <= epoch && commissionPoint(view.ledger, "inflation", { epoch: each, ordinal }) !== null),
    leaving: toLeaving(view, subject, events),
    blockRevenueRise: toBlockRevenueReason(record, epoch),
  };
}

/** If a validator or half of its stake leaves so soon after a rug, it was winding down. */
const LEAVING_EPOCHS = 3;

function toLeaving(view: View, { ordinal, record }: Subject, events: readonly CommissionEvent[]): string | null {
  const rug = events.find(({ severity, supersededBy }) => severity === "RUG" && supersededBy === null);
  if (rug === undefined) return null;
  const last = rug.epoch + LEAVING_EPOCHS;
  const soon = `within ${LEAVING_EPOCHS} epochs of the rise in epoch ${rug.epoch}`;
  if (!record.listed && record.seen.epoch <= last) return `It left the cluster ${soon}.`;
  const stakeAt = (epoch: number) => stakePoint(view.ledger, { epoch, ordinal })?.lamports ?? null;
  const before = stakeAt(rug.epoch);
  for (let epoch = rug.epoch + 1; before !== null && before > 0n && epoch <= last; epoch += 1) {
    const after = stakeAt(epoch);
    if (after !== null && after * 2n <= before)
      return `Its active stake fell from ${toSol(before)} to ${toSol(after)} SOL ${soon}.`;
  }
  return hasStoppedVoting(view, record, { rug, last }) ? `It stopped voting ${soon}.` : null;
}

/** A public history gives no time of a rug: it came after the epoch before it. */
function hasStoppedVoting(
  { ledger: { epochs }, latestEpoch }: View,
  { delinquentSince }: ValidatorRecord,
  { rug, last }: { rug: CommissionEvent; last: number },
): boolean {
  if (delinquentSince === null) return false;
  const endOf = (each: number) => epochs.findLast(({ epoch }) => epoch <= each)?.last.time ?? "";
  const since = rug.transaction?.blockTime ?? rug.createdAt ?? endOf(rug.epoch - 1);
  const isOver = latestEpoch !== null && latestEpoch > last;
  return delinquentSince >= since && (!isOver || delinquentSince <= endOf(last));
}

function toSol(lamports: bigint): string {
  return String(lamports / 1_000_000_000n);
}
