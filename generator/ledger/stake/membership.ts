import type { AgreedSet } from "../../agree/validator-set.ts";
import type { SnapshotEntry } from "../../entries/entry.ts";
import { getU16, NOT_RECORDED, setU16 } from "../columns.ts";
import type { Ledger } from "../ledger.ts";
import { waitsForOther } from "../belief.ts";
import { findValidator, type Step } from "../step.ts";
import { touchPointsFrom } from "../touched.ts";

/*
 * The validator set (`epochVoteAccount`) decides which state of the vote account sets the paid commission (effects.ts).
 */

export interface ValidatorEpoch {
  epoch: number;
  validatorIndex: number;
}

export function foldMembership(step: Step, entry: SnapshotEntry, { isAlone, byVote }: AgreedSet): void {
  const { ledger, moment } = step;
  if (!isOfItsEpoch(entry)) return;
  if (waitsForOther(ledger, isAlone, moment.time)) return;
  for (const [vote, { isMember: told }] of byVote) {
    const found = told === null ? null : findValidator(ledger, vote);
    if (found !== null && told !== null) keep(step, { epoch: entry.epoch, validatorIndex: found.validatorIndex }, told);
  }
}

/** null: no majority told it. */
export function isMember(
  { members }: Pick<Ledger, "members">,
  { epoch, validatorIndex }: ValidatorEpoch,
): boolean | null {
  const told = getU16(members, epoch, validatorIndex);
  return told === null ? null : told === 1;
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

function keep(step: Step, place: ValidatorEpoch, told: boolean): void {
  const { ledger, touched } = step;
  const before = isMember(ledger, place);
  if (before === told) return;
  setU16(ledger.members, place.epoch, place.validatorIndex, told ? 1 : 0, NOT_RECORDED);
  // Unknown counts as member, so nothing shown changes.
  if ((before ?? true) === told) return;
  touched.profiles.add(place.validatorIndex);
  touched.commissions.add(place.validatorIndex);
  // It also decides the rewards of the two epochs before.
  touchPointsFrom(step, place.epoch - 2);
}
