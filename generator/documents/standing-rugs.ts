import type { CommissionEvent, Source } from "../contract/event.ts";
import { compareText } from "../contract/lists.ts";
import { toStake } from "../contract/numbers.ts";
import { RUG_BASIS_POINTS, RUG_PERCENT } from "../contract/severity.ts";
import { NO_STANDING_RUGS, STANDING_RUGS_MAX, type StandingRug, type StandingRugs } from "../contract/standing-rugs.ts";
import type { Validator } from "../contract/validator.ts";
import { findRecord, type View } from "./view.ts";

/**
 * An event alone does not count if the newest epoch is known to pay less. Without another rate before, nobody was
 * betrayed.
 */
export function findStandingRugs(view: View, validators: readonly Validator[]): StandingRugs {
  const epoch = view.latestEpoch;
  if (epoch === null) return NO_STANDING_RUGS;
  const standing = validators
    .filter(({ activeStake }) => toLamports({ activeStake }) > 0n)
    .flatMap((validator) => findOfValidator(view, { validator, epoch }))
    .sort(compareStanding);
  const paid = standing.filter((each) => each.paid);
  return {
    validatorsPaid: paid.length,
    activeStake: toStake(paid.reduce((sum, each) => sum + toLamports(each), 0n)),
    validatorsAnnounced: standing.length - paid.length,
    worst: standing.slice(0, STANDING_RUGS_MAX),
  };
}

/** Inflation before MEV, paid before announced. */
function findOfValidator(view: View, { validator, epoch }: { validator: Validator; epoch: number }): StandingRug[] {
  const { votePubkey, iconUrl, rank, activeStake, appliedCommission } = validator;
  const events = (view.eventsByVote().get(votePubkey) ?? []).filter(isOfRewards);
  const bySource = (["COMMISSION", "MEV"] as const).map((source) => ({
    source,
    newestFirst: events.filter((event) => event.source === source),
  }));
  const paid = bySource
    .filter(({ source }) => mayBePaid(view, { validator, source }))
    .flatMap(({ newestFirst }) => findPaid(newestFirst, epoch) ?? []);
  const announced = bySource.flatMap(({ newestFirst }) => findAnnounced(newestFirst, epoch) ?? []);
  const event = paid[0] ?? announced[0];
  return event === undefined
    ? []
    : [{ votePubkey, iconUrl, rank, activeStake, appliedCommission, paid: paid.length > 0, event }];
}

function isOfRewards({ supersededBy, replacedBy, effectiveEpochLatest }: CommissionEvent): boolean {
  return supersededBy === null && replacedBy === null && effectiveEpochLatest !== null;
}

function mayBePaid(view: View, { validator, source }: { validator: Validator; source: Source }): boolean {
  const { votePubkey, appliedCommission } = validator;
  if (source === "COMMISSION") return appliedCommission === null || appliedCommission >= RUG_PERCENT;
  const mev = findRecord(view, votePubkey)?.record.mev ?? null;
  return mev === null || (typeof mev === "number" && mev >= RUG_BASIS_POINTS);
}

function findPaid(newestFirst: readonly CommissionEvent[], epoch: number): CommissionEvent | null {
  const paid = newestFirst.filter((event) => isPaid(event, epoch));
  const end = paid.findIndex(({ toCommission }) => toCommission === null || toCommission < RUG_PERCENT);
  return paid.slice(0, end === -1 ? undefined : end).findLast(({ severity }) => severity === "RUG") ?? null;
}

function findAnnounced(newestFirst: readonly CommissionEvent[], epoch: number): CommissionEvent | null {
  const newest = newestFirst.find((event) => !isPaid(event, epoch));
  return newest?.severity === "RUG" ? newest : null;
}

function isPaid({ effectiveEpochLatest }: CommissionEvent, epoch: number): boolean {
  return effectiveEpochLatest !== null && effectiveEpochLatest <= epoch;
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
