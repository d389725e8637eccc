import fc from "fast-check";
import { expect, test } from "vitest";
import type { CommissionPoint } from "../../generator/contract/history.ts";
import { allReferences } from "../../generator/documents/references.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { foldHistoryEvents } from "../../generator/ledger/history-events.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { createTouched } from "../../generator/ledger/touched.ts";
import { check, FIRST_EPOCH, keyOf, named, snapshot, tell, withA } from "../ledger/story.ts";
import { history, percents } from "../ledger/told-history.ts";
import { documentOf } from "./fixtures.ts";
import { anyStory } from "./made-up-stories.ts";
import { createRenderAgain, expectTouchedToSuffice } from "./rendered.ts";
import { anyHistory, storyWithHistories } from "./stories-with-histories.ts";

test("rendering only what an entry touched leaves the bytes of rendering everything", () => {
  fc.assert(
    fc.property(anyStory, (entries) => {
      expectTouchedToSuffice(entries);
    }),
    { numRuns: 60 },
  );
});

test("it does so with histories among the entries", () => {
  let eventsTold = 0;
  fc.assert(
    fc.property(storyWithHistories, (entries) => {
      const ledger = expectTouchedToSuffice(entries);
      eventsTold += ledger.events.filter(({ confirmed }) => !confirmed).length;
    }),
    { numRuns: 25 },
  );
  expect(eventsTold).toBeGreaterThan(15);
});

test("it makes no difference when the past before the first observation was read", () => {
  fc.assert(
    fc.property(anyStory, anyHistory({ min: -8, max: -1 }), fc.nat(), (entries, told, place) => {
      const read = { ...history(0, told), time: entries[0]!.time };
      const early = foldAll(entries.toSpliced(1, 0, read));
      const late = foldAll(entries.toSpliced(1 + (place % entries.length), 0, read));
      expect(renderUndated(late.ledger)).toEqual(renderUndated(early.ledger));
    }),
    { numRuns: 60 },
  );
});

test("the profile applies what the commission history applies in the newest epoch", () => {
  fc.assert(
    fc.property(storyWithHistories, (entries) => {
      const { ledger } = foldAll(entries);
      for (const { vote } of ledger.validators) {
        const key = { votePubkey: vote };
        const newest = documentOf(ledger, "commissionHistory", key)?.data.at(-1);
        if (newest?.epoch !== ledger.epochs.at(-1)?.epoch) continue;
        expect(documentOf(ledger, "validator", key)?.data.appliedCommission).toBe(newest?.appliedCommission);
      }
    }),
    { numRuns: 100 },
  );
});

test("every event of a history follows from the whole of the ledger, whatever was touched on the way", () => {
  fc.assert(
    fc.property(storyWithHistories, (entries) => {
      const { ledger } = foldAll(entries);
      const idsOf = () => ledger.events.map(({ id, slot, effectiveEpoch }) => `${id} ${slot} ${effectiveEpoch}`).sort();
      const before = idsOf();
      foldHistoryEvents(ledger, { ...createTouched(), commissions: new Set(ledger.validators.keys()) });
      expect(idsOf()).toEqual(before);
    }),
    { numRuns: 100 },
  );
});

const A = { votePubkey: keyOf("A") };

/** The commission history of A, observed at 5 % in the first epoch of a story of that network and epoch. */
function pointsOf(
  before: number[],
  { network, epoch }: { network: "mainnet" | "testnet" | "alpenglow"; epoch: number },
) {
  const by = epoch - FIRST_EPOCH;
  const first = { ...snapshot(1, withA({ bps: 500 })), network, epoch };
  const read = history(5, { A: percents(...before) });
  const moved: Entry = {
    ...read,
    network,
    epochs: read.epochs.map(([each, slot]) => [each + by, slot]),
    validators: read.validators.map((one) => ({
      ...one,
      points: one.points.map((point) => ({ ...point, epoch: point.epoch + by })),
    })),
  };
  const ledger = foldAll([first, moved], network).ledger;
  return {
    data: documentOf(ledger, "commissionHistory", A)?.data ?? [],
    profile: documentOf(ledger, "validator", A)?.data,
    events: documentOf(ledger, "validatorEvents", A)?.data ?? [],
  };
}

const toPair = ({ commission, appliedCommission }: CommissionPoint) => [commission, appliedCommission];

test.each([
  ["mainnet", 990],
  ["testnet", 953],
] as const)(
  "on %s the epochs before %i paid what they announced, and from then on what stood two epochs before",
  (network, delayedSince) => {
    // Six epochs of the history, of which the last two are delayed already, and the observed one.
    const { data, profile, events } = pointsOf([10, 20, 30, 40, 50, 60], { network, epoch: delayedSince + 2 });
    expect(data.map(toPair)).toEqual([
      [10, 10],
      [20, 20],
      [30, 30],
      [40, 40],
      [50, 30],
      [60, 40],
      [5, 50],
    ]);
    expect(profile?.appliedCommission).toBe(50);
    expect(events.map(({ epoch, effectiveEpoch }) => [epoch - delayedSince, effectiveEpoch! - delayedSince])).toEqual([
      [2, 4],
      [1, 3],
      [0, 2],
      [-1, -1],
      [-2, -2],
      [-3, -3],
    ]);
  },
);

