import type { CommissionEvent } from "../../contract/event.ts";
import type { Pattern } from "../../contract/pattern.ts";
import { DECIDED_AFTER_EPOCHS, payingStateEpoch } from "../events/effects.ts";
import { isMember } from "../../ledger/stake/membership.ts";
import { commissionPoint, stakePoint } from "../../ledger/stake/points.ts";
import type { MevState, ValidatorRecord } from "../../ledger/records.ts";
import { isLongSilent } from "../../ledger/uptime/uptime.ts";
import { toBlockRevenueReason } from "../block-revenue.ts";
import { appliedAt, lastEpoch, type CommissionView } from "../commissions.ts";
import { toLeaving } from "./leaving.ts";
import { toPaidChanges, type PaidChange, type Span } from "./paid-changes.ts";
import { isActive } from "../patterns.ts";
import { newestMev, newestTip } from "../../ledger/tips/timeline.ts";
import { memoize } from "../../ledger/memoize.ts";

/**
 * Basis points; "nothing": it was in no set that the epoch pays by, or had no stake; null: not
 * known.
 */
type PaidRate = number | "nothing" | null;

/** The facts on which a verdict rests. Rates are in basis points. */
export interface VerdictFacts {
  /** The newest epoch or, for a validator that left, the last in which it was seen. */
  epoch: number;
  listed: boolean;
  /** Since when no check saw it vote, ISO 8601 in UTC; null: it voted in the last hour. */
  silentSince: string | null;
  announced: number | null;
  paidAt: (epoch: number) => PaidRate;
  /** The first with a known commission; null: none. */
  firstKnown: () => number | null;
  mev: MevState;
  mevEpoch: number;
  pattern: Pattern | null;
  /** Newest first, without those replaced by steps. */
  events: readonly CommissionEvent[];
  changes: readonly PaidChange[];
  /** A sentence on what happened soon after its newest RUG. */
  leaving: string | null;
  /** A sentence on its newest large rise of block revenue commission. */
  blockRevenueRise: string | null;
}

/** What verdicts are derived from. `eventsByVote` has each validator's events, newest first. */
export interface FactsView extends CommissionView {
  eventsByVote: () => ReadonlyMap<string, readonly CommissionEvent[]>;
}

interface Subject {
  validatorIndex: number;
  record: ValidatorRecord;
}

/** Of the inflation or else the MEV commission. */
function findPattern(view: FactsView, record: ValidatorRecord): Pattern | null {
  const events = view.eventsByVote().get(record.vote) ?? [];
  const epoch = lastEpoch(view, record);
  const active = (["COMMISSION", "MEV"] as const).map((source) => {
    const newest =
      events.find((event) => event.source === source && event.pattern !== null)?.pattern ?? null;
    return newest !== null && isActive(newest, epoch) ? newest : null;
  });
  return active.find((pattern) => pattern !== null) ?? null;
}

/** The facts about one validator. */
export function toVerdictFacts(view: FactsView, subject: Subject): VerdictFacts {
  const { validatorIndex, record } = subject;
  const epoch = lastEpoch(view, record);
  const events = (view.eventsByVote().get(record.vote) ?? []).filter(
    ({ replacedBy }) => replacedBy === null,
  );
  const changes = toPaidChanges(events);
  const silentSince = toSilentSince(view, record);
  const isKnown = (each: number) =>
    commissionPoint(view.ledger, "inflation", { epoch: each, validatorIndex }) !== null;
  return {
    epoch,
    listed: record.listed,
    silentSince,
    announced: record.commissionBasisPoints,
    paidAt: memoize((each: number) => paidByRule(view, { epoch: each, validatorIndex })),
    firstKnown: () => view.commissionEpochs().find(isKnown) ?? null,
    mev: newestMev(record),
    mevEpoch: newestTip(record)?.until ?? epoch,
    pattern: findPattern(view, record),
    events,
    changes,
    leaving: toLeaving(view, subject, { changes, silentSince }),
    blockRevenueRise: toBlockRevenueReason(record, epoch),
  };
}

/** Epochs of a span, up to the newest, without those that are known to pay another rate. */
export function toPayingEpochs(
  { epoch, paidAt }: VerdictFacts,
  { event, to }: PaidChange,
  { first, last }: Span,
): number[] {
  const count = Math.max(0, Math.min(last, epoch) - first + 1);
  return Array.from({ length: count }, (_, index) => first + index).filter(
    (each) => event.source === "MEV" || paidAt(each) === to || paidAt(each) === null,
  );
}

/** An account outside its epoch's set counts as paid nothing until later sets show otherwise. */
function paidByRule(view: FactsView, at: { epoch: number; validatorIndex: number }): PaidRate {
  const { ledger } = view;
  if (payingStateEpoch(ledger, at) === null || stakePoint(ledger, at)?.lamports === 0n)
    return "nothing";
  const isUndecided =
    view.latestEpoch !== null && at.epoch + DECIDED_AFTER_EPOCHS > view.latestEpoch;
  if (isUndecided && isMember(ledger, at) === false) return "nothing";
  return appliedAt(view, at);
}

function toSilentSince({ ledger }: FactsView, { delinquentSince }: ValidatorRecord): string | null {
  const now = ledger.acceptance.newest?.time ?? null;
  return delinquentSince !== null && now !== null && isLongSilent(delinquentSince, now)
    ? delinquentSince
    : null;
}
