import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Epoch } from "../../generator/contract/epoch.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { documents } from "./documents.ts";
import { type Reading, useDocument } from "./use-document.ts";

/**
 * The time by the clock of the API, in milliseconds; null until a document has told it. Ages and countdowns are by it: the
 * reader's clock may be wrong, and the demo tells of another time. It ticks each second while the page is seen.
 */
export const apiNow = signal<number | null>(null);

const TICK_MILLISECONDS = 1_000;
let anchor: { time: number; at: number } | null = null;

/** What the time was just now, by the API. */
function setApiTime(time: number): void {
  anchor = { time, at: performance.now() };
  tick();
}

/** The reader's own time: for where the API cannot tell its own any more. */
function readerTime(): number {
  return performance.timeOrigin + performance.now();
}

/** Starts the clock; never stopped, for it lives as long as the page. */
export function startClock(): void {
  setInterval(() => !document.hidden && tick(), TICK_MILLISECONDS);
  document.addEventListener("visibilitychange", tick);
}

function tick(): void {
  if (anchor !== null) apiNow.value = anchor.time + performance.now() - anchor.at;
}

/** As often as the API reads the cluster. */
const EPOCH_MILLISECONDS = 30_000;

/**
 * The running epoch, read again while it is shown. It tells the site's clock the time as well. Where it cannot, because it is
 * not measured, cannot be read, or the cluster has not answered for longer than the epoch lasts, the reader's clock does.
 */
export function useEpoch(network: Network): Reading<{ data: Epoch }> {
  const reading = useDocument(documents.epoch(network), { everyMilliseconds: EPOCH_MILLISECONDS });
  const { held, problem } = reading;
  useEffect(() => {
    // What is shown on while it cannot be read anew has told the time already.
    if ((held === null) === (problem === null)) return;
    const epoch = held?.document.data;
    const readAt = epoch === undefined ? null : toReadAt(epoch);
    if (epoch !== undefined && readAt !== null) setApiTime(tellsTime(epoch) ? readAt : Math.max(readAt, readerTime()));
    else if (apiNow.peek() === null) setApiTime(readerTime());
  }, [held, problem]);
  return reading;
}

/**
 * When the epoch was read, in milliseconds by the clock of the API; null: its times are not measured yet. The document does
 * not say it, but where the slot lies between the epoch's start and end does. The reader's own clock may be wrong.
 */
export function toReadAt({ epochStartedAt, epochEndsAt, slotIndex, slotsInEpoch }: Epoch): number | null {
  if (epochStartedAt === null || epochEndsAt === null) return null;
  const start = Date.parse(epochStartedAt);
  return start + ((Date.parse(epochEndsAt) - start) * slotIndex) / slotsInEpoch;
}

/**
 * Whether {@link toReadAt} is when it was read. An epoch that is carried on while the cluster does not answer stays at its last
 * slot, however long that lasts.
 */
export function tellsTime({ live, slotIndex, slotsInEpoch }: Epoch): boolean {
  return live || slotIndex < slotsInEpoch - 1;
}
