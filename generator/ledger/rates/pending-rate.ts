import { agrees, type Commission } from "../../chain/commission.ts";
import type { AgreedRate, RateReading } from "../../agree/rates.ts";
import { hasStood, MASS_OBSERVATIONS, REPEAT_MILLISECONDS, OUTDATED_MILLISECONDS } from "../belief.ts";
import type { Moment, PendingRate } from "../records.ts";

interface Said {
  reading: RateReading;
  /** Each witness. */
  panel: readonly string[];
  /** The rate that documents show. */
  held: Commission;
  /** Where a majority last showed it. */
  until: Moment;
  /** A slot of this observation. */
  at: (slot: number) => Moment;
}

/** What an observation says beside the held rate. The time is of the first that showed it, the slot of its majority. */
export function hearPending(before: PendingRate | null, { reading, panel, held, until, at }: Said): PendingRate {
  const { agreed, says } = reading;
  const other = says.find(({ commission }) => !isShownBy(held, commission)) ?? says[0];
  const to = agreed?.commission ?? before?.to ?? other?.commission ?? held;
  const isKnown = before !== null && isSame(before.to, to);
  const first = at(agreed?.from ?? other?.slot ?? until.slot);
  const saidBy = new Map(says.map(({ endpoint, commission }) => [endpoint, commission]));
  const told = { to, says: panel.map((endpoint) => ({ endpoint, commission: saidBy.get(endpoint) ?? null })) };
  const isDisputed = agreed === null && says.some(({ commission }) => !isSame(commission, to));
  if (!isKnown) {
    const agreedAt = agreed === null ? null : first.time;
    return { ...told, first, agreedAt, massLeft: null, isDisputed };
  }
  if (agreed === null) return { ...before, ...told, agreedAt: null, isDisputed };
  return {
    ...before,
    ...told,
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
 * Whether a majority has shown it for long enough. A percent tells that a rate changed, not to what. Accounts behind an
 * equal percent may be outdated.
 * @param agreed what it rests on
 */
export function isBelieved(
  { agreedAt, to }: PendingRate,
  agreed: AgreedRate,
  held: Commission,
  { now, panelSize }: { now: string; panelSize: number },
): boolean {
  if (agreedAt === null || !to.exact) return false;
  const isBehindPercent = agreed.of === "account" && agrees({ ...to, exact: false }, held);
  const ofWitness = panelSize === 1 ? REPEAT_MILLISECONDS : 0;
  return hasStood(agreedAt, now, isBehindPercent ? OUTDATED_MILLISECONDS : ofWitness);
}

/** Percents are rounded down or up. */
export function isShownBy(held: Commission, commission: Commission): boolean {
  return held.exact === commission.exact ? isSame(held, commission) : agrees(held, commission);
}

export function isSame(one: Commission, other: Commission): boolean {
  return one.basisPoints === other.basisPoints;
}
