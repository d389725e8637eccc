import fc from "fast-check";
import { expect, test } from "vitest";
import type { ObjectReference } from "../../generator/contract/objects.ts";
import { allReferences } from "../../generator/documents/references.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { updateEvents } from "../../generator/service/projection/update-events.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { createTouched } from "../../generator/ledger/touched.ts";
import { FIRST_EPOCH } from "../story/clock.ts";
import { entriesOf, foldStory, foldOnto } from "../story/fold.ts";
import { history, percents } from "../story/history.ts";
import { snapshot } from "../story/observations.ts";
import { oddStory, usualStory, anyHistory, storyWithHistories } from "../story/random/stories.ts";
import { keyOf, withA } from "../story/validators.ts";
import { isOfLog } from "../service/documents.ts";
import { documentOf, read } from "../documents/read.ts";
import { createRenderAgain, expectTouchedToSuffice } from "../documents/rendered.ts";
import { SOAK } from "./soak.ts";

const A = { votePubkey: keyOf("A") };
const first = snapshot(1, withA());
const foldAll = (entries: readonly Entry[]): Ledger =>
  foldOnto(createLedger("mainnet"), ...entries).ledger;

test("rendering only what an entry touched leaves the bytes of rendering everything", () => {
  fc.assert(
    fc.property(fc.oneof(usualStory, oddStory), (entries) => {
      expectTouchedToSuffice(entries);
    }),
    { numRuns: 40 * SOAK },
  );
});

test("it does so with histories among the entries", () => {
  let eventsTold = 0;
  fc.assert(
    fc.property(storyWithHistories, (entries) => {
      const ledger = expectTouchedToSuffice(entries);
      eventsTold += ledger.events.filter(({ confirmed }) => !confirmed).length;
    }),
    { numRuns: 25 * SOAK },
  );
  expect(eventsTold).toBeGreaterThan(15);
});

test("it makes no difference when the past before the first observation was read", () => {
  /**
   * All documents except the list's `updatedAt`, its version, its table with the hash, and the log
   * of changes, which depend on when the history was read.
   */
  const isOfReading = (reference: ObjectReference) =>
    isOfLog(reference) || /^(?:exports|validatorsCsv|validatorsParquet)$/.test(reference.kind);
  const renderUndated = (ledger: Ledger) =>
    createRenderAgain(ledger)(
      allReferences(ledger).filter((reference) => !isOfReading(reference)),
    ).map(([key, text]) => [
      key,
      text?.replaceAll(/"(updatedAt|listVersion)":"[^"]*"/g, '"$1":"…"'),
    ]);
  fc.assert(
    fc.property(usualStory, anyHistory({ min: -8, max: -1 }), fc.nat(), (items, told, place) => {
      const entries = entriesOf(items);
      const past = { ...history(0, told), time: entries[0]!.time };
      const [early, late] = [1, 1 + (place % entries.length)].map((at) =>
        foldAll(entries.toSpliced(at, 0, past)),
      );
      expect(Object.fromEntries(renderUndated(late!))).toEqual(
        Object.fromEntries(renderUndated(early!)),
      );
    }),
    { numRuns: 30 * SOAK },
  );
});

test("the profile applies what the commission history applies, and every event of a history follows from the whole", () => {
  fc.assert(
    fc.property(storyWithHistories, (items) => {
      const { ledger } = foldOnto(createLedger("mainnet"), ...items);
      for (const { vote } of ledger.validators) {
        const key = { votePubkey: vote };
        const newest = documentOf(ledger, "commissionHistory", key)?.data.at(-1);
        if (newest?.epoch !== ledger.epochs.at(-1)?.epoch) continue;
        expect(read(ledger, "validator", key).data.appliedCommission).toBe(
          newest?.appliedCommission,
        );
      }
      const idsOf = () =>
        ledger.events
          .map(({ id, slot, effectiveEpoch }) => `${id} ${slot} ${effectiveEpoch}`)
          .sort();
      const before = idsOf();
      const touched = { ...createTouched(), changes: new Set(ledger.validators.keys()) };
      updateEvents({ ledger, touched }, ledger.position?.time ?? "");
      expect(idsOf()).toEqual(before);
    }),
    { numRuns: 50 * SOAK },
  );
});

function toldOf(before: number[], epoch: number) {
  const by = epoch - FIRST_EPOCH;
  const told = history(5, { A: percents(...before) });
  const validators = told.validators.map((one) => {
    return { ...one, points: one.points.map((point) => ({ ...point, epoch: point.epoch + by })) };
  });
  const epochs = told.epochs.map(([each, slot]): [number, number] => [each + by, slot]);
  const ledger = foldAll([
    { ...first, epoch },
    { ...told, epochs, validators },
  ]);
  return {
    data: read(ledger, "commissionHistory", A).data,
    events: read(ledger, "validatorEvents", A).data,
  };
}

test("what the epochs of a history paid is not known: nobody watched their ends", () => {
  const rates = fc.array(fc.constantFrom(0, 5, 10, 50, 100), { minLength: 3, maxLength: 10 });
  fc.assert(
    fc.property(rates, fc.constantFrom(990, 992, 1100), (before, epoch) => {
      const { data } = toldOf(before, epoch);
      expect(data.filter(({ commission }) => commission !== null).length).toBeGreaterThanOrEqual(
        before.length,
      );
      expect(data.filter(({ appliedCommission }) => appliedCommission !== null)).toEqual([]);
    }),
  );
});

test("rugs of a history count in their epoch, and say how many nobody saw", () => {
  const { ledger } = foldStory(first, history(5, { A: percents(5, 100, 5) }));
  const { data, meta } = read(ledger, "rugsPerEpoch", {});
  const counted = data.map((row) =>
    [row.epoch - FIRST_EPOCH, row.totalEvents, row.unconfirmedEvents].join(" "),
  );
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
