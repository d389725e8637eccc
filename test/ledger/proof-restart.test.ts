import { expect, it } from "vitest";
import type { CheckEntry, Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { panelCheck, panelSnapshot } from "./panel-story.ts";
import { AUTHORITY, setsA, transactions } from "./proof-story.ts";
import { FIRST_EPOCH, slotAt, tell, timeAt, validatorOf, withA } from "./story.ts";

/* A cluster that restarts from a slot of its past: what was signed after that slot never was. */

const authority = AUTHORITY.address;
const RESTARTED_SLOT = slotAt(100);
const rate = withA({ bps: 500 });

/** Of the chain after the restart. */
function after<E extends CheckEntry | SnapshotEntry>(entry: E): E {
  const slot = RESTARTED_SLOT + (Date.parse(entry.time) - Date.parse(timeAt(0))) / 60_000;
  const panel = entry.panel?.map((witness) => ({ ...witness, slot }));
  return { ...entry, slot, epoch: FIRST_EPOCH, ...(panel && { panel }) };
}

const watched: Entry[] = [
  ...[0, 60, 110].map((minute) => panelSnapshot(minute, rate, { of: 1, authority })),
  transactions(111, 1, {
    after: -100,
    upTo: 110.5,
    found: [50, 51, 105, 106].map((minute) => ({ carried: setsA(minute, [minute % 5 === 0 ? 10_000 : 500]) })),
  }),
  panelSnapshot(121, rate, { of: 1, authority }),
];
const insisting = Array.from({ length: 11 }, (_, index) => after(panelCheck(130 + index, rate, { of: 1 })));

it("what was proved of slots that are no more is forgotten, and what was searched", () => {
  const before = tell(...watched);
  expect(validatorOf(before, "A").rateProofs).toHaveLength(4);
  const told = tell(...watched, ...insisting);
  expect(told.ledger.acceptance.newest?.epoch).toBe(FIRST_EPOCH);
  expect(validatorOf(told, "A").rateProofs.map(({ slot }) => slot)).toEqual([slotAt(50), slotAt(51)]);
  expect(validatorOf(told, "A").authorities).toMatchObject([{ key: authority, to: expect.any(Number) as number }]);
  expect(validatorOf(told, "A").authorities[0]?.to).toBeLessThanOrEqual(told.ledger.acceptance.newest?.slot ?? 0);
  expect(told.ledger.searches.size).toBe(0);
});
