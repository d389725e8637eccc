import { agrees, type Commission } from "../../chain/commission.ts";
import type { AgreedRate, RateReading } from "../../agree/rates.ts";
import {
  hasStood,
  MASS_OBSERVATIONS,
  REPEAT_MILLISECONDS,
  OUTDATED_MILLISECONDS,
} from "../belief.ts";
import type { Moment, PendingRate } from "../records.ts";

interface ObservedRate {
  reading: RateReading;
  /** Each witness. */
  panel: readonly string[];
  /** The rate that documents show. */
  current: Commission;
  /** Where a majority last showed it. */
  until: Moment;
  /** A slot of this observation. */
  at: (slot: number) => Moment;
}

/**
 * What an observation shows beside the current rate. The time
 * is of the first that showed it, the slot of its majority.
 */
export function nextPendingRate(
  before: PendingRate | null,
  { reading, panel, current, until, at }: ObservedRate,
): PendingRate {
  const { agreed, answers } = reading;
  const other = answers.find(({ commission }) => !fitsRate(current, commission)) ?? answers[0];
  const to = agreed?.commission ?? before?.to ?? other?.commission ?? current;
  const isKnown = before !== null && isSameRate(before.to, to);
  const first = at(agreed?.from ?? other?.slot ?? until.slot);
  const commissionOf = new Map(answers.map(({ endpoint, commission }) => [endpoint, commission]));
  const latest = {
    to,
    answers: panel.map((endpoint) => ({
      endpoint,
      commission: commissionOf.get(endpoint) ?? null,
    })),
  };
  const isDisputed =
    agreed === null && answers.some(({ commission }) => !isSameRate(commission, to));
  if (!isKnown) {
    const agreedAt = agreed === null ? null : first.time;
    return { ...latest, first, agreedAt, massLeft: null, isDisputed };
  }
  if (agreed === null) return { ...before, ...latest, agreedAt: null, isDisputed };
  return {
    ...before,
    ...latest,
    first: before.agreedAt === null ? { ...first, time: before.first.time } : before.first,
    agreedAt: before.agreedAt ?? first.time,
    massLeft: before.massLeft === null ? null : countDown(before, first),
    isDisputed,
  };
}

function countDown({ massLeft, first }: PendingRate, { time }: Moment): number {
  const isFurther = hasStood(first.time, time, REPEAT_MILLISECONDS);
  return Math.max(0, (massLeft ?? MASS_OBSERVATIONS) - (isFurther ? 1 : 0));
}

/**
 * Whether a majority has shown it for long enough. A percent shows that a rate
 * changed, not to what. Accounts behind an equal percent may be outdated.
 * @param agreed what it rests on
 */
export function isRateBelieved(
  { agreedAt, to }: PendingRate,
  agreed: AgreedRate,
  current: Commission,
  { now, panelSize }: { now: string; panelSize: number },
): boolean {
  if (agreedAt === null || !to.exact) return false;
  const isBehindPercent = agreed.of === "account" && agrees({ ...to, exact: false }, current);
  const ofWitness = panelSize === 1 ? REPEAT_MILLISECONDS : 0;
  return hasStood(agreedAt, now, isBehindPercent ? OUTDATED_MILLISECONDS : ofWitness);
}

/** Percents are rounded down or up. */
export function fitsRate(current: Commission, commission: Commission): boolean {
  return current.exact === commission.exact
    ? isSameRate(current, commission)
    : agrees(current, commission);
}

function isSameRate(one: Commission, other: Commission): boolean {
  return one.basisPoints === other.basisPoints;
}
