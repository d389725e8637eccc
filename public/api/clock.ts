import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Epoch } from "../../generator/contract/epoch.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { documents } from "./documents.ts";
import { type Resource, useDocument } from "./use-document.ts";

/** Epoch milliseconds; a reader's clock may be wrong. */
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

export function startClock(): void {
  setInterval(() => !document.hidden && tick(), TICK_MILLISECONDS);
  document.addEventListener("visibilitychange", tick);
}

function tick(): void {
  if (anchor !== null) apiNow.value = anchor.time + performance.now() - anchor.at;
}

/** The API reads the cluster as often. */
const EPOCH_MILLISECONDS = 30_000;

/** Also sets the clock. */
export function useEpoch(network: Network): Resource<{ data: Epoch }> {
  const resource = useDocument(documents.epoch(network), { everyMilliseconds: EPOCH_MILLISECONDS });
  const { held, problem } = resource;
  useEffect(() => {
    if ((held === null) === (problem === null)) return;
    const epoch = held?.document.data;
    const readAt = epoch === undefined ? null : toReadAt(epoch);
    if (held !== null && epoch !== undefined && readAt !== null) {
      const now = readAt + performance.now() - held.readAt;
      setApiTime(tellsTime(epoch) ? now : Math.max(now, readerTime()));
    }
    if (apiNow.peek() === null) setApiTime(readerTime());
  }, [held, problem]);
  return resource;
}

export function toReadAt({
  epochStartedAt,
  epochEndsAt,
  slotIndex,
  slotsInEpoch,
}: Epoch): number | null {
  if (epochStartedAt === null || epochEndsAt === null) return null;
  const start = Date.parse(epochStartedAt);
  return start + ((Date.parse(epochEndsAt) - start) * slotIndex) / slotsInEpoch;
}

/** Without the cluster, an extrapolated epoch stops at its last slot. */
export function tellsTime({ live, slotIndex, slotsInEpoch }: Epoch): boolean {
  return live || slotIndex < slotsInEpoch - 1;
}
