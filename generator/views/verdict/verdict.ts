import { RUG_BASIS_POINTS } from "../../contract/severity.ts";
import {
  HABIT_EPOCHS,
  LARGE_POINTS,
  MUCH_BASIS_POINTS,
  RECENT_EPOCHS,
  VERDICT_REASONS,
  type Verdict,
  type VerdictCode,
} from "../../contract/verdict.ts";
import { isAhead, isRug, toRise, type PaidChange } from "./paid-changes.ts";
import { toPayingEpochs, type VerdictFacts } from "./facts.ts";
import { type RecordCode, toRecord } from "./record.ts";
import * as sentences from "./sentences.ts";
import type { Reason, Sentence } from "./sentences.ts";

/** The judgement of a validator that profiles, lists, badges and pages show. */
export interface Judgement {
  level: Verdict["level"];
  /** At least one, in the order of VERDICT_REASONS. */
  reasons: readonly Reason[];
}

const LARGE_BASIS_POINTS = 100 * LARGE_POINTS;
const HABIT_RISES = 2;

/**
 * Judges a validator. Unpaid rises do not count; unconfirmed history leads to a caution at worst.
 */
export function judge(facts: VerdictFacts): Judgement {
  const against = inOrder({
    ...findRates(facts),
    ...findHabits(facts),
    ...findRises(facts),
    ...findPresence(facts),
  });
  const reasons = against.length > 0 ? against : [toRecord(facts)];
  const [first] = reasons;
  return { level: first === undefined ? "unknown" : VERDICT_REASONS[first.code].level, reasons };
}

/** What speaks against a validator; null: it does not apply. */
type Against = Record<Exclude<VerdictCode, RecordCode>, Sentence | null>;

function inOrder(against: Against): Reason[] {
  const byCode: Partial<Record<VerdictCode, Sentence | null>> = against;
  const codes = Object.keys(VERDICT_REASONS) as VerdictCode[];
  return codes.flatMap((code) => {
    const sentence = byCode[code] ?? null;
    return sentence === null ? [] : [{ code, ...sentence }];
  });
}

function findRates(facts: VerdictFacts) {
  const { announced, mev, mevEpoch, blockRevenueRise } = facts;
  const most = Math.max(toPaid(facts) ?? 0, announced ?? 0);
  const isMuch = most >= MUCH_BASIS_POINTS && most < RUG_BASIS_POINTS;
  return {
    keeps_most: most >= RUG_BASIS_POINTS ? sentences.toTakes(facts, RUG_BASIS_POINTS) : null,
    takes_much: isMuch ? sentences.toTakes(facts, MUCH_BASIS_POINTS) : null,
    pays_more: isMoreThanAnnounced(facts) && !isHabit(facts) ? sentences.toPaysMore(facts) : null,
    block_revenue_rise:
      blockRevenueRise === null ? null : { text: blockRevenueRise, brief: "block revenue raised" },
    high_mev:
      typeof mev === "number" && mev >= RUG_BASIS_POINTS
        ? sentences.toHighMev(mev, mevEpoch)
        : null,
  };
}

function findHabits(facts: VerdictFacts) {
  const { pattern } = facts;
  return {
    bait: isMoreThanAnnounced(facts) && isHabit(facts) ? sentences.toBait(facts) : null,
    serial_flip: pattern !== null && isPatternPaid(facts) ? sentences.toFlip(pattern) : null,
  };
}

function findRises(facts: VerdictFacts) {
  const { epoch } = facts;
  const rugs = facts.changes.filter(isRug);
  const proven = rugs.filter(isProven).sort(compareNewest);
  const ahead = proven.findLast((rug) => isAhead(rug, epoch));
  const recent = proven.find((rug) => isRecentlyPaid(rug, facts));
  const others = rugs.filter((rug) => rug !== ahead && rug !== recent);
  const rises = findRecentRises(facts);
  return {
    rug_ahead: ahead === undefined ? null : sentences.toAhead(ahead),
    recent_rug: recent === undefined ? null : sentences.toRecentRug(facts, recent),
    recent_rise: rises.length === 0 ? null : sentences.toRises(rises),
    earlier_rug: others.length === 0 ? null : sentences.toEarlier(facts, others),
  };
}

