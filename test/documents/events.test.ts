import fc from "fast-check";
import { expect, test } from "vitest";
import { SEVERITIES, SOURCES } from "../../generator/contract/event.ts";
import { EPOCH, ledgerOf, MOMENT, transactionOf, voteOf, type EventFacts } from "./fixtures.ts";
import { documentOf, read } from "./read.ts";
import { SOAK } from "../soak/soak.ts";

const names = ["one", "two", "three"];
const validators = names.map((name) => ({ name }));
const byVote = names.toSorted((a, b) => (voteOf(a) < voteOf(b) ? -1 : 1));
const [lowest, middle, highest] = byVote as [string, string, string];
const epochs = Array.from({ length: 15 }, (_, index) => EPOCH - 14 + index);
const ledgerWith = (...events: EventFacts[]) => ledgerOf({ validators, events, epochs });
const idsOf = (document: { data: { id: string }[] }) => document.data.map(({ id }) => id);
const listed = (...events: EventFacts[]) => idsOf(read(ledgerWith(...events), "events", {}));

const anyEvent: fc.Arbitrary<EventFacts> = fc.record({
  of: fc.constantFrom(...byVote),
  severity: fc.constantFrom(...SEVERITIES),
  source: fc.constantFrom(...SOURCES),
  epoch: fc.integer({ min: EPOCH - 14, max: EPOCH }),
  slot: fc.integer({ min: 1, max: 6 }),
  createdAt: fc.constantFrom(null, "2026-11-20T10:00:00.000Z", "2026-11-20T10:01:00.000Z"),
});

test("events are ordered by slot, then time, newest first, then by vote account and source", () => {
  const inOrder = listed(
    { id: "g", of: highest, slot: 5, createdAt: null },
    { id: "e", of: middle, slot: 5, source: "MEV" },
    { id: "f", of: highest, slot: 5 },
    { id: "d", of: middle, slot: 5 },
    { id: "c", of: lowest, slot: 5 },
    { id: "b", of: highest, slot: 5, createdAt: "2026-11-20T10:00:30.000Z" },
    { id: "a", of: highest, slot: 6, createdAt: null },
  );
  expect(inOrder).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
});

test("of what one observation shows, the later epoch is the newer event", () => {
  const [off, on] = [EPOCH - 1, EPOCH].map((epoch) => ({
    id: `${epoch}`,
    of: lowest,
    slot: 5,
    epoch,
  }));
  expect(listed(off!, on!)).toEqual([`${EPOCH}`, `${EPOCH - 1}`]);
});

test("an event shows percent, its difference in points, and the validator's name of today", () => {
  const { data, meta } = read(
    ledgerWith(
      { of: "one", from: 725, to: 9950 },
      { of: "two" },
      { id: "old", of: "one", source: "MEV", epoch: 900, slot: 1 },
    ),
    "validatorEvents",
    { votePubkey: voteOf("one") },
  );
  expect(meta).toEqual({ network: "mainnet", total: 2, votePubkey: voteOf("one") });
  expect(data[1]?.id).toBe("old");
  expect(data[0]).toEqual({
    ...{
      id: "event 0",
      votePubkey: voteOf("one"),
      validatorName: "one",
      severity: "RUG",
      source: "COMMISSION",
    },
    ...{
      fromCommission: 7.25,
      toCommission: 99.5,
      fromDisabled: false,
      toDisabled: false,
      delta: 92.25,
    },
    ...{
      epoch: EPOCH,
      createdAt: MOMENT.time,
      slot: MOMENT.slot,
      confirmed: true,
      confirmedBy: "account",
    },
    ...{ previousSlot: MOMENT.slot - 150, previousSeenAt: MOMENT.time },
    ...{ effectiveEpoch: EPOCH + 2, effectiveEpochLatest: EPOCH + 2, effectiveEpochFinal: false },
    ...{ transaction: null, supersededBy: null, replacedBy: null, pattern: null, incident: null },
    ...{ cost: null, mevCost: null },
  });
});

