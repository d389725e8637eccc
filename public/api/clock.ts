import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Epoch } from "../../generator/contract/epoch.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { documents } from "./documents.ts";
import { type Resource, useDocument } from "./use-document.ts";

/**
 * Milliseconds by the API's clock, ticking each second; null until a document has told it. Never the reader's own clock, which may be
 * wrong; and the demo tells another time.
 */
export const apiNow = signal<number | null>(null);

const TICK_MILLISECONDS = 1_000;
let anchor: { time: number; at: number } | null = null;

function setApiTime(time: number): void {
  anchor = { time, at: performance.now() };
  tick();
}

/** For where the API cannot tell the time. */
function readerTime(): number {
  return performance.timeOrigin + performance.now();
}

/** Starts the clock, for as long as the page lives. */
export function startClock(): void {
  setInterval(() => !document.hidden && tick(), TICK_MILLISECONDS);
  document.addEventListener("visibilitychange", tick);
}

function tick(): void {
  if (anchor !== null) apiNow.value = anchor.time + performance.now() - anchor.at;
}

/** As often as the API reads the cluster. */
const EPOCH_MILLISECONDS = 30_000;

/** The running epoch, which also sets the clock. Where it cannot tell the time, the reader's clock does. */
export function useEpoch(network: Network): Resource<{ data: Epoch }> {
  const resource = useDocument(documents.epoch(network), { everyMilliseconds: EPOCH_MILLISECONDS });
  const { held, problem } = resource;
  useEffect(() => {
    // What is shown on despite a problem has told the time already.
    if ((held === null) === (problem === null)) return;
    const epoch = held?.document.data;
    const readAt = epoch === undefined ? null : toReadAt(epoch);
    if (epoch !== undefined && readAt !== null) setApiTime(tellsTime(epoch) ? readAt : Math.max(readAt, readerTime()));
    else if (apiNow.peek() === null) setApiTime(readerTime());
  }, [held, problem]);
  return resource;
}

/**
 * When the epoch was read, in milliseconds: the place of its slot between start and end tells it; null where they are not measured.
 */
export function toReadAt({ epochStartedAt, epochEndsAt, slotIndex, slotsInEpoch }: Epoch): number | null {
  if (epochStartedAt === null || epochEndsAt === null) return null;
  const start = Date.parse(epochStartedAt);
  return start + ((Date.parse(epochEndsAt) - start) * slotIndex) / slotsInEpoch;
}

/** An epoch carried on without the cluster stays at its last slot, which tells no time. */
export function tellsTime({ live, slotIndex, slotsInEpoch }: Epoch): boolean {
  return live || slotIndex < slotsInEpoch - 1;
}