/** By the epoch that pays it first. */
function compareNewest({ event: one }: PaidChange, { event: other }: PaidChange): number {
  return (other.effectiveEpoch ?? 0) - (one.effectiveEpoch ?? 0);
}

function findPresence({ epoch, listed, silentSince, leaving }: VerdictFacts) {
  return {
    leaving: leaving === null ? null : { text: leaving, brief: "leaving after a rug" },
    delinquent: listed && silentSince !== null ? sentences.toSilent(silentSince) : null,
    gone: listed ? null : sentences.toGone(epoch),
  };
}

/** Basis points; null: nothing, or not known. */
function toPaid({ paidAt, epoch }: VerdictFacts): number | null {
  const paid = paidAt(epoch);
  return paid === "nothing" ? null : paid;
}

function isMoreThanAnnounced(facts: VerdictFacts): boolean {
  const paid = toPaid(facts);
  return facts.announced !== null && paid !== null && paid - facts.announced >= LARGE_BASIS_POINTS;
}

/** An honest cut also takes epochs until it is paid. */
function isHabit({ changes, epoch, pattern }: VerdictFacts): boolean {
  const raised = changes.filter(
    (change) =>
      isOfInflation(change) && change.event.confirmed && toRise(change) >= LARGE_BASIS_POINTS,
  );
  const recent = raised.filter(({ event }) => event.epoch > epoch - HABIT_EPOCHS);
  return pattern?.source === "COMMISSION" || recent.length >= HABIT_RISES;
}

function isOfInflation({ event }: PaidChange): boolean {
  return event.source === "COMMISSION";
}

/** Whether one of the last epochs paid one of its rises. */
function isPatternPaid({ changes, epoch, pattern, paidAt }: VerdictFacts): boolean {
  if (pattern === null) return false;
  const isPaidIn = (each: number) => {
    const paid = pattern.source === "COMMISSION" ? paidAt(each) : null;
    if (paid !== null) return paid !== "nothing" && paid >= pattern.from * 100 + LARGE_BASIS_POINTS;
    return changes.some(
      (change) =>
        change.event.source === pattern.source &&
        toRise(change) >= LARGE_BASIS_POINTS &&
        change.surely !== null &&
        change.surely.first <= each &&
        each <= change.surely.last,
    );
  };
  return Array.from({ length: HABIT_EPOCHS }, (_, ago) => epoch - ago).some(isPaidIn);
}

function isProven({ event }: PaidChange): boolean {
  return event.confirmed && event.effectiveEpoch !== null;
}

function isRecentlyPaid(change: PaidChange, facts: VerdictFacts): boolean {
  const { effectiveEpoch } = change.event;
  return (
    !isAhead(change, facts.epoch) &&
    effectiveEpoch !== null &&
    effectiveEpoch > facts.epoch - RECENT_EPOCHS &&
    toPayingEpochs(facts, change, change.possibly).length > 0
  );
}

/**
 * Rises below a RUG's that add up to much, newest first, or a commission that was enabled at a
 * high rate.
 */
function findRecentRises({ changes, epoch }: VerdictFacts): PaidChange[] {
  const recent = changes.filter(({ event }) => event.epoch > epoch - RECENT_EPOCHS);
  const rises = recent.filter((change) => toRise(change) > 0 && !isRug(change));
  const large = [...Map.groupBy(rises, ({ event }) => event.source).values()].find(
    (own) => own.reduce((sum, change) => sum + toRise(change), 0) >= LARGE_BASIS_POINTS,
  );
  return large ?? recent.filter(isSwitchedOnHigh).slice(0, 1);
}

function isSwitchedOnHigh({ from, to }: PaidChange): boolean {
  return from === null && to !== null && to >= RUG_BASIS_POINTS;
}
