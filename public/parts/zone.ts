import { effect, signal } from "@preact/signals";
import { toUtc, toZoned } from "../format/values.ts";
import { withStorage } from "./storage.ts";

const STORAGE_KEY = "rugwatch-times";

/** The reader's time zone instead of UTC. */
export const isLocal = signal(false);

export function followZone(): void {
  isLocal.value = withStorage((storage) => storage.getItem(STORAGE_KEY)) === "local";
  effect(() => {
    const chosen = isLocal.value;
    withStorage((storage) =>
      chosen ? storage.setItem(STORAGE_KEY, "local") : storage.removeItem(STORAGE_KEY),
    );
  });
}

/** Components redraw when the choice changes. */
export function toTimeText(time: string): string {
  return isLocal.value ? toZoned(time, -new Date(time).getTimezoneOffset()) : toUtc(time);
}

/** "2026-11-20", in the reader's zone. */
export function toDayText(time: string): string {
  return toTimeText(time).slice(0, "YYYY-MM-DD".length);
}
