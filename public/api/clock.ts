import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Epoch } from "../../generator/contract/epoch.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { documents } from "./documents.ts";
import { type Resource, useDocument } from "./use-document.ts";

/** Epoch milliseconds by the API's clock, ticking each second; null before the first epoch is read. A reader's clock may be wrong. */
export const apiNow = signal<number | null>(null);

const TICK_MILLISECONDS = 1_000;
let anchor: { time: number; at: number } | null = null;

function setApiTime(time: number): void {
  anchor = { time, at: performance.now() };
  tick();
}

function readerTime(): number {
  return performance.timeOrigin + performance.now();
}

/** Starts the clock; it never stops. */
export function startClock(): void {
  setInterval(() => !document.hidden && tick(), TICK_MILLISECONDS);
  document.addEventListener("visibilitychange", tick);
}

function tick(): void {
  if (anchor !== null) apiNow.value = anchor.time + performance.now() - anchor.at;
}

/** The API reads the cluster as often. */
const EPOCH_MILLISECONDS = 30_000;

/** This epoch. It sets the clock; without it, the reader's clock does. */
export function useEpoch(network: Network): Resource<{ data: Epoch }> {
  const resource = useDocument(documents.epoch(network), { everyMilliseconds: EPOCH_MILLISECONDS });
  const { held, problem } = resource;
  useEffect(() => {
    // A document kept despite a problem has set the clock before.
    if ((held === null) === (problem === null)) return;
    const epoch = held?.document.data;
    const readAt = epoch === undefined ? null : toReadAt(epoch);
    if (epoch !== undefined && readAt !== null) setApiTime(tellsTime(epoch) ? readAt : Math.max(readAt, readerTime()));
    else if (apiNow.peek() === null) setApiTime(readerTime());
  }, [held, problem]);
  return resource;
}

/** When the epoch was read, in epoch milliseconds, by its slot between start and end; null if these are not known. */
export function toReadAt({ epochStartedAt, epochEndsAt, slotIndex, slotsInEpoch }: Epoch): number | null {
  if (epochStartedAt === null || epochEndsAt === null) return null;
  const start = Date.parse(epochStartedAt);
  return start + ((Date.parse(epochEndsAt) - start) * slotIndex) / slotsInEpoch;
}

/** An epoch extrapolated without the cluster stops at its last slot, which no longer gives the time. */
export function tellsTime({ live, slotIndex, slotsInEpoch }: Epoch): boolean {
  return live || slotIndex < slotsInEpoch - 1;
}
