import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { EventValidator } from "../../../generator/contract/event-validators.ts";
import { compareStake } from "../../format/values.ts";

/** A validator that raised a commission to 90 % or more, and keeps it there. */
export interface Worst {
  event: CommissionEvent;
  /** Whether the running epoch pays it; else a later one does. */
  isPaid: boolean;
  /** undefined: the API does not tell of it. */
  validator: EventValidator | undefined;
}

/**
 * Those whose RUG the running epoch pays first, then those who have announced one; most stake first. One row a validator.
 * @param newestFirst events of all validators
 */
export function rankWorst(
  newestFirst: readonly CommissionEvent[],
  validators: readonly EventValidator[],
  epoch: number,
): Worst[] {
  const known = new Map(validators.map((validator) => [validator.votePubkey, validator]));
  const worst = new Map<string, Worst>();
  for (const of of Map.groupBy(
    newestFirst.filter(isOfRewards),
    ({ votePubkey, source }) => `${votePubkey} ${source}`,
  ).values()) {
    const found = findStanding(of, epoch);
    if (found === null) continue;
    const { votePubkey } = found.event;
    if (worst.get(votePubkey)?.isPaid === true && !found.isPaid) continue;
    worst.set(votePubkey, { ...found, validator: known.get(votePubkey) });
  }
  return [...worst.values()].sort(
    (one, other) =>
      Number(other.isPaid) - Number(one.isPaid) ||
      compareStake(other.validator?.activeStake.lamports, one.validator?.activeStake.lamports),
  );
}

/** Whether rewards ever pay it, and it is known from when on. */
function isOfRewards({ supersededBy, replacedBy, effectiveEpochLatest }: CommissionEvent): boolean {
  return supersededBy === null && replacedBy === null && effectiveEpochLatest !== null;
}

/** The RUG that is paid, else the one that will be; null: what is paid and what will be is something else. */
function findStanding(newestFirst: readonly CommissionEvent[], epoch: number): Omit<Worst, "validator"> | null {
  const isPaid = ({ effectiveEpochLatest }: CommissionEvent) => (effectiveEpochLatest ?? Infinity) <= epoch;
  const paid = newestFirst.find(isPaid);
  if (paid?.severity === "RUG") return { event: paid, isPaid: true };
  const coming = newestFirst.find((event) => !isPaid(event));
  return coming?.severity === "RUG" ? { event: coming, isPaid: false } : null;
}
