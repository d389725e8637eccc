import { describe, expect, it } from "vitest";
import type { CommissionPoint } from "../../generator/contract/history.ts";
import { findRuling } from "../../public/pages/validator/Ruling.tsx";
import { toCalendar, toLevel, WEEKS_MAX } from "../../public/pages/validator/Calendar.tsx";
import {
  countRestless,
  toEpochsText,
  toInflationSentence,
  toMeasuredSentence,
  toMevSentence,
  toPaidSentence,
  toSpan,
} from "../../public/pages/validator/history-sentences.ts";
import { toUpcoming } from "../../public/pages/validator/CommissionNow.tsx";
import { toRow, toStepColumns } from "../../public/pages/validator/epoch-chart.ts";
import { toBetween, toConfirmedText } from "../../public/format/check.ts";
import * as newest from "../../public/pages/validator/NewestChoice.tsx";
import { toRefusal } from "../../public/pages/validator/Validator.tsx";

describe("the uptime calendar", () => {
  const day = (date: string) => ({
    date,
    uptimeChecks: 1_440,
    delinquentChecks: 0,
    uptimePercent: 100,
  });
  const nulls = (count: number) => Array.from({ length: count }, () => null);

  it("puts days in weeks from Monday to Sunday, and keeps the place of those without a record", () => {
    const [saturday, monday] = [day("2026-10-24"), day("2026-10-26")];
    const sunday = { date: "2026-10-25", record: null };
    expect(toCalendar([])).toEqual([]);
    expect(toCalendar([saturday, monday])).toEqual([
      {
        monday: "2026-10-19",
        month: "Oct",
        days: [...nulls(5), { date: "2026-10-24", record: saturday }, sunday],
      },
      {
        monday: "2026-10-26",
        month: null,
        days: [{ date: "2026-10-26", record: monday }, ...nulls(6)],
      },
    ]);
  });

  it("takes a Sunday as the end of its week", () => {
    const weeks = toCalendar([day("2026-03-01")]).map(({ monday, days }) => [
      monday,
      days[6]?.date,
    ]);
    expect(weeks).toEqual([["2026-02-23", "2026-03-01"]]);
  });

  it("names a month in the week that it begins in", () => {
    const weeks = toCalendar([day("2026-10-24"), day("2027-01-05")]);
    const named = weeks.flatMap(({ month, monday }) =>
      month === null ? [] : [`${month} ${monday}`],
    );
    expect(named).toEqual(["Oct 2026-10-19", "Nov 2026-10-26", "Dec 2026-11-30", "Jan 2026-12-28"]);
  });

  it("is bounded, whatever date a document holds", () => {
    const weeks = toCalendar([day("1970-01-01"), day("2026-10-24")]);
    expect(weeks).toHaveLength(WEEKS_MAX);
    expect(weeks.at(-1)?.days[5]?.record).not.toBeNull();
  });

  it.each([
    ["full", 100, 0],
    ["high", 100, 1],
    ["high", 99, 1],
    ["part", 98.99, 1],
    ["part", 90, 1],
    ["low", 89.99, 1],
  ])(
    "calls a day %s at %d %% with %d delinquent checks",
    (level, uptimePercent, delinquentChecks) => {
      expect(toLevel({ uptimePercent, delinquentChecks })).toBe(level);
      expect(toLevel(null)).toBe("none");
    },
  );
});

describe("the chart of stake", () => {
  it("holds a value from the beginning of its epoch to the end, and leaves a gap of just what is not known", () => {
    expect(toStepColumns([7, 8], [5, null])).toEqual([
      [6.51, 7, 7.49, 7.51, 8, 8.49],
      [5, 5, 5, null, null, null],
    ]);
    expect([3, 4, 5].map(toRow)).toEqual([1, 1, 1]);
  });
});

describe("what later epochs will pay", () => {
  const known = { source: "COMMISSION" as const, supersededBy: null };
  const announced = (
    effectiveEpoch: number | null,
    toCommission: number,
    effectiveEpochLatest = effectiveEpoch,
  ) => ({ ...{ ...known, effectiveEpoch, effectiveEpochLatest, toCommission } });
  const upcoming = (
    effectiveEpoch: number,
    commission: number,
    effectiveEpochLatest = effectiveEpoch,
  ) => ({ ...{ effectiveEpoch, effectiveEpochLatest, commission } });

  it.each([
    [
      "is what was announced last for each, soonest first, and nothing of the running epoch",
      [
        announced(22, 5),
        announced(22, 100),
        announced(21, 7),
        announced(20, 9),
        announced(null, 1),
      ],
      [upcoming(21, 7), upcoming(22, 5)],
    ],
    [
      "may begin in one epoch or another",
      [announced(21, 5, 22), announced(21, 7), announced(20, 9, 21)],
      [upcoming(20, 9, 21), upcoming(21, 7), upcoming(21, 5, 22)],
    ],
    [
      "is nothing that another change took away",
      [{ ...announced(22, 100), supersededBy: "another" }],
      [],
    ],
    [
      "does not concern MEV commission, which is paid at once",
      [{ ...announced(30, 9), source: "MEV" as const }],
      [],
    ],
  ])("%s", (_, newestFirst, expected) => expect(toUpcoming(newestFirst, 20)).toEqual(expected));
});

