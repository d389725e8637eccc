import type { Observation } from "./acceptance.ts";
import { NOBODY, type Doubt, type Ledger, type Objection, type Reading } from "./ledger.ts";
import { NODES_DIFFER_SLOTS, type Witnessing } from "./pace.ts";

/** The shortest epoch of a cluster that warms up, in slots: each of the next ones is twice as long as the one before. */
const WARM_UP_SLOTS = 32;

/**
 * Epochs rise with the slots, by as many as their known length allows: one false epoch would stand above all true ones that
 * follow. An epoch that begins elsewhere than it began before, or than the one before ends, is another cluster's.
 */
export function objectToEpoch(
  { acceptance: { newest } }: Ledger,
  { slot, ...said }: Observation,
  { witness, clusterSlot }: Witnessing,
): Objection | null {
  // Further below, it is the slot that is doubted: a restarted cluster is in an earlier epoch, too.
  if (newest === null || slot <= newest.slot - (clusterSlot === null ? 0 : 2 * NODES_DIFFER_SLOTS)) return null;
  const reason = describe(newest, said, witness !== NOBODY);
  if (reason === null) return null;
  return { reason, isLike: clusterSlot === null ? isLikeAlone(newest, said) : isOfSameSchedule(said) };
}

type Place = Pick<Reading, "epoch" | "slotIndex" | "slotsInEpoch" | "absoluteSlot">;

/** @param isExact whether the next epochs begin where those before them end; entries of before there was a panel may leap */
function describe(newest: Place, said: Place, isExact: boolean): string | null {
  const { epoch, slotsInEpoch } = said;
  const [first, known] = [firstSlotOf(said), firstSlotOf(newest)];
  if (epoch < newest.epoch) return `epoch ${epoch} is before ${newest.epoch}, the last accepted one`;
  if (epoch === newest.epoch) {
    if (first === known && slotsInEpoch === newest.slotsInEpoch) return null;
    return `epoch ${epoch} has ${newest.slotsInEpoch} slots from slot ${known} on, not ${slotsInEpoch} from slot ${first} on`;
  }
  const least = known + (epoch - newest.epoch) * newest.slotsInEpoch;
  if (isExact && !isWarmingUp(newest) ? first === least && slotsInEpoch === newest.slotsInEpoch : first >= least)
    return null;
  const of = isExact ? ` with ${slotsInEpoch} slots` : "";
  return `epoch ${epoch} cannot begin at slot ${first}${of}: epoch ${newest.epoch} has ${newest.slotsInEpoch} slots from slot ${known} on`;
}

function isWarmingUp({ slotsInEpoch }: Place): boolean {
  return Number.isInteger(Math.log2(slotsInEpoch / WARM_UP_SLOTS));
}

/** With none to hold it against, what cannot be is never believed. */
function isLikeAlone(newest: Place, { epoch, ...said }: Place): Objection["isLike"] {
  if (epoch > newest.epoch && firstSlotOf(said) < firstSlotOf(newest) + (epoch - newest.epoch) * newest.slotsInEpoch)
    return null;
  return (doubt) => epoch === doubt.epoch || (epoch !== newest.epoch && epoch === doubt.epoch + 1);
}

function isOfSameSchedule(said: Place): (doubt: Doubt) => boolean {
  return ({ epoch, firstSlot }) => firstSlotOf(said) - firstSlot === (said.epoch - epoch) * said.slotsInEpoch;
}

export function firstSlotOf({ absoluteSlot, slotIndex }: Pick<Place, "absoluteSlot" | "slotIndex">): number {
  return absoluteSlot - slotIndex;
}
