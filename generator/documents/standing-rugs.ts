import { compareText } from "../contract/lists.ts";
import { toStake } from "../contract/numbers.ts";
import { RUG_BASIS_POINTS } from "../contract/severity.ts";
import {
  NO_STANDING_RUGS,
  STANDING_RUGS_MAX,
  type StandingRug,
  type StandingRugs,
} from "../contract/standing-rugs.ts";
import type { Validator } from "../contract/validator.ts";
import { isAhead, isRug, type PaidChange } from "../views/verdict/paid-changes.ts";
import type { VerdictFacts } from "../views/verdict/facts.ts";
import { findRecord, type Subject, type View } from "./view.ts";

/**
 * The worst validators now. Only a validator with a bad verdict is among them, and only if it
 * announced another rate before.
 */
export function findStandingRugs(view: View, validators: readonly Validator[]): StandingRugs {
  if (view.latestEpoch === null) return NO_STANDING_RUGS;
  const rugs = validators
    .filter((validator) => toLamports(validator) > 0n)
    .flatMap((validator) => toStandingRug(view, validator))
    .sort(compareStanding);
  const paid = rugs.filter((each) => each.paid);
  return {
    validatorsPaid: paid.length,
    activeStake: toStake(paid.reduce((sum, each) => sum + toLamports(each), 0n)),
    validatorsAnnounced: rugs.length - paid.length,
    worst: rugs.slice(0, STANDING_RUGS_MAX),
  };
}

/** Whether a validator is among the standing RUGs, the worst or not. */
export function isStandingRug(view: View, subject: Subject): boolean {
  const { listed, activeStake } = subject.record;
  return listed && activeStake > 0n && findChange(view, subject) !== null;
}

function toStandingRug(view: View, validator: Validator): StandingRug[] {
  const { votePubkey, iconUrl, rank, activeStake } = validator;
  const found = findRecord(view, votePubkey);
  if (found === null) return [];
  const standing = findChange(view, found);
  if (standing === null) return [];
  const { appliedCommission, nextAppliedCommission, appliedCommissions } = validator;
  return [
    {
      ...{ votePubkey, iconUrl, rank, activeStake },
      ...{ appliedCommission, nextAppliedCommission, appliedCommissions },
      paid: standing.paid,
      event: standing.change.event,
    },
  ];
}

/** Prefers paid to announced RUGs, and inflation to MEV. null: the verdict is not bad, or none. */
function findChange(view: View, subject: Subject): { change: PaidChange; paid: boolean } | null {
  const { level, facts } = view.verdictOf(subject);
  if (level !== "bad") return null;
  const paid = findPaidRug(facts);
  const change = paid ?? findAnnouncedRug(facts);
  return change === undefined ? null : { change, paid: paid !== undefined };
}

/**
 * The RUG since which no epoch paid less than a RUG's rate. The newest epoch must not be known to
 * pay less or nothing.
 */
function findPaidRug(facts: VerdictFacts): PaidChange | undefined {
  return bySource(facts)
    .filter(({ rate }) => rate === null || (typeof rate === "number" && rate >= RUG_BASIS_POINTS))
    .flatMap(({ changes }) => {
      const paid = changes.filter((change) => !isAhead(change, facts.epoch));
      const end = paid.findIndex(({ to }) => to === null || to < RUG_BASIS_POINTS);
      return paid.slice(0, end === -1 ? undefined : end).findLast(isRug) ?? [];
    })[0];
}

/** An announcement that was taken back does not count. */
function findAnnouncedRug(facts: VerdictFacts): PaidChange | undefined {
  return bySource(facts).flatMap(({ changes }) => {
    const newest = changes.find((change) => isAhead(change, facts.epoch));
    return newest !== undefined && isRug(newest) ? newest : [];
  })[0];
}

function bySource({ changes, paidAt, epoch, mev }: VerdictFacts) {
  const known = changes.filter(({ event }) => event.effectiveEpochLatest !== null);
  return [
    { rate: paidAt(epoch), changes: known.filter(({ event }) => event.source === "COMMISSION") },
    { rate: mev, changes: known.filter(({ event }) => event.source === "MEV") },
  ];
}

function compareStanding(one: StandingRug, other: StandingRug): number {
  const difference = toLamports(other) - toLamports(one);
  return (
    Number(other.paid) - Number(one.paid) ||
    Number(difference > 0n) - Number(difference < 0n) ||
    compareText(one.event.votePubkey, other.event.votePubkey)
  );
}

function toLamports({ activeStake }: Pick<StandingRug, "activeStake">): bigint {
  return BigInt(activeStake.lamports);
}
