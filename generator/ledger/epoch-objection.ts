import type { Observation } from "./acceptance.ts";
import type { Ledger, Objection, Reading } from "./ledger.ts";
import { NODES_DIFFER_SLOTS, type Witnessing } from "./pace.ts";

/**
 * Epochs rise with the slots, by as many as their known slots allow: one false epoch would stand above all true ones that
 * follow. An epoch that begins elsewhere than it began before is another cluster's.
 */
export function objectToEpoch(
  { acceptance: { newest } }: Ledger,
  { slot, ...said }: Observation,
  { clusterSlot }: Witnessing,
): Objection | null {
  // Further below, it is the slot that is doubted: a restarted cluster is in an earlier epoch, too.
  if (newest === null || slot <= newest.slot - (clusterSlot === null ? 0 : 2 * NODES_DIFFER_SLOTS)) return null;
  const { epoch } = said;
  if (epoch < newest.epoch) {
    return {
      reason: `epoch ${epoch} is before ${newest.epoch}, the last accepted one`,
      isLike: (doubt) => epoch === doubt.epoch || epoch === doubt.epoch + 1,
    };
  }
  if (epoch === newest.epoch) return objectToBegin(newest, said);
  const least = firstSlotOf(newest) + (epoch - newest.epoch) * newest.slotsInEpoch;
  if (firstSlotOf(said) >= least) return null;
  const reason = `epoch ${epoch} cannot begin at slot ${firstSlotOf(said)}: epoch ${newest.epoch} has ${newest.slotsInEpoch} slots from slot ${firstSlotOf(newest)} on`;
  return { reason, isLike: null };
}

type Place = Pick<Reading, "epoch" | "slotIndex" | "slotsInEpoch" | "absoluteSlot">;

function objectToBegin(newest: Place, said: Place): Objection | null {
  if (firstSlotOf(said) === firstSlotOf(newest) && said.slotsInEpoch === newest.slotsInEpoch) return null;
  const reason = `epoch ${said.epoch} has ${newest.slotsInEpoch} slots from slot ${firstSlotOf(newest)} on, not ${said.slotsInEpoch} from slot ${firstSlotOf(said)} on`;
  return { reason, isLike: (doubt) => doubt.epoch === said.epoch };
}

function firstSlotOf({ absoluteSlot, slotIndex }: Place): number {
  return absoluteSlot - slotIndex;
}
