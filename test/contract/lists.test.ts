import fc from "fast-check";
import { expect, test } from "vitest";
import { SEVERITIES, type CommissionEvent } from "../../generator/contract/event.ts";
import { KEEPING_MAX } from "../../generator/contract/keeping.ts";
import {
  listEvents,
  listRugsPerEpoch,
  listUptime,
  listValidators,
} from "../../generator/contract/lists.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import type { RugsPerEpoch } from "../../generator/contract/stats.ts";
import type { Validator } from "../../generator/contract/validator.ts";

const LATEST_EPOCH = 1100;
const size = fc.integer({ min: 1, max: 100 });
const count = fc.nat({ max: 250 });

/**
 * An index of what a test is about: rows are passed on
 * whole, so they hold no more than what lists choose by.
 */
function indexOf(rows: Partial<SnapshotIndex>): SnapshotIndex {
  return {
    network: "mainnet",
    latestEpoch: LATEST_EPOCH,
    snapshotAt: null,
    validators: [],
    unlisted: [],
    ...rows,
  } as SnapshotIndex;
}

test("pages of validators of any size are together the whole list, in its order, and the next one is empty", () => {
  fc.assert(
    fc.property(count, size, (total, limit) => {
      const validators = Array.from(
        { length: total },
        (_, index) => ({ rank: index + 1 }) as Validator,
      );
      const list = (page: number) => listValidators(indexOf({ validators }), { page, limit });
      const { totalPages } = list(1).meta;
      const pages = Array.from({ length: totalPages }, (_, index) => list(index + 1));
      expect(pages.flatMap(({ data }) => data)).toEqual(validators);
      for (const [index, { meta }] of pages.entries())
        expect(meta).toMatchObject({ page: index + 1, limit, total, totalPages });
      for (const page of [totalPages + 1, Number.MAX_SAFE_INTEGER])
        expect(list(page).data).toEqual([]);
    }),
  );
});

test("pages of epochs of any size are together all of them, the oldest first, and before them there is nothing", () => {
  fc.assert(
    fc.property(count, size, (total, epochs) => {
      const rugsPerEpoch = Array.from(
        { length: total },
        (_, index) => ({ epoch: index }) as RugsPerEpoch,
      );
      const list = (offset: number) =>
        listRugsPerEpoch(indexOf({ rugsPerEpoch }), { epochs, offset });
      const offsets = Array.from(
        { length: Math.ceil(total / epochs) },
        (_, index) => index * epochs,
      );
      expect(offsets.toReversed().flatMap((offset) => list(offset).data)).toEqual(rugsPerEpoch);
      for (const offset of [total, total + 1, Number.MAX_SAFE_INTEGER])
        expect(list(offset)).toMatchObject({ data: [], meta: { epochs, offset, total } });
    }),
  );
});

test("events are those of so many epoch numbers, in their order, and those of a severity are a part of them", () => {
  const event = fc.record({
    epoch: fc.nat({ max: LATEST_EPOCH }),
    severity: fc.constantFrom(...SEVERITIES),
  });
  fc.assert(
    fc.property(fc.array(event as fc.Arbitrary<CommissionEvent>), size, (events, epochs) => {
      const all = listEvents(indexOf({ events }), { epochs });
      expect(all.data).toEqual(events.filter(({ epoch }) => LATEST_EPOCH - epoch < epochs));
      expect(all.meta).toMatchObject({
        total: all.data.length,
        latestEpoch: LATEST_EPOCH,
        epochs,
        severity: null,
      });
      for (const severity of SEVERITIES) {
        const part = listEvents(indexOf({ events }), { epochs, severities: [severity] });
        expect(part.data).toEqual(all.data.filter((each) => each.severity === severity));
        const asked = { severity, severities: [severity] };
        expect(part.meta).toEqual({ ...all.meta, total: part.data.length, ...asked });
      }
    }),
  );
});

test("a list of events tells of each validator in it once, those that left behind the listed ones", () => {
  const row = (votePubkey: string, rank: number | null) =>
    ({
      votePubkey,
      rank,
      iconUrl: null,
      activeStake: { lamports: "1", sol: 0 },
      appliedCommission: 6,
      nextAppliedCommission: 46,
      name: "not told here",
    }) as Validator;
  const events = ["gone", "two", "one", "two"].map(
    (votePubkey, index) =>
      ({
        votePubkey,
        epoch: LATEST_EPOCH,
        severity: index === 0 ? "RUG" : "INFO",
      }) as CommissionEvent,
  );
  const index = indexOf({
    events,
    validators: [row("one", 1), row("silent", 2), row("two", 3)],
    unlisted: [row("gone", 9)],
  });
  const told = (severity?: "RUG") =>
    listEvents(index, severity && { severities: [severity] }).meta.validators;
  expect(told().map(({ votePubkey }) => votePubkey)).toEqual(["one", "two", "gone"]);
  expect(told("RUG")).toEqual([
    {
      votePubkey: "gone",
      iconUrl: null,
      rank: 9,
      activeStake: { lamports: "1", sol: 0 },
      appliedCommission: null,
      nextAppliedCommission: null,
    },
  ]);
  expect(told()[0]).toMatchObject({ appliedCommission: 6, nextAppliedCommission: 46 });
});

test("who keeps nearly everything is counted by what it keeps, raised or not, and only with stake", () => {
  const row = (rank: number, inflation: number | null, mev: number | null, lamports = "2") =>
    ({
      votePubkey: `vote ${rank}`,
      rank,
      activeStake: { lamports, sol: 0 },
      appliedCommission: inflation,
      mevCommission: mev,
    }) as Validator;
  const always = Array.from({ length: KEEPING_MAX }, (_, index) => row(10 + index, 100, null));
  const validators = [
    row(1, 90, 100),
    row(2, 89.99, null),
    row(3, null, 90),
    row(4, 100, 100, "0"),
    ...always,
  ];
  const { keeping } = listRugsPerEpoch(indexOf({ validators, rugsPerEpoch: [] })).meta;
  expect(keeping).toMatchObject({
    inflation: { validators: 1 + KEEPING_MAX, activeStake: { lamports: "22" } },
    mev: { validators: 2, activeStake: { lamports: "4" } },
  });
  expect(keeping.most.map(({ rank }) => rank)).toEqual(
    [1, ...always.map(({ rank }) => rank)].slice(0, KEEPING_MAX),
  );
});

test("uptime sums up the days it shows, in percent half up", () => {
  // 57 of 800 are 7.125 %: as a double that comes out below the half.
  const recorded = [
    { date: "2026-11-18", uptimeChecks: 1440, delinquentChecks: 0, uptimePercent: 100 },
    { date: "2026-11-19", uptimeChecks: 700, delinquentChecks: 643, uptimePercent: 8.14 },
    { date: "2026-11-20", uptimeChecks: 100, delinquentChecks: 100, uptimePercent: 0 },
  ];
  const list = (days?: number) =>
    listUptime({ network: "mainnet", votePubkey: "one" }, recorded, { days });
  expect(list(2)).toEqual({
    data: recorded.slice(1),
    meta: {
      network: "mainnet",
      votePubkey: "one",
      known: true,
      daysTracked: 2,
      overallUptimePercent: 7.13,
      uptimeChecks: 800,
      delinquentChecks: 743,
    },
  });
  expect(list(Number.MAX_SAFE_INTEGER)).toEqual(list());
  expect(list().data).toEqual(recorded);
});
