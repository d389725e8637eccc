import type { Entry } from "../../generator/entries/entry.ts";
import { minutes } from "./clock.ts";
import { checkByLists, type ListedRate, panelCheck, panelSnapshot } from "./panels.ts";
import { withA } from "./validators.ts";

/* A panel that agrees for ten minutes on 5 % for A, and what each witness lists of A after that. */

export const OLD = withA(500);
export const RISEN = withA(10_000);
/** As events are described (outcome.ts). */
export const RUG = "RUG 500→10000 in 0";

/** Until the tenth minute: every rate is settled. */
export function agreeing(of: number): Entry[] {
  return [
    panelSnapshot(0, OLD, { of }),
    ...minutes(1, 9).map((minute) => panelCheck(minute, OLD, { of })),
  ];
}

/** The same lists at each minute. */
export function checksByLists(moments: readonly number[], lists: readonly ListedRate[]): Entry[] {
  return moments.map((minute) => checkByLists(minute, lists, OLD));
}