test.each([
  { from: "disabled", to: 9000, fromCommission: null, toCommission: 90, delta: null },
  { from: 800, to: "disabled", fromCommission: 8, toCommission: null, delta: null },
  { from: 1000, to: 0, fromCommission: 10, toCommission: 0, delta: -10 },
] as const)(
  "MEV from $from to $to is shown with what is known of both sides",
  ({ from, to, ...shown }) => {
    const { data } = read(ledgerWith({ of: "one", source: "MEV", from, to }), "events", {});
    expect(data[0]).toMatchObject({
      ...shown,
      fromDisabled: from === "disabled",
      toDisabled: to === "disabled",
    });
  },
);

test("its transaction is shown with every step in percent, none above what the runtime takes", () => {
  const steps = [10_000, 65_535, 0].map((basisPoints, index) => {
    return {
      signature: voteOf(`step ${index}`).repeat(2),
      slot: MOMENT.slot - 9 + index,
      basisPoints,
    };
  });
  const transaction = transactionOf(0, { steps, blockTime: null, verified: "witnesses" });
  const shown = steps.map(({ signature, slot }, index) => ({
    signature,
    slot,
    commission: [100, 100, 0][index],
  }));
  const { data } = read(ledgerWith({ of: "one", to: 0, transaction }), "events", {});
  expect(data[0]?.transaction).toEqual({ ...transaction, verifiedBy: "witnesses", steps: shown });
});

test("the list covers the ten newest epochs, the index the fifty newest", () => {
  const at = (ago: number) => ({
    id: `${ago} ago`,
    of: "one",
    epoch: EPOCH - ago,
    slot: 1000 - ago,
  });
  const ledger = ledgerWith(...[0, 9, 10, 49, 50].map(at));
  const list = read(ledger, "events", {});
  expect(idsOf(list)).toEqual(["0 ago", "9 ago"]);
  expect(list.meta).toEqual({
    network: "mainnet",
    total: 2,
    validators: [expect.objectContaining({ rank: 1 })],
    latestEpoch: EPOCH,
    epochs: 10,
    severity: null,
  });
  expect(idsOf({ data: read(ledger, "index", {}).events })).toEqual([
    "0 ago",
    "9 ago",
    "10 ago",
    "49 ago",
  ]);
});

test("an epoch lists of each validator and source the newest RUG only", () => {
  const ledger = ledgerWith(
    { id: "first", of: "one", slot: 1 },
    { id: "again", of: "one", slot: 3 },
    { id: "MEV", of: "one", slot: 2, source: "MEV" },
    { id: "no rug", of: "two", slot: 4, severity: "CAUTION" },
    { id: "another", of: "three", slot: 5 },
    { id: "before", of: "two", slot: 0, epoch: EPOCH - 1 },
  );
  const document = read(ledger, "epochEvents", { epoch: EPOCH });
  expect(idsOf(document)).toEqual(["another", "again", "MEV"]);
  expect(document.meta).toEqual({
    network: "mainnet",
    epoch: EPOCH,
    total: 3,
    uniqueValidators: 2,
  });
  expect(read(ledger, "epochEvents", { epoch: EPOCH - 2 }).data).toEqual([]);
  expect(documentOf(ledger, "epochEvents", { epoch: EPOCH + 1 })).toBeNull();
});

