import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeSchema, SEGMENT_CHANGES, type Change } from "../../generator/contract/change.ts";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import {
  isOlderEdition,
  renderChanges,
  renderChangeSegment,
  toEdition,
  toEventsAsPublished,
} from "../../generator/documents/changes.ts";
import { recordChanges } from "../../generator/service/projection/record-changes.ts";
import { toEventsInOrder } from "../../generator/documents/event-lists.ts";
import { deserialize, serialize } from "../../generator/journal/serialization.ts";
import { appendChange, headOf } from "../../generator/ledger/change-log.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { touchedByIncidents } from "../../generator/views/incidents.ts";
import { createTouched } from "../../generator/ledger/touched.ts";
import { EPOCH, ledgerOf, MOMENT, type EventFacts } from "./fixtures.ts";
import { foldInSteps, type StoryItem } from "../story/fold.ts";
import { oddStory, storyWithHistories, usualStory } from "../story/random/stories.ts";
import { SOAK } from "../soak/soak.ts";

/** What a program has that applied these changes, by event id. */
type Copy = Map<string, CommissionEvent>;

function follow(copy: Copy, changes: readonly Change[]): void {
  for (const { kind, event } of changes) {
    if (copy.has(event.id) === (kind === "event"))
      throw new Error(`${kind} of ${event.id} comes out of turn`);
    if (kind === "withdrawal") copy.delete(event.id);
    else copy.set(event.id, event);
  }
}

function readAll(ledger: Ledger): Change[] {
  const full = ledger.changes.full.flatMap(
    (_, index) => renderChangeSegment(ledger, index + 1)?.data ?? [],
  );
  return [...full, ...renderChanges(ledger).data];
}

function foldAll(items: readonly StoryItem[]): Ledger {
  let ledger = createLedger("mainnet");
  for (const step of foldInSteps(ledger, items)) ledger = step.ledger;
  return ledger;
}

const kinds = new Set<string>();

describe("a program that follows the log", () => {
  it("has after each entry what the API shows, and after a rebuild the same numbers", () => {
    fc.assert(
      fc.property(fc.oneof(usualStory, oddStory, storyWithHistories), (items) => {
        let ledger = createLedger("mainnet");
        const copy: Copy = new Map();
        let after = 0;
        let edition = toEdition(ledger);
        for (const step of foldInSteps(ledger, items)) {
          ledger = step.ledger;
          const head = headOf(ledger.changes);
          const isOther = toEdition(ledger) !== edition;
          expect(step.touched.changesSince).toBe(
            isOther ? 1 : head === after ? Infinity : after + 1,
          );
          edition = toEdition(ledger);
          const news = readAll(ledger).slice(after);
          news.forEach((change, index) => expect(change.seq).toBe(after + index + 1));
          for (const { kind } of news) kinds.add(kind);
          follow(copy, news);
          after = head;
          expect([...copy.values()]).toEqual(toEventsAsPublished(ledger, toEventsInOrder(ledger)));
          expect(copy.size).toBe(ledger.events.length);
        }
        expect(foldAll(items).changes).toEqual(ledger.changes);
      }),
      { numRuns: 10 * SOAK },
    );
    expect([...kinds].sort()).toEqual(["correction", "event", "withdrawal"]);
  });
});

it("fills segments, which stay as they are, in a checkpoint too", () => {
  const [event] = toEventsInOrder(someLedger());
  const ledger = createLedger("mainnet");
  const at = "2026-11-20T00:00:00.000Z";
  for (let seq = 1; seq <= SEGMENT_CHANGES + 1; seq += 1)
    appendChange(ledger.changes, { at, kind: "correction", event: event! });
  expect(renderChangeSegment(ledger, 1)?.data.map(({ seq }) => seq)).toEqual(
    Array.from({ length: SEGMENT_CHANGES }, (_, index) => index + 1),
  );
  expect(renderChangeSegment(ledger, 2)).toBeNull();
  expect(renderChanges(ledger).data.map((change) => changeSchema.parse(change).seq)).toEqual([
    SEGMENT_CHANGES + 1,
  ]);
  expect(headOf(ledger.changes)).toBe(SEGMENT_CHANGES + 1);
  // As a rebuild compares them.
  const kept = deserialize(serialize(ledger.changes), { bytesMax: 1024 * 1024 });
  expect(isDeepStrictEqual(kept, ledger.changes)).toBe(true);
});

it("has the members of an incident whose hour spans several epochs", () => {
  const at = (minute: number) => new Date(Date.parse(MOMENT.time) + minute * 60_000).toISOString();
  const members = Array.from({ length: 10 }, (_, place): EventFacts => {
    const minute = 5 * place;
    const seen = {
      previousSeenAt: at(minute),
      createdAt: at(minute + 1),
      confirmedAt: at(minute + 1),
    };
    const rate = { from: 500, to: 1_000, severity: "INFO" as const };
    return {
      of: `${place}`,
      id: `${place}`,
      ...rate,
      epoch: EPOCH + Math.floor(minute / 20),
      slot: MOMENT.slot + place,
      ...seen,
    };
  });
  const validators = members.map(({ of: name }) => ({ name }));
  const ledgerWith = (events: EventFacts[]) =>
    ledgerOf({ validators, events, epochs: [EPOCH, EPOCH + 1, EPOCH + 2] });
  const { changes } = ledgerWith(members.slice(0, 9));
  const ledger = { ...ledgerWith(members), changes };
  recordChanges(
    { ledger, touched: { ...createTouched(), events: new Set([9]), epochs: new Set([EPOCH + 2]) } },
    at(50),
  );
  const copy: Copy = new Map();
  follow(copy, readAll(ledger));
  expect([...copy.values()]).toEqual(toEventsInOrder(ledger).reverse());
});

it("looks at no incident where no event was touched", () => {
  const members = Array.from({ length: 10 }, (_, place): EventFacts => ({
    of: `${place}`,
    id: `${place}`,
    epoch: EPOCH,
  }));
  const ledger = ledgerOf({
    validators: members.map(({ of: name }) => ({ name })),
    events: members,
  });
  expect(touchedByIncidents(ledger, createTouched()).size).toBe(0);
  expect(touchedByIncidents(ledger, { ...createTouched(), epochs: new Set([EPOCH]) }).size).toBe(
    10,
  );
});

it("makes another edition with each ruling, the newest of which is the newest edition", () => {
  const editions = ["1.9.9", "1.24.0", "1.24.3", "1.24.10", "2.24.0"];
  for (const [place, edition] of editions.entries())
    expect(editions.map((other) => isOlderEdition(other, edition))).toEqual(
      editions.map((_, other) => other < place),
    );
});

function someLedger(): Ledger {
  const ledger = fc
    .sample(usualStory, { numRuns: 20, seed: 1 })
    .map((items) => foldAll(items))
    .find(({ events }) => events.length > 0);
  if (ledger === undefined) throw new Error("no story has an event");
  return ledger;
}