describe("the sentences about commissions", () => {
  const NBSP = "\u00a0";
  /** Epochs from 1060 on: announced, paid, measured and of MEV. */
  const toPoints = (...rows: (number | null)[][]) =>
    rows.map(([commission, appliedCommission, paidCommission, mevCommission], at) => ({
      epoch: 1060 + at,
      ...{ commission: commission ?? null, appliedCommission: appliedCommission ?? null },
      ...{ paidCommission: paidCommission ?? null, mevCommission: mevCommission ?? null },
    })) as CommissionPoint[];

  it.each([
    [[7], "epoch 7"],
    [[7, 8, 9], "the 3 epochs 7 to 9"],
    [[7, 9, 12], "3 of the epochs 7 to 12"],
  ])("name their epochs, %j: %s", (epochs, text) =>
    expect(toEpochsText(epochs.map((epoch) => ({ epoch })))).toBe(text),
  );

  it("tell each of its own epochs", () => {
    const restless = [1_060, 1_060].map((epoch) => ({ epoch, source: "COMMISSION" as const }));
    const points = toPoints(
      [5, null, 5, 8],
      [100, null, 5, 8],
      [5, 5, 5, 8],
      [5, 100, 100],
      [5, 5],
    );
    expect(toInflationSentence(points, restless).replaceAll(NBSP, " ")).toBe(
      [
        "In the 5 epochs 1060 to 1064 this validator announced between 5 % and 100 %.",
        "It changed its commission more than once in 1 epoch: only the rate at the end of an epoch counts.",
        "We know what the 3 epochs 1062 to 1064 paid: 1 of them paid another rate than the validator announced at its end.",
        "We measured what delegators got in the 4 epochs 1060 to 1063, and know the paid rate of the 2 epochs 1062 to 1063: the rewards agree.",
      ].join(" "),
    );
    expect(toMevSentence(points).replaceAll(NBSP, " ")).toBe(
      "In the 3 epochs 1060 to 1062 this validator took 8 %. In the others: off or not known.",
    );
    expect(toMevSentence(points.slice(0, 4)).replaceAll(NBSP, " ")).toBe(
      "In the 3 epochs 1060 to 1062 this validator took 8 %. In the other one: off or not known.",
    );
  });

  it("compare what was paid with what was announced only where both are known", () => {
    expect(toPaidSentence(toPoints([5], [null, 5]))).toBe("Paid commission: not known.");
    expect(toPaidSentence(toPoints([5], [5, 5], [8, 8]))).toBe(
      "The rewards of the 2 epochs 1061 to 1062 paid what the validator announced at the end of each.",
    );
    expect(toPaidSentence(toPoints([5, 5]))).toBe(
      "The rewards of epoch 1060 paid what the validator announced at the end of that epoch.",
    );
    expect(toPaidSentence(toPoints([5, 8]))).toBe(
      "The rewards of epoch 1060 paid another rate than the validator announced at the end of that epoch.",
    );
    expect(toPaidSentence(toPoints([5, 8], [5, 8]))).toBe(
      "We know what the 2 epochs 1060 to 1061 paid: 2 of them paid another rate than the validator announced at their end.",
    );
  });

  it("tell what was measured, and whether it agrees where both rates are known", () => {
    const told = (...rows: (number | null)[][]) =>
      toMeasuredSentence(toPoints(...rows.map((row) => [null, ...row])));
    expect(told([5, null])).toBe("");
    expect(told([null, 5])).toBe(
      "We measured what delegators got in epoch 1060, whose paid rate we do not know otherwise.",
    );
    expect(told([5, 5], [0, 0], [5, null])).toBe(
      "We measured what delegators got in the 2 epochs 1060 to 1061: the rewards agree.",
    );
    expect(told([5, 5], [5, 7])).toBe(
      "We measured what delegators got in the 2 epochs 1060 to 1061: the rewards of 1 of them took another rate.",
    );
    expect(told([null, 5], [5, 5], [5, 7])).toBe(
      "We measured what delegators got in the 3 epochs 1060 to 1062, and know the paid rate of the 2 epochs 1061 to 1062: the rewards of 1 of them took another rate.",
    );
    expect(told([5, 7])).toBe(
      "We measured what delegators got in epoch 1060: the rewards took another rate.",
    );
    expect(told([null, 5], [5, 7])).toBe(
      "We measured what delegators got in the 2 epochs 1060 to 1061, and know the paid rate of epoch 1061: the rewards took another rate.",
    );
  });

  it("count an epoch as restless from two changes of inflation commission on", () => {
    const of = (epoch: number, source: "COMMISSION" | "MEV" = "COMMISSION") => ({ epoch, source });
    expect(countRestless([of(1), of(1), of(1), of(2), of(2, "MEV"), of(3), of(3)])).toBe(2);
  });

  it("take what is not known for neither the least nor the most", () => {
    expect(toSpan([null, 7, 0, 100, null])).toEqual({ least: 0, most: 100 });
    expect([toSpan([null]), toSpan([])]).toEqual([null, null]);
  });
});