test("an event whose steps are events of their own is in the lists, but no RUG of its epoch nor of the statistics", () => {
  const ledger = ledgerWith(
    { id: "seen", of: "one", replacedBy: "up again", supersededBy: "up again" },
    { id: "up", of: "one", epoch: EPOCH - 1, slot: MOMENT.slot - 7, isSwept: true },
    { id: "down", of: "one", slot: MOMENT.slot - 6, isSwept: true, to: 0, severity: "INFO" },
    { id: "up again", of: "one", slot: MOMENT.slot - 5, isSwept: true, from: 0 },
  );
  for (const list of [
    read(ledger, "events", {}),
    read(ledger, "validatorEvents", { votePubkey: voteOf("one") }),
  ]) {
    expect(idsOf(list)).toEqual(["seen", "up again", "down", "up"]);
    expect(list.data.map(({ replacedBy }) => replacedBy)).toEqual(["up again", null, null, null]);
  }
  expect(idsOf(read(ledger, "epochEvents", { epoch: EPOCH }))).toEqual(["up again"]);
  const { data, meta } = read(ledger, "rugsPerEpoch", {});
  expect(data.slice(-2).map(({ totalEvents }) => totalEvents)).toEqual([1, 1]);
  expect(meta.global).toMatchObject({
    commissionEvents: 2,
    totalRuggedValidators: 1,
    repeatOffenders: 1,
  });
});

test("RUG events are counted by epoch, and their validators once", () => {
  const events: EventFacts[] = [
    { of: "one", epoch: 1098 },
    { of: "one" },
    { of: "one", slot: 2 },
    { of: "one", source: "MEV" },
    { of: "two", source: "MEV" },
    { of: "three", severity: "INFO" },
  ];
  const { data, meta } = read(
    ledgerOf({ validators, epochs: [1098, 1099, 1100], events }),
    "rugsPerEpoch",
    {},
  );
  expect(data.map((row) => Object.values(row).join(" "))).toEqual([
    ...["1098 1 1 0 1 0 1 0 0 ", "1099 0 0 0 0 0 0 0 0 0", "1100 2 2 2 4 0 1 2 1 "],
  ]);
  expect(meta).toMatchObject({
    ...{ network: "mainnet", latestEpoch: 1100, epochs: 10, offset: 0, total: 3 },
    global: {
      ...{ totalRuggedValidators: 2, repeatOffenders: 1, epochsTracked: 3, averagePerEpoch: 1 },
      ...{ peakEpoch: 1100, peakValidators: 2, commissionEvents: 3, mevEvents: 2 },
    },
  });
});

test("of epochs with equally many rugged validators the newest is the peak, and without a RUG there is none", () => {
  const globalOf = (...events: EventFacts[]) => read(ledgerWith(...events), "index", {}).rugsGlobal;
  expect(globalOf({ of: "one", epoch: EPOCH - 1 }, { of: "two" }).peakEpoch).toBe(EPOCH);
  expect(globalOf()).toMatchObject({ peakEpoch: null, peakValidators: 0 });
});

test("the totals of every list of events are the totals of its parts", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 25 }), (events) => {
      const ledger = ledgerWith(...events);
      const rugs = events.filter(({ severity }) => severity === "RUG");
      const { rugsPerEpoch: rows, rugsGlobal } = read(ledger, "index", {});
      const sum = (field: "totalEvents" | "commissionEvents" | "mevEvents") =>
        rows.reduce((total, row) => total + row[field], 0);
      expect(sum("totalEvents")).toBe(rugs.length);
      expect(rugsGlobal).toMatchObject({
        ...{ commissionEvents: sum("commissionEvents"), mevEvents: sum("mevEvents") },
        totalRuggedValidators: new Set(rugs.map(({ of }) => of)).size,
      });
      for (const {
        epoch,
        uniqueValidators,
        totalEvents,
        commissionEvents,
        mevEvents,
        ...votes
      } of rows) {
        const total = votes.commissionValidators + votes.mevValidators;
        expect(totalEvents).toBe(commissionEvents + mevEvents);
        expect(uniqueValidators).toBe(total - votes.bothTypes);
        expect(read(ledger, "epochEvents", { epoch }).meta).toMatchObject({
          uniqueValidators,
          total,
        });
      }
      const ofEach = names.map(
        (name) => read(ledger, "validatorEvents", { votePubkey: voteOf(name) }).meta.total,
      );
      expect(ofEach.reduce((total, count) => total + count, 0)).toBe(events.length);
    }),
    { numRuns: 30 * SOAK },
  );
});
