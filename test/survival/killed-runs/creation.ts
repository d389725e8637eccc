import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { CheckEntry, SnapshotEntry } from "../../../generator/ledger/entry.ts";
import type { Witness } from "./witness.ts";

type Observation = CheckEntry | SnapshotEntry;

/**
 * What is wrong with when an event says it was first seen, by the journal itself: the value before it was shown by the
 * observation at its previous slot, and the new one first by the accepted observation of its time and slot (design §4).
 */
export function judgeCreation(event: CommissionEvent, { observations }: Witness): string[] {
  const { id, slot, createdAt, previousSlot, previousSeenAt } = event;
  const isAt = (time: string | null, at: number | null) => (one: Observation) => one.time === time && one.slot === at;
  const first = observations.find(isAt(createdAt, slot));
  if (first === undefined) return [`${id}: no accepted observation is of ${createdAt} and slot ${slot}`];
  if (!observations.some(isAt(previousSeenAt, previousSlot)))
    return [`${id}: no accepted observation is of ${previousSeenAt} and slot ${previousSlot}`];
  if (event.source === "MEV")
    return first.kind === "snapshot" ? [] : [`${id}: a check shows no MEV commission, and is said to have`];
  return judgeInflation(event, observations);
}

function judgeInflation(event: CommissionEvent, observations: readonly Observation[]): string[] {
  const { id, votePubkey, fromCommission, toCommission, createdAt } = event;
  const previousSlot = event.previousSlot ?? 0;
  const previous = observations.find(({ slot }) => slot === previousSlot);
  const shown = observations.find((one) => one.slot > previousSlot && commissionIn(one, votePubkey) === toCommission);
  return [
    ...(previous !== undefined && commissionIn(previous, votePubkey) === fromCommission
      ? []
      : [`${id}: at slot ${previousSlot} the journal does not show ${fromCommission} %`]),
    ...(shown?.time === createdAt
      ? []
      : [`${id}: created at ${createdAt}, first shown at ${shown?.time ?? "no time"}`]),
  ];
}

/** In percent, as it is published. */
function commissionIn({ votes }: Observation, vote: string): number | null {
  const row = votes.find((one) => one.vote === vote);
  if (row === undefined) return null;
  return row.basisPoints === null ? row.percent : Math.min(row.basisPoints, 10_000) / 100;
}
