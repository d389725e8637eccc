import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NOT_RECORDED, setU16 } from "../../generator/ledger/columns.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import {
  EPOCH,
  ledgerOf,
  MOMENT,
  recordCommissions,
  recordDay,
  recordStake,
  watchEnds,
  voteOf,
  type LedgerFacts,
  type ValidatorFacts,
} from "./fixtures.ts";
import { read } from "./read.ts";

const one = { votePubkey: voteOf("one") };
type Points = Parameters<typeof recordCommissions>[2];

function ledgerWith(
  points: Points,
  { validator, ...facts }: LedgerFacts & { validator?: Partial<ValidatorFacts> } = {},
) {
  const ledger = ledgerOf({
    validators: [{ name: "one", ...validator }],
    epochs: [1096, 1097, 1098, 1099, 1100],
    ...facts,
  });
  recordCommissions(ledger, "one", points);
  const recorded = Object.keys(points).filter(
    (epoch) => points[Number(epoch)]?.inflation !== undefined,
  );
  const first = Math.min(...recorded.map(Number));
  watchEnds(
    ledger,
    "one",
    [1096, 1097, 1098, 1099].filter((epoch) => epoch >= first),
  );
  return ledger;
}

function prove(ledger: Ledger, points: Record<number, number>): Ledger {
  for (const [epoch, value] of Object.entries(points))
    setU16(ledger.proved, Number(epoch), 0, value, NOT_RECORDED);
  return ledger;
}

const pointsOf = (ledger: Ledger) =>
  read(ledger, "commissionHistory", one).data.map(
    (point) =>
      `${point.epoch}: ${point.commission} ${point.appliedCommission} ${point.mevCommission}`,
  );
const appliedOf = (ledger: Ledger) => read(ledger, "validator", one).data.appliedCommission;

describe("the commission history", () => {
  const left = { listed: false, rank: 7, seen: { ...MOMENT, epoch: EPOCH - 2 } };
  const far = 1_000_000_000;
  const ofFar = { epochs: [1100, far], validator: { seen: { ...MOMENT, epoch: far } } };
  const sampled = ledgerWith({ 1097: { inflation: 500, mev: 800 }, 1099: { inflation: 700 } });
  for (const [epoch, value] of [
    [1096, 300],
    [1098, 400],
  ] as const)
    setU16(sampled.history.inflation, epoch, 0, value, NOT_RECORDED);

  it.each<[string, Ledger, string[]]>([
    [
      "stays as it was in epochs without a record, also in those that nobody tracked",
      ledgerWith(
        { 1096: { inflation: 500, mev: 800 }, 1099: { inflation: 9500 } },
        { epochs: [1096, 1099, 1100] },
      ),
      ["1096: 5 null 8", "1097: 5 null 8", "1098: 5 5 8", "1099: 95 null 8", "1100: 95 null 8"],
    ],
    [
      "applies a rise two epochs after the one that announced it",
      ledgerWith({ 1097: { inflation: 500 }, 1098: { inflation: 1000 } }),
      ["1097: 5 null null", "1098: 10 null null", "1099: 10 5 null", "1100: 10 10 null"],
    ],
    [
      "has no MEV where it was disabled or never enabled, until it is enabled again",
      ledgerWith({
        1096: { inflation: 0 },
        1097: { mev: 1000 },
        1098: { mev: "disabled" },
        1100: { mev: 0 },
      }),
      ["1096: 0 null null", "1097: 0 null 10", "1098: 0 0 null", "1099: 0 0 null", "1100: 0 0 0"],
    ],
    [
      "of a validator that left ends where it was last seen",
      ledgerWith({ 1097: { inflation: 500 } }, { validator: left }),
      ["1097: 5 null null", "1098: 5 null null"],
    ],
    [
      "fills no gap of more epochs than any cluster leaves unwatched",
      ledgerWith({ 1100: { inflation: 500 } }, ofFar),
      ["1100: 5 null null", `${far}: 5 null null`],
    ],
    [
      "has what a transaction proves above what was observed, and above what a public history says",
      prove(sampled, { 1097: 10_000, 1098: 0 }),
      ["1096: 3 null null", "1097: 100 null 8", "1098: 0 null 8", "1099: 7 100 8", "1100: 7 0 8"],
    ],
    [
      "has a proved point of an epoch that nobody observed",
      prove(ledgerWith({ 1099: { inflation: 700 } }), { 1097: 500 }),
      ["1097: 5 null null", "1098: 5 null null", "1099: 7 5 null", "1100: 7 null null"],
    ],
  ])("%s", (_, ledger, points) => {
    expect(pointsOf(ledger)).toEqual(points);
  });

  it("says of its newest epoch what the profile says, and in the exports the same", () => {
    expect(appliedOf(sampled)).toBe(0);
    const rowOf = (epoch: number) =>
      read(sampled, "historyCsv", { epoch }).split("\r\n")[1]?.split(",").slice(4, 8);
    expect([1099, 1098].map(rowOf)).toEqual([
      ["7", "8", "100", "true"],
      ["0", "8", "", "true"],
    ]);
  });

  it("does not say what was paid where a window spans the end of the epoch, unless a transaction does", () => {
    const events = [{ of: "one", epoch: 1099, madeIn: { earliest: 1098, latest: 1099 } }];
    const ledger = ledgerWith(
      { 1097: { inflation: 500 }, 1098: { inflation: 500 }, 1099: { inflation: 10_000 } },
      { events },
    );
    expect([appliedOf(ledger), pointsOf(ledger).at(-1)]).toEqual([null, "1100: 100 null null"]);
    prove(ledger, { 1098: 10_000 });
    expect([appliedOf(ledger), pointsOf(ledger).at(-1)]).toEqual([100, "1100: 100 100 null"]);
  });

  const rate = fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined });

  it("is never unknown once it was known, and has every epoch", () => {
    const mev = fc.option(
      fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constant("disabled" as const)),
      { nil: undefined },
    );
    const record = fc.record({
      epoch: fc.integer({ min: EPOCH - 30, max: EPOCH }),
      inflation: rate,
      mev,
    });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 12 }), (records) => {
        const ledger = ledgerOf({ validators: [{ name: "other" }, { name: "one" }] });
        for (const { epoch, ...told } of records)
          recordCommissions(ledger, "one", {
            [epoch]: Object.fromEntries(
              Object.entries(told).filter(([, value]) => value !== undefined),
            ),
          });
        const points = read(ledger, "commissionHistory", one).data;
        const known = points.findIndex(({ commission }) => commission !== null);
        if (known >= 0)
          expect(points.slice(known).map(({ commission }) => commission)).not.toContain(null);
        expect(points.map(({ epoch }) => epoch)).toEqual(
          points.map((_, index) => EPOCH + 1 - points.length + index),
        );
        for (const { epoch, inflation } of records) {
          if (inflation === undefined) continue;
          const last = records.findLast(
            (each) => each.epoch === epoch && each.inflation !== undefined,
          );
          expect(points.find((point) => point.epoch === epoch)?.commission).toBe(
            (last?.inflation ?? 0) / 100,
          );
        }
      }),
    );
  });

  it("applies in its newest epoch what the profile says, whoever is in the sets", () => {
    const words = fc.array(fc.constantFrom(0b00, 0b01, 0b11), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(fc.array(rate, { minLength: 7, maxLength: 7 }), words, (rates, members) => {
        const ledger = ledgerOf({ validators: [{ name: "one" }] });
        for (const [index, word] of members.entries())
          setU16(ledger.members, EPOCH - 6 + index, 0, word, 0);
        for (const [index, inflation] of rates.entries())
          if (inflation !== undefined)
            recordCommissions(ledger, "one", { [EPOCH - 6 + index]: { inflation } });
        const newest = read(ledger, "commissionHistory", one).data.at(-1);
        expect(appliedOf(ledger)).toBe(newest?.appliedCommission ?? null);
        const { appliedCommissions } = read(ledger, "validator", one).data;
        expect(appliedCommissions.at(-1) ?? null).toBe(appliedOf(ledger));
      }),
    );
  });
});