test("on alpenglow commissions were delayed from the first epoch, and the first two are not known", () => {
  const { data } = pointsOf([10, 20, 30], { network: "alpenglow", epoch: 30 });
  expect(data.map(toPair)).toEqual([
    [10, null],
    [20, null],
    [30, 10],
    [5, 20],
  ]);
});

test("an event of a history is effective from the epoch in which the history shows its rate as applied", () => {
  const percent = fc.constantFrom(0, 5, 10, 50, 100);
  fc.assert(
    fc.property(
      fc.array(percent, { minLength: 3, maxLength: 10 }),
      fc.constantFrom(990, 992, 1100),
      (before, epoch) => {
        const { data, events } = pointsOf(before, { network: "mainnet", epoch });
        for (const { effectiveEpoch, toCommission } of events) {
          const applied = data.find((point) => point.epoch === effectiveEpoch);
          if (applied !== undefined) expect(applied.appliedCommission).toBe(toCommission);
        }
      },
    ),
  );
});

test("what was applied when the tracking began is known from the history", () => {
  const first = snapshot(1, withA({ bps: 500 }));
  expect(documentOf(tell(first).ledger, "validator", A)?.data.appliedCommission).toBeNull();
  const { ledger } = tell(first, history(5, { A: percents(100, 7) }));
  expect(documentOf(ledger, "validator", A)?.data).toMatchObject({ commission: 5, appliedCommission: 100 });
});

test("what was applied is not known where nobody saw when between two epochs the rate changed", () => {
  const minute = 5 * 120 + 1;
  const seenAgain = (bps: number) => [
    check(minute, withA({ bps })),
    check(minute + 1, withA({ bps })),
    check(minute + 120, withA({ bps })),
  ];
  const appliedAfter = (bps: number) => {
    const { ledger } = tell(snapshot(1, withA({ bps: 500 })), ...seenAgain(bps));
    const { data } = documentOf(ledger, "commissionHistory", A)!;
    expect(documentOf(ledger, "validator", A)?.data.appliedCommission).toBe(data.at(-1)?.appliedCommission);
    return data.map(({ appliedCommission }) => appliedCommission);
  };
  // Seen in the first epoch and in the last two of seven: the rate at the end of the first to the fifth is what is asked.
  expect(appliedAfter(10_000)).toEqual([null, null, null, null, null, null, null]);
  expect(appliedAfter(500)).toEqual([null, null, 5, 5, 5, 5, 5]);
});

test("a history of MEV that ends unset stays as it was, as everything that is not known does", () => {
  const { ledger } = tell(snapshot(1, withA({})), history(5, { A: [{ at: -3, mev: 800 }] }));
  expect(documentOf(ledger, "commissionHistory", A)?.data.map(({ mevCommission }) => mevCommission)).toEqual([
    8, 8, 8, 8,
  ]);
});

test("rugs of a history count in their epoch, and say how many nobody saw", () => {
  const { ledger } = tell(snapshot(1, withA({ bps: 500 })), history(5, { A: percents(5, 100, 5) }));
  const { data, meta } = documentOf(ledger, "rugsPerEpoch", {})!;
  expect(
    data.map(({ epoch, totalEvents, unconfirmedEvents }) => [epoch - FIRST_EPOCH, totalEvents, unconfirmedEvents]),
  ).toEqual([
    [-3, 0, 0],
    [-2, 1, 1],
    [-1, 0, 0],
    [0, 0, 0],
  ]);
  expect(meta).toMatchObject({
    latestEpoch: FIRST_EPOCH,
    total: 4,
    global: { epochsTracked: 4, totalRuggedValidators: 1 },
  });
  expect(documentOf(ledger, "epochEvents", { epoch: FIRST_EPOCH - 2 })?.data).toMatchObject([
    { severity: "RUG", confirmed: false, createdAt: null, fromCommission: 5, toCommission: 100 },
  ]);
  expect(documentOf(ledger, "epochEvents", { epoch: FIRST_EPOCH - 4 })).toBeNull();
});

test("an event of a history comes after what was seen in its slot", () => {
  const { ledger } = tell(snapshot(0, withA({ bps: 500 })), history(5, { A: percents(20) }));
  const [event] = ledger.events;
  ledger.events.push({ ...event!, id: "seen", createdAt: "2026-11-20T10:00:00.000Z", confirmed: true });
  expect(documentOf(ledger, "events", {})?.data.map(({ confirmed }) => confirmed)).toEqual([true, false]);
});

function foldAll(entries: readonly Entry[], network: Ledger["network"] = "mainnet"): { ledger: Ledger } {
  return entries.reduce<{ ledger: Ledger }>(({ ledger }, entry) => fold(ledger, named(entry)), {
    ledger: createLedger(network),
  });
}

/** All documents but for when the list last changed: it says when the history was read. */
function renderUndated(ledger: Ledger): Map<string, string> {
  const documents = createRenderAgain(ledger)(allReferences(ledger));
  return new Map(documents.map(([key, text]) => [key, text.replaceAll(/"updatedAt":"[^"]*"/g, '"updatedAt":"…"')]));
}
