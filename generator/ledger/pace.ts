import type { CheckEntry, SnapshotEntry } from "./entry.ts";
import type { Ledger, Objection } from "./ledger.ts";
import { measureSeenSlotMilliseconds } from "./slot-time.ts";

/*
 * Whether the slot of an observation can follow the last accepted one. Who lies is not always the node: entries are dated
 * by the generators' own clocks, and a slot of now under a wrong time looks like a slot that leapt, or that went back.
 */

/** Slots were never seen to pass so many times faster at once: the target falls with an epoch, by half at most so far. */
const PACE_MOST_FACTOR = 4;
/** A cluster whose slots take longer than this is limping, and may run as usual in the next moment. */
const SLOT_MOST_MILLISECONDS = 1_000;
/** Nodes that are well may differ by so many (observe/endpoints.ts). */
const NODES_DIFFER_SLOTS = 150;
/**
 * A cluster that went back by less is where it was within some minutes. Until then it looks like a generator whose clock runs
 * ahead: its entries lie beyond all others, with slots that have long passed. A bucket lets in no clock that is further off
 * than 15 minutes (RequestTimeTooSkewed, https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html), and when it was
 * doubted for ten of them, five are left.
 */
const RESTART_LEAST_MILLISECONDS = 6 * 60_000;

type Observation = CheckEntry | SnapshotEntry;

/**
 * A slot that does not rise is a node behind; one that rises anew for long enough, from further below than a wrong clock
 * explains, is a restarted cluster.
 */
export function objectToSlot(
  { acceptance: { newest }, slotTimeAnchors }: Ledger,
  { slot }: Observation,
): Objection | null {
  if (newest === null || slot > newest.slot) return null;
  const slotMilliseconds = measurePace(slotTimeAnchors) ?? Infinity;
  const isFarBelow = (newest.slot - slot) * slotMilliseconds >= RESTART_LEAST_MILLISECONDS;
  return {
    reason: `slot ${slot} is not above ${newest.slot}, the last accepted one`,
    isLike: isFarBelow ? (doubt) => slot > doubt.slot : null,
  };
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
    isLike: (doubt) => slot > doubt.slot && slot - doubt.slot <= slotsMost(doubt.time),
  };
}

/** In milliseconds a slot; null: not measured. */
function measurePace(anchors: Ledger["slotTimeAnchors"]): number | null {
  const seen = measureSeenSlotMilliseconds(anchors);
  return seen === null ? null : Math.min(seen, SLOT_MOST_MILLISECONDS);
}
