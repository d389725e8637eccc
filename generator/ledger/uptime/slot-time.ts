import type { AgreedSnapshot } from "../../agree/agree.ts";
import type { SlotTimeAnchor } from "../ledger.ts";
import { memoizeObject } from "../memoize.ts";
import type { Step } from "../step.ts";

/** An hour of snapshots: enough to be steady, short enough to forget a change soon. */
const ANCHORS_KEPT = 7;
/** Nodes may differ by a hundred slots, which distorts a shorter span too much. */
const SPAN_LEAST_MILLISECONDS = 5 * 60_000;
/** A span further from the median means a halted cluster or a lying node. */
const UNUSUAL_FACTOR = 1.5;

interface Span {
  milliseconds: number;
  slots: number;
}

/**
 * Adds the snapshot as an anchor and keeps the newest. An anchor that followed another too closely
 * gives way to the next, and anchors at or above the snapshot's slot are dropped.
 */
export function foldSlotTime(step: Step, entry: AgreedSnapshot): void {
  const { ledger } = step;
  const { time, epoch, absoluteSlot } = entry;
  const rising = ledger.slotTimeAnchors.filter((anchor) => anchor.absoluteSlot < absoluteSlot);
  const [last] = toSpans(rising.slice(-2));
  const spaced =
    last !== undefined && last.milliseconds < SPAN_LEAST_MILLISECONDS
      ? rising.slice(0, -1)
      : rising;
  ledger.slotTimeAnchors = [
    ...spaced,
    { time, epoch, absoluteSlot, sampled: measureSamples(entry) },
  ].slice(-ANCHORS_KEPT);
}

/**
 * Milliseconds a slot; null: too few snapshots. The target changes only with an epoch (SIMD-0525),
 * so the running epoch counts first.
 */
export function measureSlotMilliseconds(anchors: readonly SlotTimeAnchor[]): number | null {
  const newest = anchors.at(-1);
  if (newest === undefined) return null;
  const { sampled } = newest;
  const ofEpoch = anchors.filter(({ epoch }) => epoch === newest.epoch);
  return (
    measure(toSpans(ofEpoch).filter(isLong)) ??
    (sampled?.ofEpoch === true ? sampled.slotMilliseconds : null) ??
    measure(toSpans(anchors).filter(isLong)) ??
    sampled?.slotMilliseconds ??
    null
  );
}

/** The same from snapshots alone: a node's samples must not decide whether others are accepted. */
export const measureSeenSlotMilliseconds = memoizeObject(
  (anchors: readonly SlotTimeAnchor[]): number | null => measure(toSpans(anchors).filter(isLong)),
);

/**
 * Spans between neighbours, or between any two if times go back: a clock agrees only with itself.
 */
function toSpans(anchors: readonly SlotTimeAnchor[]): Span[] {
  const isRising = anchors.every(({ time }, index) => (anchors[index - 1]?.time ?? "") < time);
  return anchors.flatMap((end, index) =>
    anchors
      .slice(isRising ? Math.max(0, index - 1) : 0, index)
      .map((start) => ({
        milliseconds: Date.parse(end.time) - Date.parse(start.time),
        slots: end.absoluteSlot - start.absoluteSlot,
      })),
  );
}

function isLong({ milliseconds }: Span): boolean {
  return milliseconds >= SPAN_LEAST_MILLISECONDS;
}

function measureSamples({
  slotSamples,
  absoluteSlot,
  slotIndex,
}: AgreedSnapshot): SlotTimeAnchor["sampled"] {
  if (slotSamples.state !== "ok") return null;
  const firstSlot = absoluteSlot - slotIndex;
  const ofEpoch = slotSamples.value.filter(([slot, numSlots]) => slot - numSlots >= firstSlot);
  const slotMilliseconds = measure((ofEpoch.length > 0 ? ofEpoch : slotSamples.value).map(toSpan));
  return slotMilliseconds === null ? null : { slotMilliseconds, ofEpoch: ofEpoch.length > 0 };
}

function toSpan([, slots, periodSeconds]: [
  slot: number,
  numSlots: number,
  samplePeriodSeconds: number,
]): Span {
  return { milliseconds: periodSeconds * 1000, slots };
}

function measure(spans: readonly Span[]): number | null {
  const moving = spans.filter(({ slots }) => slots > 0);
  const usual = moving.map(toSlotMilliseconds).sort((a, b) => a - b)[
    Math.floor((moving.length - 1) / 2)
  ];
  if (usual === undefined) return null;
  const alike = moving.filter((span) => {
    const slotMilliseconds = toSlotMilliseconds(span);
    return slotMilliseconds <= usual * UNUSUAL_FACTOR && slotMilliseconds >= usual / UNUSUAL_FACTOR;
  });
  const total = alike.reduce(
    (sum, { milliseconds, slots }) => ({
      milliseconds: sum.milliseconds + milliseconds,
      slots: sum.slots + slots,
    }),
    { milliseconds: 0, slots: 0 },
  );
  const rounded = Math.round(toSlotMilliseconds(total) * 1000) / 1000;
  return rounded > 0 ? rounded : null;
}

function toSlotMilliseconds({ milliseconds, slots }: Span): number {
  return milliseconds / slots;
}
