import fc from "fast-check";
import { expect, test } from "vitest";
import { SEVERITIES, SOURCES } from "../../generator/contract/event.ts";
import { documentOf, EPOCH, ledgerOf, MOMENT, voteOf, type EventFacts } from "./fixtures.ts";

const validators = [{ name: "one" }, { name: "two" }, { name: "three" }];
const byVote = [...validators.map(({ name }) => name)].sort((a, b) => (voteOf(a) < voteOf(b) ? -1 : 1));
const [lowest, middle, highest] = byVote as [string, string, string];

const anyEvent: fc.Arbitrary<EventFacts> = fc.record({
  of: fc.constantFrom(...byVote),
  severity: fc.constantFrom(...SEVERITIES),
  source: fc.constantFrom(...SOURCES),
  epoch: fc.integer({ min: EPOCH - 14, max: EPOCH }),
  slot: fc.integer({ min: 1, max: 6 }),
  createdAt: fc.constantFrom(null, "2026-11-20T10:00:00.000Z", "2026-11-20T10:01:00.000Z"),
});
const epochs = Array.from({ length: 15 }, (_, index) => EPOCH - 14 + index);

test("of what one observation shows, the later epoch is the newer event", () => {
  const off = { id: "off", of: lowest, source: "MEV" as const, slot: 5, epoch: EPOCH - 1 };
  const on = { id: "on", of: lowest, source: "MEV" as const, slot: 5, epoch: EPOCH };
  const newestFirst = documentOf(ledgerOf({ validators, events: [off, on] }), "events", {});
  expect(newestFirst?.data.map(({ id }) => id)).toEqual(["on", "off"]);
});

test("events are ordered by slot, then time, newest first, then by vote account and source", () => {
  const later = "2026-11-20T10:00:30.000Z";
  const ledger = ledgerOf({
    validators,
    events: [
      { id: "g", of: highest, slot: 5, createdAt: null },
      { id: "e", of: middle, slot: 5, source: "MEV" },
      { id: "f", of: highest, slot: 5 },
      { id: "d", of: middle, slot: 5 },
      { id: "c", of: lowest, slot: 5 },
      { id: "b", of: highest, slot: 5, createdAt: later },
      { id: "a", of: highest, slot: 6, createdAt: null },
    ],
  });
  expect(
    documentOf(ledger, "events", {})
      ?.data.map(({ id }) => id)
      .join(""),
  ).toBe("abcdefg");
});

test("the order of events does not depend on the order of their confirmation", () => {
  const distinct = fc.uniqueArray(anyEvent, {
    selector: ({ of, source, slot, createdAt }) => `${of} ${source} ${slot} ${createdAt}`,
    maxLength: 12,
  });
  fc.assert(
    fc.property(
      distinct.chain((events) =>
        fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
      ),
      ([events, shuffled]) => {
        const inOrder = (some: EventFacts[]) =>
          documentOf(
            ledgerOf({ validators, epochs, events: some.map((each) => ({ ...each, id: JSON.stringify(each) })) }),
            "events",
            {},
          );
        expect(inOrder(shuffled)).toEqual(inOrder(events));
      },
    ),
  );
});

test("an event shows percent, its difference in points, and the validator's name of today", () => {
  const ledger = ledgerOf({
    validators: [{ name: "one", vote: voteOf("one") }],
    events: [{ of: "one", from: 725, to: 9950 }],
  });
  expect(documentOf(ledger, "validatorEvents", { votePubkey: voteOf("one") })?.data).toEqual([
    {
      id: "event 0",
      votePubkey: voteOf("one"),
      validatorName: "one",
      severity: "RUG",
      source: "COMMISSION",
      fromCommission: 7.25,
      toCommission: 99.5,
      fromDisabled: false,
      toDisabled: false,
      delta: 92.25,
      epoch: EPOCH,
      createdAt: MOMENT.time,
      slot: MOMENT.slot,
      previousSlot: MOMENT.slot - 150,
      previousSeenAt: MOMENT.time,
      effectiveEpoch: EPOCH + 2,
      confirmed: true,
      effectiveEpochLatest: EPOCH + 2,
      effectiveEpochFinal: false,
      confirmedBy: "account",
      transaction: null,
      supersededBy: null,
      replacedBy: null,
    },
  ]);
});

test.each([
  {
    from: "disabled" as const,
    to: 9000,
    shown: { fromCommission: null, toCommission: 90, fromDisabled: true, toDisabled: false, delta: null },
  },
  {
    from: 800,
    to: "disabled" as const,
    shown: { fromCommission: 8, toCommission: null, fromDisabled: false, toDisabled: true, delta: null },
  },
  {
    from: 1000,
    to: 0,
    shown: { fromCommission: 10, toCommission: 0, fromDisabled: false, toDisabled: false, delta: -10 },
  },
])("MEV from $from to $to is shown with what is known of both sides", ({ from, to, shown }) => {
  const ledger = ledgerOf({ validators, events: [{ of: "one", source: "MEV", from, to }] });
  expect(documentOf(ledger, "events", {})?.data[0]).toMatchObject(shown);
});

test("a validator's events are its own, and all of them", () => {
  const ledger = ledgerOf({
    validators,
    events: [{ of: "one", epoch: 900 }, { of: "two" }, { of: "one", source: "MEV" }],
  });
  const document = documentOf(ledger, "validatorEvents", { votePubkey: voteOf("one") });
  expect(document?.data.map(({ id }) => id).sort()).toEqual(["event 0", "event 2"]);
  expect(document?.meta).toEqual({ network: "mainnet", total: 2, votePubkey: voteOf("one") });
});

