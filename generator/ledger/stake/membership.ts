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

export interface ValidatorEpoch {
  epoch: number;
  validatorIndex: number;
}

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

/** null: no majority agreed on it. */
export function isMember(
  { members }: Pick<Ledger, "members">,
  { epoch, validatorIndex }: ValidatorEpoch,
): boolean | null {
  const recorded = getU16(members, epoch, validatorIndex);
  return recorded === null ? null : recorded === 1;
}

/** Just after a boundary, a list's newest vote can lie in the previous epoch. */
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
