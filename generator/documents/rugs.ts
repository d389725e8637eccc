import type { CommissionEvent, Source } from "../contract/event.ts";
import type { RugsGlobal, RugsPerEpoch } from "../contract/stats.ts";
import { divide } from "../contract/numbers.ts";

interface RugsSummary {
  /** Every tracked epoch, oldest first. */
  rows: RugsPerEpoch[];
  global: RugsGlobal;
}

/** `global` is computed from the rows, so the two agree. */
export function summariseRugs(
  epochs: readonly number[],
  eventsByEpoch: ReadonlyMap<number, readonly CommissionEvent[]>,
): RugsSummary {
  const rugs = epochs.map((epoch) => ({ epoch, events: onlyRugs(eventsByEpoch.get(epoch) ?? []) }));
  const rows = rugs.map(({ epoch, events }) => toRow(epoch, events));
  return { rows, global: toGlobal(rows, countEpochsByVote(rugs.map(({ events }) => events))) };
}

/**
 * Leaves out RUGs whose steps are events. One of the steps rises to at least as much and is itself
 * a RUG, so the rise would count twice.
 */
export function onlyRugs(events: readonly CommissionEvent[]): CommissionEvent[] {
  return events.filter(({ severity, replacedBy }) => severity === "RUG" && replacedBy === null);
}

function toRow(epoch: number, events: readonly CommissionEvent[]): RugsPerEpoch {
  const commission = ofSource(events, "COMMISSION");
  const mev = ofSource(events, "MEV");
  return {
    epoch,
    uniqueValidators: commission.votes.union(mev.votes).size,
    commissionEvents: commission.count,
    mevEvents: mev.count,
    totalEvents: events.length,
    unconfirmedEvents: events.filter(({ confirmed }) => !confirmed).length,
    commissionValidators: commission.votes.size,
    mevValidators: mev.votes.size,
    bothTypes: commission.votes.intersection(mev.votes).size,
    lamportsLost: sumCosts(events.filter(({ source }) => source === "COMMISSION")),
  };
}

function ofSource(events: readonly CommissionEvent[], source: Source) {
  const own = events.filter((event) => event.source === source);
  return { count: own.length, votes: new Set(own.map(({ votePubkey }) => votePubkey)) };
}

/** A RUG that lowers the rate paid before costs nothing. null: a cost is unknown. */
function sumCosts(events: readonly CommissionEvent[]): string | null {
  let lost = 0n;
  for (const { cost } of events) {
    if (cost === null) return null;
    const lamports = BigInt(cost.lamportsPerEpoch);
    if (lamports > 0n) lost += lamports;
  }
  return lost.toString();
}

function countEpochsByVote(epochs: readonly (readonly CommissionEvent[])[]): number[] {
  const counts = new Map<string, number>();
  for (const events of epochs) {
    for (const vote of new Set(events.map(({ votePubkey }) => votePubkey)))
      counts.set(vote, (counts.get(vote) ?? 0) + 1);
  }
  return [...counts.values()];
}

function toGlobal(rows: readonly RugsPerEpoch[], epochsByVote: readonly number[]): RugsGlobal {
  const peakValidators = Math.max(0, ...rows.map(({ uniqueValidators }) => uniqueValidators));
  // The newest of equals; no rug, no peak.
  const peak =
    peakValidators === 0
      ? undefined
      : rows.findLast((row) => row.uniqueValidators === peakValidators);
  return {
    totalRuggedValidators: epochsByVote.length,
    repeatOffenders: epochsByVote.filter((count) => count >= 2).length,
    epochsTracked: rows.length,
    peakEpoch: peak?.epoch ?? null,
    peakValidators,
    averagePerEpoch: divide(sum(rows, "uniqueValidators"), rows.length),
    commissionEvents: sum(rows, "commissionEvents"),
    mevEvents: sum(rows, "mevEvents"),
  };
}

function sum(
  rows: readonly RugsPerEpoch[],
  field: Exclude<keyof RugsPerEpoch, "lamportsLost">,
): number {
  return rows.reduce((total, row) => total + row[field], 0);
}
