import fc from "fast-check";
import { expect, test } from "vitest";
import { setU16 } from "../../generator/ledger/columns.ts";
import { documentOf, EPOCH, ledgerOf, MOMENT, recordCommissions, recordDay, recordStake, voteOf } from "./fixtures.ts";

const one = { votePubkey: voteOf("one") };

test("commissions of epochs without a record stay as they were before", () => {
  const ledger = ledgerOf({ validators: [{ name: "one" }], epochs: [1095, 1096, 1099, 1100] });
  recordCommissions(ledger, "one", { 1095: { inflation: 500, mev: 800 }, 1099: { inflation: 10_000 } });
  const history = documentOf(ledger, "commissionHistory", one);
  expect(history?.data.map(({ epoch, commission, mevCommission }) => [epoch, commission, mevCommission])).toEqual([
    [1095, 5, 8],
    [1096, 5, 8],
    [1097, 5, 8],
    [1098, 5, 8],
    [1099, 100, 8],
    [1100, 100, 8],
  ]);
});

test("a rise is paid two epochs after the one that announced it", () => {
  const ledger = ledgerOf({ validators: [{ name: "one" }], epochs: [1097, 1098, 1099, 1100] });
  recordCommissions(ledger, "one", { 1097: { inflation: 500 }, 1098: { inflation: 1000 } });
  const history = documentOf(ledger, "commissionHistory", one);
  expect(history?.data.map(({ epoch, appliedCommission }) => [epoch, appliedCommission])).toEqual([
    [1097, null],
    [1098, null],
    [1099, 5],
    [1100, 10],
  ]);
  expect(documentOf(ledger, "validator", one)?.data.appliedCommission).toBe(10);
});

test("MEV is null where it was disabled or never enabled, and stays null until it is enabled again", () => {
  const ledger = ledgerOf({ validators: [{ name: "one" }], epochs: [1096, 1097, 1098, 1099, 1100] });
  recordCommissions(ledger, "one", {
    1096: { inflation: 0 },
    1097: { mev: 1000 },
    1098: { mev: "disabled" },
    1100: { mev: 0 },
  });
  const history = documentOf(ledger, "commissionHistory", one);
  expect(history?.data.map(({ mevCommission }) => mevCommission)).toEqual([null, 10, null, null, 0]);
});

test("the history of a validator that left ends where it was last seen", () => {
  const seen = { ...MOMENT, epoch: EPOCH - 2 };
  const ledger = ledgerOf({
    validators: [{ name: "one", listed: false, rank: 7, seen }],
    epochs: [1096, 1097, 1098, 1099, 1100],
  });
  recordCommissions(ledger, "one", { 1097: { inflation: 500 } });
  const history = documentOf(ledger, "commissionHistory", one);
  expect(history?.data.map(({ epoch }) => epoch)).toEqual([1097, 1098]);
});

test("a commission once known is never unknown later, and every epoch has its point", () => {
  const record = fc.record({
    epoch: fc.integer({ min: EPOCH - 30, max: EPOCH }),
    inflation: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined }),
    mev: fc.option(fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constant("disabled" as const)), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 12 }), (records) => {
      const ledger = ledgerOf({ validators: [{ name: "other" }, { name: "one" }] });
      for (const { epoch, inflation, mev } of records) {
        recordCommissions(ledger, "one", {
          [epoch]: { ...(inflation !== undefined && { inflation }), ...(mev !== undefined && { mev }) },
        });
      }
      const points = documentOf(ledger, "commissionHistory", one)?.data ?? [];
      const known = points.findIndex(({ commission }) => commission !== null);
      if (known >= 0) expect(points.slice(known).map(({ commission }) => commission)).not.toContain(null);
      expect(points.map(({ epoch }) => epoch)).toEqual(points.map((_, index) => EPOCH + 1 - points.length + index));
      for (const { epoch, inflation } of records) {
        if (inflation === undefined) continue;
        const last = records.findLast((each) => each.epoch === epoch && each.inflation !== undefined);
        expect(points.find((point) => point.epoch === epoch)?.commission).toBe((last?.inflation ?? 0) / 100);
      }
    }),
  );
});

