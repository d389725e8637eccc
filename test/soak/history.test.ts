import fc from "fast-check";
import { expect, test } from "vitest";
import type { Network } from "../../generator/contract/networks.ts";
import { allReferences } from "../../generator/documents/references.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { foldHistoryEvents } from "../../generator/ledger/history-events.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { createTouched } from "../../generator/ledger/touched.ts";
import { oddStory } from "../ledger/odd-stories.ts";
import { check, FIRST_EPOCH, keyOf, named, snapshot, tell, withA } from "../ledger/story.ts";
import { history, percents } from "../ledger/told-history.ts";
import { documentOf, read } from "../documents/fixtures.ts";
import { anyStory } from "../documents/made-up-stories.ts";
import { createRenderAgain, expectTouchedToSuffice } from "../documents/rendered.ts";
import { anyHistory, storyWithHistories } from "../documents/stories-with-histories.ts";

const A = { votePubkey: keyOf("A") };
const first = snapshot(1, withA());
const foldAll = (entries: readonly Entry[], network: Network = "mainnet"): Ledger =>
  entries.reduce((held, entry) => fold(held, named(entry)).ledger, createLedger(network));

test("rendering only what an entry touched leaves the bytes of rendering everything", () => {
  fc.assert(
    fc.property(fc.oneof(anyStory, oddStory), (entries) => {
      expectTouchedToSuffice(entries);
    }),
    { numRuns: 80 },
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
  /** All documents except the list's `updatedAt`, which depends on when the history was read. */
  const renderUndated = (ledger: Ledger) =>
    createRenderAgain(ledger)(allReferences(ledger)).map(([key, text]) => [
      key,
      text?.replaceAll(/"updatedAt":"[^"]*"/g, '"updatedAt":"…"'),
    ]);
  fc.assert(
    fc.property(anyStory, anyHistory({ min: -8, max: -1 }), fc.nat(), (entries, told, place) => {
      const past = { ...history(0, told), time: entries[0]!.time };
      const [early, late] = [1, 1 + (place % entries.length)].map((at) => foldAll(entries.toSpliced(at, 0, past)));
      expect(Object.fromEntries(renderUndated(late!))).toEqual(Object.fromEntries(renderUndated(early!)));
    }),
    { numRuns: 60 },
  );
});

test("the profile applies what the commission history applies, and every event of a history follows from the whole", () => {
  fc.assert(
    fc.property(storyWithHistories, (entries) => {
      const ledger = foldAll(entries);
      for (const { vote } of ledger.validators) {
        const key = { votePubkey: vote };
        const newest = documentOf(ledger, "commissionHistory", key)?.data.at(-1);
        if (newest?.epoch !== ledger.epochs.at(-1)?.epoch) continue;
        expect(read(ledger, "validator", key).data.appliedCommission).toBe(newest?.appliedCommission);
      }
      const idsOf = () => ledger.events.map(({ id, slot, effectiveEpoch }) => `${id} ${slot} ${effectiveEpoch}`).sort();
      const before = idsOf();
      foldHistoryEvents(ledger, { ...createTouched(), commissions: new Set(ledger.validators.keys()) });
      expect(idsOf()).toEqual(before);
    }),
    { numRuns: 100 },
  );
});

function toldOf(before: number[], { network, epoch }: { network: Network; epoch: number }) {
  const by = epoch - FIRST_EPOCH;
  const told = history(5, { A: percents(...before) });
  const validators = told.validators.map((one) => {
    return { ...one, points: one.points.map((point) => ({ ...point, epoch: point.epoch + by })) };
  });
  const epochs = told.epochs.map(([each, slot]): [number, number] => [each + by, slot]);
  const ledger = foldAll(
    [
      { ...first, network, epoch },
      { ...told, network, epochs, validators },
    ],
    network,
  );
  const { data } = read(ledger, "commissionHistory", A);
  return {
    data,
    pairs: data.map(({ commission, appliedCommission }) => `${commission} ${appliedCommission}`),
    applied: read(ledger, "validator", A).data.appliedCommission,
    events: read(ledger, "validatorEvents", A).data,
  };
}

test.each([
  ["mainnet", 990],
  ["testnet", 953],
] as const)("on %s epochs before %i paid what they announced, then what stood two epochs before", (network, since) => {
  // Six epochs of history, the last two already delayed, and the observed one.
  const { pairs, applied, events } = toldOf([10, 20, 30, 40, 50, 60], { network, epoch: since + 2 });
  expect(pairs).toEqual(["10 10", "20 20", "30 30", "40 40", "50 30", "60 40", "5 50"]);
  expect(applied).toBe(50);
  const effects = events.map(({ epoch, effectiveEpoch }) => `${epoch - since} ${effectiveEpoch! - since}`);
  expect(effects).toEqual(["2 4", "1 3", "0 2", "-1 -1", "-2 -2", "-3 -3"]);
});

test("on alpenglow commissions were delayed from the first epoch, and the first two are not known", () => {
  const { pairs } = toldOf([10, 20, 30], { network: "alpenglow", epoch: 30 });
  expect(pairs).toEqual(["10 null", "20 null", "30 10", "5 20"]);
});

test("an event of a history is effective from the epoch in which the history shows its rate as applied", () => {
  const rates = fc.array(fc.constantFrom(0, 5, 10, 50, 100), { minLength: 3, maxLength: 10 });
  fc.assert(
    fc.property(rates, fc.constantFrom(990, 992, 1100), (before, epoch) => {
      const { data, events } = toldOf(before, { network: "mainnet", epoch });
      for (const { effectiveEpoch, toCommission } of events) {
        const applied = data.find((point) => point.epoch === effectiveEpoch);
        if (applied !== undefined) expect(applied.appliedCommission).toBe(toCommission);
      }
    }),
  );
});

test("what was applied when the tracking began is known from the history", () => {
  expect(read(tell(first).ledger, "validator", A).data.appliedCommission).toBeNull();
  const { ledger } = tell(first, history(5, { A: percents(100, 7) }));
  expect(read(ledger, "validator", A).data).toMatchObject({ commission: 5, appliedCommission: 100 });
});

test("what was applied is not known where nobody saw when between two epochs the rate changed", () => {
  const appliedAfter = (bps: number) => {
    const { ledger } = tell(first, ...[601, 602, 721].map((minute) => check(minute, withA(bps))));
    const applied = read(ledger, "commissionHistory", A).data.map(({ appliedCommission }) => appliedCommission);
    expect(read(ledger, "validator", A).data.appliedCommission).toBe(applied.at(-1));
    return applied;
  };
  // Seen in the first and the last two of seven epochs; asks for the ends of the first to the fifth.
  expect(appliedAfter(10_000)).toEqual([null, null, null, null, null, null, null]);
  expect(appliedAfter(500)).toEqual([null, null, 5, 5, 5, 5, 5]);
});

test("a history of MEV that ends unset stays as it was, as everything that is not known does", () => {
  const { ledger } = tell(first, history(5, { A: [{ at: -3, mev: 800 }] }));
  const mev = read(ledger, "commissionHistory", A).data.map(({ mevCommission }) => mevCommission);
  expect(mev).toEqual([8, 8, 8, 8]);
});

test("rugs of a history count in their epoch, and say how many nobody saw", () => {
  const { ledger } = tell(first, history(5, { A: percents(5, 100, 5) }));
  const { data, meta } = read(ledger, "rugsPerEpoch", {});
  const counted = data.map((row) => [row.epoch - FIRST_EPOCH, row.totalEvents, row.unconfirmedEvents].join(" "));
  expect(counted).toEqual(["-3 0 0", "-2 1 1", "-1 0 0", "0 0 0"]);
  expect(meta).toMatchObject({
    latestEpoch: FIRST_EPOCH,
    total: 4,
    global: { epochsTracked: 4, totalRuggedValidators: 1 },
  });
  expect(read(ledger, "epochEvents", { epoch: FIRST_EPOCH - 2 }).data).toMatchObject([
    { severity: "RUG", confirmed: false, createdAt: null, fromCommission: 5, toCommission: 100 },
  ]);
  expect(documentOf(ledger, "epochEvents", { epoch: FIRST_EPOCH - 4 })).toBeNull();
});

test("an event of a history comes after what was seen in its slot", () => {
  const { ledger } = tell(snapshot(0, withA()), history(5, { A: percents(20) }));
  ledger.events.push({ ...ledger.events[0]!, id: "seen", createdAt: "2026-11-20T10:00:00.000Z", confirmed: true });
  expect(read(ledger, "events", {}).data.map(({ confirmed }) => confirmed)).toEqual([true, false]);
});
