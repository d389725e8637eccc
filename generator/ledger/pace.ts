import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import type { Doubt, Ledger, Objection } from "./ledger.ts";
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

type Observation = CheckEntry | SnapshotEntry;

/** Who told an observation, and where the panel says that the cluster is. */
export interface Witnessing {
  /** Ordinal of the witness; NOBODY where the entry names no panel. */
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