test("what the profile says is applied is what the history says of the newest epoch", () => {
  const point = fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined });
  const words = fc.array(fc.constantFrom(0b00, 0b01, 0b11), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(fc.array(point, { minLength: 7, maxLength: 7 }), words, (points, members) => {
      const ledger = ledgerOf({ validators: [{ name: "one" }] });
      for (const [index, word] of members.entries()) setU16(ledger.members, EPOCH - 6 + index, 0, word, 0);
      for (const [index, inflation] of points.entries()) {
        if (inflation !== undefined) recordCommissions(ledger, "one", { [EPOCH - 6 + index]: { inflation } });
      }
      const newest = documentOf(ledger, "commissionHistory", one)?.data.at(-1);
      expect(documentOf(ledger, "validator", one)?.data.appliedCommission).toBe(newest?.appliedCommission ?? null);
    }),
  );
});

test("stakes are the recorded points only, oldest first, with the rank of then", () => {
  const ledger = ledgerOf({ validators: [{ name: "one" }, { name: "other" }] });
  recordStake(ledger, "one", { epoch: 1100, lamports: 16_395_628_327_252_359n, rank: 2 });
  recordStake(ledger, "one", { epoch: 1097, lamports: 0n });
  recordStake(ledger, "other", { epoch: 1098, lamports: 5n, rank: 1 });
  expect(documentOf(ledger, "stakeHistory", one)).toEqual({
    data: [
      { epoch: 1097, activeStake: { lamports: "0", sol: 0 }, rank: null },
      { epoch: 1100, activeStake: { lamports: "16395628327252359", sol: Number("16395628.327252359") }, rank: 2 },
    ],
    meta: { network: "mainnet", total: 2, votePubkey: one.votePubkey },
  });
});

test("uptime has the days with checks, oldest first, and is their share without delinquency", () => {
  const ledger = ledgerOf({ validators: [{ name: "other" }, { name: "one" }] });
  recordDay(ledger, "one", { date: "2026-11-20", checks: 60, delinquent: 1 });
  recordDay(ledger, "one", { date: "2026-11-18", checks: 1440, delinquent: 1440 });
  recordDay(ledger, "other", { date: "2026-11-19", checks: 1440, delinquent: 0 });
  expect(documentOf(ledger, "uptime", one)).toEqual({
    data: [
      { date: "2026-11-18", uptimeChecks: 1440, delinquentChecks: 1440, uptimePercent: 0 },
      { date: "2026-11-20", uptimeChecks: 60, delinquentChecks: 1, uptimePercent: 98.33 },
    ],
    meta: {
      network: "mainnet",
      votePubkey: one.votePubkey,
      daysTracked: 2,
      overallUptimePercent: 3.93,
      uptimeChecks: 1500,
      delinquentChecks: 1441,
    },
  });
});

test("a validator without a full hour has no days and no percent", () => {
  const meta = documentOf(ledgerOf({ validators: [{ name: "one" }] }), "uptime", one)?.meta;
  expect(meta).toMatchObject({ daysTracked: 0, overallUptimePercent: 0, uptimeChecks: 0, delinquentChecks: 0 });
});

test("the totals of uptime are the sums of its days", () => {
  const day = fc.record({
    checks: fc.integer({ min: 0, max: 1440 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(day, { maxLength: 20 }), (days) => {
      const ledger = ledgerOf({ validators: [{ name: "one" }] });
      for (const [index, { checks, share }] of days.entries()) {
        const date = `2026-10-${String(index + 1).padStart(2, "0")}`;
        recordDay(ledger, "one", { date, checks, delinquent: Math.floor(checks * share) });
      }
      const { data, meta } = documentOf(ledger, "uptime", one) ?? { data: [], meta: null };
      expect(meta?.daysTracked).toBe(days.filter(({ checks }) => checks > 0).length);
      expect(meta?.uptimeChecks).toBe(data.reduce((sum, { uptimeChecks }) => sum + uptimeChecks, 0));
      expect(meta?.delinquentChecks).toBe(data.reduce((sum, { delinquentChecks }) => sum + delinquentChecks, 0));
    }),
  );
});

test("a gap of more epochs than any cluster leaves unwatched is not filled", () => {
  const far = 1_000_000_000;
  const ledger = ledgerOf({ validators: [{ name: "one", seen: { ...MOMENT, epoch: far } }], epochs: [1100, far] });
  recordCommissions(ledger, "one", { 1100: { inflation: 500 } });
  const history = documentOf(ledger, "commissionHistory", one);
  expect(history?.data.map(({ epoch, commission }) => [epoch, commission])).toEqual([
    [1100, 5],
    [far, 5],
  ]);
});
