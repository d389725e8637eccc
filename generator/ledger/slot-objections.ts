import {
  type Observation,
  type AcceptedObservation,
  type Doubt,
  NO_WITNESS,
  type Objection,
} from "./acceptance-record.ts";
import type { Ledger } from "./ledger.ts";
import { measureSeenSlotMilliseconds } from "./slot-time.ts";

/*
 * Whether the slot of an observation can follow the last accepted one. Who lies is not always the node: entries are dated
 * by the generators' own clocks, and a slot of now under a wrong time looks like a slot that leapt, or that went back.
 */

/** Slots were never seen to pass so many times faster at once: the target falls with an epoch, by half at most so far. */
const PACE_MOST_FACTOR = 4;
/** A cluster whose slots take longer than this is limping, and may run as usual in the next moment. */
const SLOT_MOST_MILLISECONDS = 1_000;
/** Nodes that are well may differ by so many: what lies further from a panel's median is not believed. */
export const NODES_DIFFER_SLOTS = 150;
/**
 * A cluster that went back by less is where it was within some minutes. Until then it looks like a generator whose clock runs
 * ahead: its entries lie beyond all others, with slots that have long passed. A bucket lets in no clock that is further off
 * than 15 minutes (RequestTimeTooSkewed, https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html), and when it was
 * doubted for ten of them, five are left.
 */
const RESTART_LEAST_MILLISECONDS = 6 * 60_000;

/** Who told an observation, and where the panel says that the cluster is. */
export interface Witnessing {
  /** Ordinal of the witness; NO_WITNESS where the entry names no panel. */
  witness: number;
  /** null: there is no panel, or too few of it answered to tell. */
  clusterSlot: number | null;
}

/**
 * A slot that does not rise is a node behind; one that rises anew for long enough, from further below than a wrong clock
 * explains, is a restarted cluster. Each witness is held to its own last slot, and may be as far behind the others as nodes
 * that are well are.
 */
export function objectToSlot(
  ledger: Ledger,
  { slot }: Observation,
  { witness, clusterSlot }: Witnessing,
): Objection | null {
  const { newest } = ledger.acceptance;
  if (newest === null) return null;
  if (clusterSlot !== null && Math.abs(slot - clusterSlot) > NODES_DIFFER_SLOTS)
    return {
      reason: `slot ${slot} is over ${NODES_DIFFER_SLOTS} slots from where the panel is, slot ${clusterSlot}`,
      isLike: null,
    };
  const own = ledger.witnesses[witness]?.slot ?? -1;
  const last = clusterSlot === null ? newest.slot : Math.max(own, newest.slot - 2 * NODES_DIFFER_SLOTS);
  if (slot > last) return null;
  const slotMilliseconds = measurePace(ledger.slotTimeAnchors) ?? Infinity;
  const isFarBelow = (last - slot) * slotMilliseconds >= RESTART_LEAST_MILLISECONDS;
  const isRising = (doubt: Doubt, of: "same" | "another") =>
    slot > (of === "same" ? doubt.slot : doubt.slot - NODES_DIFFER_SLOTS);
  return { reason: `slot ${slot} is not above ${last}, the last accepted one`, isLike: isFarBelow ? isRising : null };
}

/**
 * A slot that rises faster than slots pass is a node that lies, or an entry of another moment than it is dated: accepted, it
 * would shut out all true ones until their slots have caught up. Not judged until snapshots have measured the pace.
 */
export function objectToLeap(
  { acceptance: { newest }, slotTimeAnchors }: Ledger,
  { time, slot }: Observation,
): Objection | null {
  const slotMilliseconds = measurePace(slotTimeAnchors);
  if (newest === null || slotMilliseconds === null) return null;
  const slotsMost = (since: string) => {
    const milliseconds = Date.parse(time) - Date.parse(since);
    return NODES_DIFFER_SLOTS + Math.floor((milliseconds * PACE_MOST_FACTOR) / slotMilliseconds);
  };
  const most = slotsMost(newest.time);
  if (slot - newest.slot <= most) return null;
  return {
    reason: `slot ${slot} is more than ${most} slots after ${newest.slot}, the last accepted one: so many cannot have passed`,
    isLike: (doubt, of) =>
      slot > (of === "same" ? doubt.slot : doubt.slot - NODES_DIFFER_SLOTS) &&
      slot - doubt.slot <= slotsMost(doubt.time),
  };
}

/**
 * The slot to be expected by the last accepted one and the measured pace.
 * @param time milliseconds since 1970
 * @returns null where the pace is not measured yet
 */
export function expectSlot({ acceptance: { newest }, slotTimeAnchors }: Ledger, time: number): number | null {
  const slotMilliseconds = measurePace(slotTimeAnchors);
  if (newest === null || slotMilliseconds === null) return null;
  return newest.slot + Math.floor(Math.max(0, time - Date.parse(newest.time)) / slotMilliseconds);
}

/** In milliseconds a slot; null: not measured. */
function measurePace(anchors: Ledger["slotTimeAnchors"]): number | null {
  const seen = measureSeenSlotMilliseconds(anchors);
  return seen === null ? null : Math.min(seen, SLOT_MOST_MILLISECONDS);
}

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
  const reason = describe(newest, said, witness !== NO_WITNESS);
  if (reason === null) return null;
  return { reason, isLike: clusterSlot === null ? isLikeAlone(newest, said) : isOfSameSchedule(said) };
}

type SlotInEpoch = Pick<AcceptedObservation, "epoch" | "slotIndex" | "slotsInEpoch" | "absoluteSlot">;

/** @param isExact whether the next epochs begin where those before them end; entries of before there was a panel may leap */
function describe(newest: SlotInEpoch, said: SlotInEpoch, isExact: boolean): string | null {
  const { epoch, slotsInEpoch } = said;
  const [first, known] = [toFirstSlot(said), toFirstSlot(newest)];
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

function isWarmingUp({ slotsInEpoch }: SlotInEpoch): boolean {
  return Number.isInteger(Math.log2(slotsInEpoch / WARM_UP_SLOTS));
}

/** With none to hold it against, what cannot be is never believed. */
function isLikeAlone(newest: SlotInEpoch, { epoch, ...said }: SlotInEpoch): Objection["isLike"] {
  if (epoch > newest.epoch && toFirstSlot(said) < toFirstSlot(newest) + (epoch - newest.epoch) * newest.slotsInEpoch)
    return null;
  return (doubt) => epoch === doubt.epoch || (epoch !== newest.epoch && epoch === doubt.epoch + 1);
}

function isOfSameSchedule(said: SlotInEpoch): (doubt: Doubt) => boolean {
  return ({ epoch, firstSlot }) => toFirstSlot(said) - firstSlot === (said.epoch - epoch) * said.slotsInEpoch;
}

export function toFirstSlot({ absoluteSlot, slotIndex }: Pick<SlotInEpoch, "absoluteSlot" | "slotIndex">): number {
  return absoluteSlot - slotIndex;
}
