import { expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { authoritiesOf, searchesOfSweep } from "../../generator/ledger/searches-due.ts";
import { panelCheck, panelSnapshot } from "./panel-story.ts";
import { AUTHORITY, transactions } from "./proof-story.ts";
import { tell, withA } from "./story.ts";

const EPOCH_MINUTES = 120;

/** Snapshots each hour, two an epoch, and what the sweep is to search with each; how often it came to each authority. */
function sweep(epochs: number, { before }: { before: (minute: number) => Entry[] }): Map<string, number> {
  const entries: Entry[] = [];
  const turns = new Map<string, number>();
  for (let minute = 0; minute < epochs * EPOCH_MINUTES; minute += 60) {
    const by = (minute / 60) % 3;
    entries.push(...before(minute), panelSnapshot(minute, withA({}), { of: 3, by, authority: AUTHORITY.address }));
    const { ledger } = tell(...entries);
    for (const key of authoritiesOf(ledger)) turns.set(key, turns.get(key) ?? 0);
    const due = searchesOfSweep(ledger);
    for (const { authority } of due) turns.set(authority, (turns.get(authority) ?? 0) + 1);
    const searches = due.map(({ authority }) => ({ authority, after: minute - 200, upTo: minute, found: [] }));
    if (due.length > 0) entries.push(transactions(minute + 0.1, 3, ...searches));
  }
  return turns;
}

/** What a check searches for one that changes its commission a minute before each snapshot. */
const searchedForAnEvent = (minute: number): Entry[] =>
  minute === 0
    ? []
    : [
        panelCheck(minute - 1, withA({}), { of: 3 }),
        transactions(minute - 0.9, 3, { after: minute - 200, upTo: minute - 1, found: [] }),
      ];

it("a sweep comes to everybody in time, though one of them is searched just before each of its parts", () => {
  const turns = [...sweep(3, { before: searchedForAnEvent })].filter(([authority]) => authority !== AUTHORITY.address);
  expect(turns.length).toBeGreaterThanOrEqual(9);
  for (const [, count] of turns) expect(count).toBeGreaterThanOrEqual(2);
});

it("a sweep of whom nobody disturbs comes to each once an epoch", () => {
  const turns = [...sweep(3, { before: () => [] }).values()];
  expect(Math.min(...turns)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...turns)).toBeLessThanOrEqual(3);
});