it("the stake history is the recorded points only, oldest first, with the rank of then", () => {
  const ledger = ledgerOf({ validators: [{ name: "one" }, { name: "other" }] });
  recordStake(ledger, "one", { epoch: 1100, lamports: 16_395_628_327_252_359n, rank: 2 });
  recordStake(ledger, "one", { epoch: 1097, lamports: 0n });
  recordStake(ledger, "other", { epoch: 1098, lamports: 5n, rank: 1 });
  expect(read(ledger, "stakeHistory", one)).toEqual({
    data: [
      { epoch: 1097, activeStake: { lamports: "0", sol: 0 }, rank: null },
      {
        epoch: 1100,
        activeStake: { lamports: "16395628327252359", sol: Number("16395628.327252359") },
        rank: 2,
      },
    ],
    meta: { network: "mainnet", total: 2, votePubkey: one.votePubkey },
  });
});

describe("uptime", () => {
  it("has the days with checks, oldest first, and is their share without delinquency", () => {
    const ledger = ledgerOf({ validators: [{ name: "other" }, { name: "one" }] });
    recordDay(ledger, "one", { date: "2026-11-20", checks: 60, delinquent: 1 });
    recordDay(ledger, "one", { date: "2026-11-18", checks: 1440, delinquent: 1440 });
    recordDay(ledger, "one", { date: "2026-11-17", checks: 10, delinquent: 0 });
    recordDay(ledger, "other", { date: "2026-11-19", checks: 1440, delinquent: 0 });
    const { data, meta } = read(ledger, "uptime", one);
    expect(data).toEqual([
      { date: "2026-11-17", uptimeChecks: 10, delinquentChecks: 0, uptimePercent: 100 },
      { date: "2026-11-18", uptimeChecks: 1440, delinquentChecks: 1440, uptimePercent: 0 },
      { date: "2026-11-20", uptimeChecks: 60, delinquentChecks: 1, uptimePercent: 98.33 },
    ]);
    const totals = {
      known: true,
      daysTracked: 3,
      overallUptimePercent: 4.57,
      uptimeChecks: 1510,
      delinquentChecks: 1441,
    };
    expect(meta).toEqual({ network: "mainnet", ...one, ...totals });
  });

  it("without a full hour has no days and no percent", () => {
    const { meta } = read(ledgerOf({ validators: [{ name: "one" }] }), "uptime", one);
    expect(meta).toMatchObject({
      known: true,
      daysTracked: 0,
      overallUptimePercent: 0,
      uptimeChecks: 0,
      delinquentChecks: 0,
    });
  });
});
