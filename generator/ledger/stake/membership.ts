import type { AgreedSet } from "../../agree/validator-set.ts";
import type { SnapshotEntry } from "../../entries/entry.ts";
import { getU16, NOT_RECORDED, setU16 } from "../columns.ts";
import type { Ledger } from "../ledger.ts";
import { waitsForOther } from "../belief.ts";
import { findValidator, type Step } from "../step.ts";
import { touchHistory } from "../touched.ts";

/*
 * The validator set (`epochVoteAccount`) decides which state
 * of the vote account sets the paid commission (effects.ts).
 */

/** Key of what is recorded for a validator in an epoch. */
export interface ValidatorEpoch {
  epoch: number;
  validatorIndex: number;
}

/**
 * Records who is in the epoch's validator set, where a majority agrees. If only one of two
 * witnesses answered, it waits.
 */
export function foldMembership(
  step: Step,
  entry: SnapshotEntry,
  { isAlone, byVote }: AgreedSet,
): void {
  const { ledger, moment } = step;
  if (!isOfItsEpoch(entry)) return;
  if (waitsForOther(ledger, isAlone, moment.time)) return;
  for (const [vote, { isMember: agreed }] of byVote) {
    const found = agreed === null ? null : findValidator(ledger, vote);
    if (found !== null && agreed !== null)
      keep(step, { epoch: entry.epoch, validatorIndex: found.validatorIndex }, agreed);
  }
}

/** Whether the validator was in an epoch's set; null: no majority agreed. */
export function isMember(
  { members }: Pick<Ledger, "members">,
  { epoch, validatorIndex }: ValidatorEpoch,
): boolean | null {
  const recorded = getU16(members, epoch, validatorIndex);
  return recorded === null ? null : recorded === 1;
}

/**
 * Whether a list's newest vote lies in the entry's epoch. Just after a boundary it may lie in the
 * previous one.
 */
export function isOfItsEpoch({
  slot,
  absoluteSlot,
  slotIndex,
  slotsInEpoch,
}: Pick<SnapshotEntry, "slot" | "absoluteSlot" | "slotIndex" | "slotsInEpoch">): boolean {
  const firstSlot = absoluteSlot - slotIndex;
  return slot >= firstSlot && slot < firstSlot + slotsInEpoch;
}

function keep(step: Step, at: ValidatorEpoch, isIn: boolean): void {
  const { ledger } = step;
  const before = isMember(ledger, at);
  if (before === isIn) return;
  setU16(ledger.members, at.epoch, at.validatorIndex, isIn ? 1 : 0, NOT_RECORDED);
  // Unknown counts as member, so no document changes.
  if ((before ?? true) === isIn) return;
  // It also decides the rewards of the two epochs before.
  touchHistory(step, at.validatorIndex, at.epoch - 2);
}
