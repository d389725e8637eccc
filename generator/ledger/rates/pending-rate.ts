import { agrees, type Commission } from "../../chain/commission.ts";
import type { AgreedRate, RateReading } from "../../agree/rates.ts";
import {
  hasStood,
  MASS_OBSERVATIONS,
  REPEAT_MILLISECONDS,
  OUTDATED_MILLISECONDS,
} from "../belief.ts";
import type { Ledger } from "../ledger.ts";
import type { Moment, PendingRate, ValidatorRecord } from "../records.ts";

interface ObservedRate {
  reading: RateReading;
  /** Endpoints of all witnesses. */
  panel: readonly string[];
  /** The rate that documents show. */
  current: Commission;
  /** Where a majority last showed it. */
  until: Moment;
  /** Moment of a slot in this observation. */
  at: (slot: number) => Moment;
}

/**
 * The pending rate after an observation: what it shows other than the current rate. `first` has
 * the time of the first observation with that rate and the slot of its majority.
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
 * Whether a majority has answered the rate for long enough. A whole percent shows that a rate
 * changed but not its exact value, and the accounts with the exact value may be outdated.
 * @param agreed the answers' agreed rate
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

/** Whether two rates may be the same. Whole percents are rounded down or up. */
export function fitsRate(current: Commission, commission: Commission): boolean {
  return current.exact === commission.exact
    ? isSameRate(current, commission)
    : agrees(current, commission);
}

function isSameRate(one: Commission, other: Commission): boolean {
  return one.basisPoints === other.basisPoints;
}

/** Gives the pending rate up, and counts it in the ledger's `dropped`. */
export function dropPending(ledger: Ledger, validator: ValidatorRecord): void {
  if (validator.rates.pending === null) return;
  validator.rates.pending = null;
  ledger.dropped += 1;
}
