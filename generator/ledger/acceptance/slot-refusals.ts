import { NODES_DIFFER_SLOTS } from "../../chain/slots.ts";
import type { AcceptedObservation, Refusal } from "./acceptance-record.ts";
import type { Ledger } from "../ledger.ts";
import { measureSeenSlotMilliseconds } from "../uptime/slot-time.ts";

/*
 * The node need not be the liar: generators date entries by their own clocks,
 * and a true slot under a wrong time looks like a leap or a step back.
 */

/**
 * A cluster may become at most this much faster than measured. The slot time falls only with an
 * epoch, and never fell by more than half.
 */
const PACE_MOST_FACTOR = 4;
/** A cluster with slower slots is degraded and may recover at any moment. */
const SLOT_MOST_MILLISECONDS = 1_000;
/**
 * A cluster that went back by less catches up within minutes, and until then looks like a
 * generator whose clock runs ahead. A bucket rejects clocks off by more than 15 minutes
 * (RequestTimeTooSkewed, https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html);
 * after ten minutes of refusals five are left.
 */
const RESTART_LEAST_MILLISECONDS = 6 * 60_000;

/**
 * Refuses a slot that does not rise: the node is behind. If the refused slots start below what a
 * wrong clock explains and rise for long enough, the cluster restarted.
 */
export function refuseSlot(
  { acceptance: { newest }, slotTimeAnchors }: Ledger,
  slot: number,
): Refusal | null {
  if (newest === null || slot > newest.slot) return null;
  const slotMilliseconds = measurePace(slotTimeAnchors) ?? Infinity;
  const isFarBelow = (newest.slot - slot) * slotMilliseconds >= RESTART_LEAST_MILLISECONDS;
  return {
    reason: `slot ${slot} is not above ${newest.slot}, the last accepted one`,
    isLike: isFarBelow ? (streak) => slot > streak.slot : null,
  };
}

/** Refuses an observation whose lists are far from the panel's slot. */
export function refuseDistance(listSlot: number, clusterSlot: number | null): Refusal | null {
  if (clusterSlot === null || Math.abs(listSlot - clusterSlot) <= NODES_DIFFER_SLOTS) return null;
  const reason = `slot ${listSlot} is over ${NODES_DIFFER_SLOTS} slots from where the panel is, slot ${clusterSlot}`;
  return { reason, isLike: null };
}

/**
 * Refuses a slot far ahead of the measured pace. Accepting a false slot would shut out true ones
 * until the cluster reaches it.
 */
export function refuseLeap(
  { acceptance: { newest }, slotTimeAnchors }: Ledger,
  { time, slot }: { time: string; slot: number },
): Refusal | null {
  const slotMilliseconds = measurePace(slotTimeAnchors);
  const snapshots = slotTimeAnchors.map((anchor) => ({
    time: anchor.time,
    slot: anchor.absoluteSlot,
  }));
  // Compare with the newest observation that the entry's clock can have seen: the clock of another
  // generator, or of this one earlier, may run ahead.
  const before = [...snapshots, ...(newest === null ? [] : [newest])].findLast(
    (one) => one.time <= time,
  );
  if (before === undefined || slotMilliseconds === null) return null;
  const slotsMost = (since: string) => {
    const milliseconds = Date.parse(time) - Date.parse(since);
    return NODES_DIFFER_SLOTS + Math.floor((milliseconds * PACE_MOST_FACTOR) / slotMilliseconds);
  };
  const most = slotsMost(before.time);
  if (slot - before.slot <= most) return null;
  return {
    reason: `slot ${slot} is more than ${most} slots after ${before.slot}, the last accepted one: so many cannot have passed`,
    isLike: (streak) => slot > streak.slot && slot - streak.slot <= slotsMost(streak.time),
  };
}

/**
 * Returns the slot of the cluster by its measured pace; null: no pace is measured yet.
 * @param time milliseconds since 1970
 */
export function expectSlot(
  { acceptance: { newest }, slotTimeAnchors }: Ledger,
  time: number,
): number | null {
  const slotMilliseconds = measurePace(slotTimeAnchors);
  if (newest === null || slotMilliseconds === null) return null;
  return newest.slot + Math.floor(Math.max(0, time - Date.parse(newest.time)) / slotMilliseconds);
}

/** Milliseconds a slot. */
function measurePace(anchors: Ledger["slotTimeAnchors"]): number | null {
  const seen = measureSeenSlotMilliseconds(anchors);
  return seen === null ? null : Math.min(seen, SLOT_MOST_MILLISECONDS);
}

/** Each next warm-up epoch is twice as long. */
const WARM_UP_SLOTS = 32;

/**
 * Refuses an epoch that does not follow from the schedule. Accepting a false epoch would shut out
 * all true ones after it; an epoch with another first slot belongs to another cluster.
 */
export function refuseEpoch(
  { acceptance: { newest } }: Ledger,
  read: SlotInEpoch,
  slot: number,
): Refusal | null {
  // For lower slots the slot check decides: a restarted cluster may be in an earlier epoch.
  if (newest === null || slot <= newest.slot) return null;
  const reason = describeEpoch(newest, read);
  return reason === null ? null : { reason, isLike: toLikeness(newest, read) };
}

type SlotInEpoch = Pick<
  AcceptedObservation,
  "epoch" | "slotIndex" | "slotsInEpoch" | "absoluteSlot"
>;

function describeEpoch(newest: SlotInEpoch, read: SlotInEpoch): string | null {
  const { epoch, slotsInEpoch } = read;
  const [first, known] = [toFirstSlot(read), toFirstSlot(newest)];
  if (epoch < newest.epoch)
    return `epoch ${epoch} is before ${newest.epoch}, the last accepted one`;
  if (epoch === newest.epoch) {
    if (first === known && slotsInEpoch === newest.slotsInEpoch) return null;
    return `epoch ${epoch} has ${newest.slotsInEpoch} slots from slot ${known} on, not ${slotsInEpoch} from slot ${first} on`;
  }
  const least = known + (epoch - newest.epoch) * newest.slotsInEpoch;
  if (
    !isWarmingUp(newest) ? first === least && slotsInEpoch === newest.slotsInEpoch : first >= least
  )
    return null;
  return `epoch ${epoch} cannot begin at slot ${first} with ${slotsInEpoch} slots: epoch ${newest.epoch} has ${newest.slotsInEpoch} slots from slot ${known} on`;
}

function isWarmingUp({ slotsInEpoch }: SlotInEpoch): boolean {
  return Number.isInteger(Math.log2(slotsInEpoch / WARM_UP_SLOTS));
}

function toLikeness(newest: SlotInEpoch, { epoch, ...read }: SlotInEpoch): Refusal["isLike"] {
  if (
    epoch > newest.epoch &&
    toFirstSlot(read) < toFirstSlot(newest) + (epoch - newest.epoch) * newest.slotsInEpoch
  )
    return null;
  return (streak) =>
    epoch === streak.epoch || (epoch !== newest.epoch && epoch === streak.epoch + 1);
}

/** Absolute slot at which the epoch begins. */
export function toFirstSlot({
  absoluteSlot,
  slotIndex,
}: Pick<SlotInEpoch, "absoluteSlot" | "slotIndex">): number {
  return absoluteSlot - slotIndex;
}