test("the feed covers the ten newest epochs, the index the fifty newest", () => {
  const events = [0, 9, 10, 49, 50].map((ago) => ({
    of: "one",
    epoch: EPOCH - ago,
    slot: 1000 - ago,
    id: `${ago} ago`,
  }));
  const ledger = ledgerOf({ validators, events });
  const feed = documentOf(ledger, "events", {});
  expect(feed?.data.map(({ id }) => id)).toEqual(["0 ago", "9 ago"]);
  expect(feed?.meta).toEqual({ network: "mainnet", total: 2, latestEpoch: EPOCH, epochs: 10, severity: null });
  expect(documentOf(ledger, "index", {})?.events.map(({ id }) => id)).toEqual(["0 ago", "9 ago", "10 ago", "49 ago"]);
});

test("an epoch lists of each validator and source the newest RUG only", () => {
  const ledger = ledgerOf({
    validators,
    events: [
      { id: "first", of: "one", slot: 1 },
      { id: "again", of: "one", slot: 3 },
      { id: "MEV", of: "one", slot: 2, source: "MEV" },
      { id: "no rug", of: "two", slot: 4, severity: "CAUTION" },
      { id: "another", of: "three", slot: 5 },
      { id: "before", of: "two", slot: 0, epoch: EPOCH - 1 },
    ],
  });
  const document = documentOf(ledger, "epochEvents", { epoch: EPOCH });
  expect(document?.data.map(({ id }) => id)).toEqual(["another", "again", "MEV"]);
  expect(document?.meta).toEqual({ network: "mainnet", epoch: EPOCH, total: 3, uniqueValidators: 2 });
});

test("a tracked epoch without a RUG is an empty list, an epoch not tracked is no document", () => {
  const ledger = ledgerOf({ validators });
  expect(documentOf(ledger, "epochEvents", { epoch: EPOCH })?.data).toEqual([]);
  expect(documentOf(ledger, "epochEvents", { epoch: EPOCH + 1 })).toBeNull();
});

test("RUG events are counted by epoch, and their validators once", () => {
  const ledger = ledgerOf({
    validators,
    epochs: [1098, 1099, 1100],
    events: [
      { of: "one", epoch: 1098 },
      { of: "one", epoch: 1100 },
      { of: "one", epoch: 1100, slot: 2 },
      { of: "one", epoch: 1100, source: "MEV" },
      { of: "two", epoch: 1100, source: "MEV" },
      { of: "three", epoch: 1100, severity: "INFO" },
    ],
  });
  const document = documentOf(ledger, "rugsPerEpoch", {});
  expect(document?.data.map((row) => Object.values(row))).toEqual([
    [1098, 1, 1, 0, 1, 0, 1, 0, 0],
    [1099, 0, 0, 0, 0, 0, 0, 0, 0],
    [1100, 2, 2, 2, 4, 0, 1, 2, 1],
  ]);
  expect(document?.meta).toEqual({
    network: "mainnet",
    latestEpoch: 1100,
    epochs: 10,
    offset: 0,
    total: 3,
    global: {
      totalRuggedValidators: 2,
      repeatOffenders: 1,
      epochsTracked: 3,
      peakEpoch: 1100,
      peakValidators: 2,
      averagePerEpoch: 1,
      commissionEvents: 3,
      mevEvents: 2,
    },
  });
});

test("of epochs with equally many rugged validators the newest is the peak, and without a RUG there is none", () => {
  const events = [{ of: "one", epoch: EPOCH - 1 }, { of: "two" }];
  expect(documentOf(ledgerOf({ validators, events }), "index", {})?.rugsGlobal.peakEpoch).toBe(EPOCH);
  expect(documentOf(ledgerOf({ validators }), "index", {})?.rugsGlobal).toMatchObject({
    peakEpoch: null,
    peakValidators: 0,
  });
});

test("the page shows the ten newest epochs, the index all of them", () => {
  const ledger = ledgerOf({ validators, epochs });
  const page = documentOf(ledger, "rugsPerEpoch", {});
  expect(page?.data.map(({ epoch }) => epoch)).toEqual(epochs.slice(-10));
  expect(documentOf(ledger, "index", {})?.rugsPerEpoch.map(({ epoch }) => epoch)).toEqual(epochs);
});

test("the totals of every list of events are the totals of its parts", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 25 }), (events) => {
      const ledger = ledgerOf({ validators, events, epochs });
      const isRug = ({ severity }: { severity?: string }) => severity === "RUG";
      const rows = documentOf(ledger, "index", {})?.rugsPerEpoch ?? [];
      const global = documentOf(ledger, "rugsPerEpoch", {})?.meta.global;
      const sum = (field: "totalEvents" | "commissionEvents" | "mevEvents") =>
        rows.reduce((total, row) => total + row[field], 0);
      expect(sum("totalEvents")).toBe(events.filter(isRug).length);
      expect(global?.commissionEvents).toBe(sum("commissionEvents"));
      expect(global?.mevEvents).toBe(sum("mevEvents"));
      expect(global?.totalRuggedValidators).toBe(new Set(events.filter(isRug).map(({ of }) => of)).size);
      for (const { epoch, uniqueValidators, totalEvents, commissionEvents, mevEvents, ...votes } of rows) {
        const document = documentOf(ledger, "epochEvents", { epoch });
        expect(totalEvents).toBe(commissionEvents + mevEvents);
        expect(uniqueValidators).toBe(votes.commissionValidators + votes.mevValidators - votes.bothTypes);
        expect(document?.meta).toMatchObject({
          uniqueValidators,
          total: votes.commissionValidators + votes.mevValidators,
        });
      }
      const ofEach = byVote.map(
        (name) => documentOf(ledger, "validatorEvents", { votePubkey: voteOf(name) })?.meta.total ?? 0,
      );
      expect(ofEach.reduce((total, count) => total + count, 0)).toBe(events.length);
    }),
    { numRuns: 60 },
  );
});