describe("the evidence of a change", () => {
  const [previousSeenAt, createdAt] = ["2026-10-24T03:20:01.575Z", "2026-10-24T03:21:00.575Z"];
  const seen = { previousSlot: 1_000, previousSeenAt, slot: 1_294, createdAt };

  it.each([
    ["between two observations", seen, { slots: 294, milliseconds: 59_000 }],
    [
      "by slots alone where a time is missing",
      { ...seen, createdAt: null },
      { slots: 294, milliseconds: null },
    ],
    ["nowhere where the old value was never seen", { ...seen, previousSlot: null }, null],
    ["nowhere where both were seen in one slot", { ...seen, previousSlot: 1_294 }, null],
  ])("places it %s", (_, event, between) => expect(toBetween(event)).toEqual(between));

  it.each([
    ["COMMISSION", "transaction", "its transaction, which proves it"],
    ["COMMISSION", "witnesses", "a majority of the endpoints"],
    ["MEV", "witnesses", "its tip-distribution account, at a majority of the endpoints"],
    ["MEV", "account", "its tip-distribution account, at one endpoint"],
  ] as const)("of %s says what confirmed it: %s", (source, confirmedBy, text) =>
    expect(toConfirmedText({ source, confirmed: true, confirmedBy })).toBe(text),
  );
});

describe("a validator without a page", () => {
  it.each([
    [400, "invalid_pubkey", "malformed"],
    [404, "validator_not_found", "unknown"],
    [503, "upstream_unavailable", null],
    [429, "rate_limited", null],
    [404, "not_found", null],
  ])("is, by %d %s, %s", (status, code, refusal) => {
    expect(toRefusal({ kind: "refused", status, code, message: "", retryAfterSeconds: null })).toBe(
      refusal,
    );
    expect(toRefusal({ kind: "unreachable" })).toBeNull();
  });
});

describe("how much of a history is shown", () => {
  it("is what the address says, or else the default", () => {
    expect([{ days: "7" }, { days: "all" }, {}].map(newest.readDays)).toEqual([7, "all", 90]);
    expect([{ epochs: "30" }, { epochs: "all" }].map(newest.readEpochs)).toEqual([30, "all"]);
    for (const epochs of ["0", "-1", "ALL", "1e3", "10000", ""])
      expect(newest.readEpochs({ epochs })).toBe(100);
  });

  it("can be chosen from the usual spans, whatever the address says, and all", () => {
    expect(newest.toDayOptions(90)).toEqual([30, 90, 365, "all"]);
    expect(newest.toDayOptions(45)).toEqual([30, 45, 90, 365, "all"]);
    expect(newest.toEpochOptions("all")).toEqual([30, 100, "all"]);
  });

  it("is the newest of it", () => {
    expect(newest.takeNewest([1, 2, 3], 2)).toEqual([2, 3]);
    for (const all of [9, "all"] as const)
      expect(newest.takeNewest([1, 2, 3], all)).toEqual([1, 2, 3]);
  });
});

it("an operator's answer stands beside its own event alone", () => {
  const ruling = (subject: string, of: "event" | "observation") => ({
    ...({ subject, of, verdict: "accept", reason: `about ${of} ${subject}` } as const),
    ruledAt: "2026-11-28T12:00:00.000Z",
  });
  const rulings = [ruling("a", "observation"), ruling("a", "event"), ruling("b", "event")];
  expect(findRuling(rulings, "a")?.reason).toBe("about event a");
  expect(findRuling(rulings, "c")).toBeNull();
});
