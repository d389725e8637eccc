import type { AgreedSet } from "../../agree/validator-set.ts";
import type { AgreedSnapshot } from "../../agree/agree.ts";
import { getU16, NOT_RECORDED, setU16 } from "../columns.ts";
import type { Ledger } from "../ledger.ts";
import { waitsForOther } from "../belief.ts";
import type { Found, Step } from "../step.ts";
import { touchHistory } from "../touched.ts";

/*
 * The validator set (`epochVoteAccount`) decides which state
 * of the vote account sets the paid commission (effects.ts).
 */

const INSIDE = 1;
const OUTSIDE = 0;

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
  entry: AgreedSnapshot,
  { found, set }: { found: readonly Found<unknown>[]; set: AgreedSet },
): void {
  const { ledger, moment } = step;
  if (!isOfItsEpoch(entry)) return;
  if (waitsForOther(ledger, set.isAlone, moment.time)) return;
  for (const { rowIndex, validatorIndex } of found) {
    const agreed = set.isMember[rowIndex] ?? null;
    if (agreed !== null) keep(step, { epoch: entry.epoch, validatorIndex }, agreed);
  }
}

/** Whether the validator was in an epoch's set; null: no majority agreed. */
export function isMember(
  { members }: Pick<Ledger, "members">,
  { epoch, validatorIndex }: ValidatorEpoch,
): boolean | null {
  const recorded = getU16(members, epoch, validatorIndex);
  return recorded === null ? null : recorded === INSIDE;
}

/** Epochs, both included. */
export interface EpochRange {
  first: number;
  last: number;
}

/**
 * Epochs up to the newest of whose validator set no snapshot told, beside one in which the
 * validator was outside: it may have been outside then too.
 */
export function findUncertainSets(
  { members, epochs }: Pick<Ledger, "members" | "epochs">,
  validatorIndex: number,
): EpochRange[] {
  const columns = [...members.values()];
  if (!columns.some((column) => column[validatorIndex] === OUTSIDE)) return [];
  const recorded = [...members.keys()]
    .sort((one, other) => one - other)
    .flatMap((epoch) => {
      const isIn = isMember({ members }, { epoch, validatorIndex });
      return isIn === null ? [] : [{ epoch, isIn }];
    });
  const newest = epochs.at(-1)?.epoch ?? -1;
  const edges = [{ epoch: -1, isIn: true }, ...recorded, { epoch: newest + 1, isIn: true }];
  return edges.flatMap(({ epoch, isIn }, index): EpochRange[] => {
    const next = edges[index + 1];
    if (next === undefined || (isIn && next.isIn) || next.epoch - epoch < 2) return [];
    return [{ first: epoch + 1, last: next.epoch - 1 }];
  });
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
}: Pick<AgreedSnapshot, "slot" | "absoluteSlot" | "slotIndex" | "slotsInEpoch">): boolean {
  const firstSlot = absoluteSlot - slotIndex;
  return slot >= firstSlot && slot < firstSlot + slotsInEpoch;
}

function keep(step: Step, at: ValidatorEpoch, isIn: boolean): void {
  const { ledger } = step;
  if (isMember(ledger, at) === isIn) return;
  const before = isIn ? at.epoch : findRecorded(ledger, at);
  setU16(ledger.members, at.epoch, at.validatorIndex, isIn ? INSIDE : OUTSIDE, NOT_RECORDED);
  // It also decides the rewards of the two epochs before, and those between are uncertain.
  touchHistory(step, at.validatorIndex, Math.min(before, at.epoch - 2));
}

/** The newest epoch before this one of which a snapshot told; 0: none. */
function findRecorded({ members }: Ledger, { epoch, validatorIndex }: ValidatorEpoch): number {
  return [...members.keys()]
    .filter(
      (each) => each < epoch && isMember({ members }, { epoch: each, validatorIndex }) !== null,
    )
    .reduce((newest, each) => Math.max(newest, each), 0);
}
