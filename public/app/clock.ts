import { signal } from "@preact/signals";

/**
 * The time by the clock of the API, in milliseconds; null until a document has told it. Ages and countdowns are by it: the
 * reader's clock may be wrong, and the demo tells of another time. It ticks each second while the page is seen.
 */
export const apiNow = signal<number | null>(null);

const TICK_MILLISECONDS = 1_000;
let anchor: { time: number; at: number } | null = null;

/** What the time was just now, by the API. */
export function setApiTime(time: number): void {
  anchor = { time, at: performance.now() };
  tick();
}

/** The reader's own time: for where the API cannot tell its own any more. */
export function readerTime(): number {
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
