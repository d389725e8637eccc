import { expect, test } from "vitest";
import { VERDICT_LEVELS, VERDICT_REASONS } from "../../generator/contract/verdict.ts";
import type { ValidatorRecord } from "../../generator/ledger/records.ts";
import {
  EPOCH,
  ledgerOf,
  MOMENT,
  read,
  recordCommissions,
  recordStake,
  transactionOf,
  voteOf,
  type EventFacts,
} from "./fixtures.ts";

interface Told {
  /** Basis points by epochs ago, carried forward. The oldest is the first known epoch. */
  rates: Record<number, number>;
  events?: Omit<EventFacts, "of">[];
  record?: Omit<Partial<ValidatorRecord>, "name">;
  /** SOL by epochs ago. */
  stakes?: Record<number, bigint>;
}

const FIRST = 40;

function verdictOf({ rates, events = [], record = {}, stakes = {} }: Told) {
  const commissionBasisPoints = rates[0] ?? Object.entries(rates)[0]?.[1] ?? null;
  const ledger = ledgerOf({
    validators: [{ name: "A", commissionBasisPoints, ...record }],
    events: events.map((event) => ({
      of: "A",
      effectiveEpoch: event.epoch! + 2,
      effectiveEpochLatest: event.epoch! + 2,
      ...event,
    })),
    epochs: Array.from({ length: FIRST }, (_, at) => EPOCH - FIRST + 1 + at),
  });
  const oldest = Math.max(...Object.keys(rates).map(Number));
  let held = 0;
  for (let ago = oldest; ago >= 0; ago -= 1) {
    held = rates[ago] ?? held;
    recordCommissions(ledger, "A", { [EPOCH - ago]: { inflation: held } });
  }
  for (const [ago, sol] of Object.entries(stakes))
    recordStake(ledger, "A", { epoch: EPOCH - Number(ago), lamports: sol * 1_000_000_000n });
  return read(ledger, "validator", { votePubkey: voteOf("A") }).data.verdict;
}

/** As "level: code, code | the numbers in the first sentence". */
function judge(told: Told): string {
  const { level, reasons } = verdictOf(told);
  expect(level).toBe(VERDICT_REASONS[reasons[0]!.code].level);
  const figures = reasons[0]!.text.match(/\d+/g)?.join(" ") ?? "none";
  return `${level}: ${reasons.map(({ code }) => code).join(", ")} | ${figures}`;
}

const rise = (ago: number, from: number, to: number, facts: Partial<EventFacts> = {}) => {
  const severity = to >= 9000 ? "RUG" : to - from >= 1000 ? "CAUTION" : "INFO";
  return {
    id: `${ago} ago to ${to}`,
    epoch: EPOCH - ago,
    slot: MOMENT.slot - ago * 10,
    from,
    to,
    severity,
    ...facts,
  } as const;
};
const fall = (ago: number, from: number, to: number, facts: Partial<EventFacts> = {}) =>
  rise(ago, from, to, { severity: "INFO", slot: MOMENT.slot - ago * 10 - 5, ...facts });

/** A validator whose rate was the first 40 epochs ago, and its changes since, the oldest first. */
const changing = (first: number, ...changes: [ago: number, to: number][]): Told => ({
  rates: { [FIRST - 1]: first, ...Object.fromEntries(changes) },
  events: changes
    .map(([ago, to], at) => ({ ago, from: changes[at - 1]?.[1] ?? first, to }))
    .map(({ ago, from, to }) => (to > from ? rise : fall)(ago, from, to))
    .reverse(),
});

/** 0 % early in each epoch, 100 % across its end. */
const flips = Array.from({ length: 12 }, (_, ago) => [fall(ago, 10_000, 0), rise(ago, 0, 10_000)]).flat();

const BAIT: Told = { rates: { 39: 10_000, 0: 0 }, events: [fall(-1, 10_000, 0), ...flips.slice(1)] };
/** Which commission stood five epochs ago is unknown. */
const SPANNING = fall(4, 10_000, 0, { madeIn: { earliest: EPOCH - 5, latest: EPOCH - 4 } });
const ROSE_TWICE = changing(500, [6, 3000], [5, 500], [3, 4000], [0, 500]);
const MEV_ON: Told = {
  rates: { 39: 500 },
  record: { mev: 9500 },
  events: [rise(3, 0, 9500, { from: "disabled", source: "MEV", severity: "CAUTION" })],
};

test.each<[string, Told, string]>([
  ["pays what it shows to nobody", BAIT, "bad: bait, serial_flip, keeps_most, rug_ahead, recent_rug | 0 10 10 100"],
  ["cut its rate, and rewards follow late", changing(2000, [1, 500]), "caution: pays_more | 5 20 1100"],
  ["rose once, and took it back", changing(500, [3, 3000], [0, 500]), "caution: recent_rise, pays_more | 5 30 1097"],
  ["rose twice, and took it back", ROSE_TWICE, "bad: bait, recent_rise | 5 3 10 30"],
  [
    "flips within each epoch, and never is paid for it",
    {
      rates: { 39: 0 },
      events: Array.from({ length: 9 }, (_, ago) => [
        rise(ago, 0, 3000, { slot: MOMENT.slot - ago * 10 - 7, supersededBy: "fall" }),
        fall(ago, 3000, 0),
      ]).flat(),
    },
    "good: no_rise | 40",
  ],
  ["keeps all, as it says", changing(10_000), "bad: keeps_most | 100 1100"],
  ["is about to rug", changing(500, [0, 10_000]), "bad: rug_ahead | 5 100 1100 1102"],
  ["rugged 20 epochs ago", changing(500, [20, 10_000], [19, 500]), "bad: recent_rug | 5 100 1080 1082"],
  ["rugged 32 epochs ago", changing(500, [32, 10_000], [31, 500]), "caution: earlier_rug | 90 1068"],
  [
    "rugged by a public history alone",
    { rates: { 39: 500 }, events: [9, 5].map((ago) => rise(ago, 500, 10_000, { confirmed: false, createdAt: null })) },
    "caution: earlier_rug | 90 2 1095",
  ],
  [
    "took a rug back at once",
    { rates: { 39: 500 }, events: [rise(20, 500, 10_000, { supersededBy: "fall" })] },
    "good: no_rise | 40",
  ],
  ["rose by ten points", changing(500, [12, 1500]), "caution: recent_rise | 5 15 1088"],
  ["switched MEV commission on, high", MEV_ON, "caution: recent_rise, high_mev | 95 1097"],
  ["takes tips", { rates: { 39: 500 }, record: { mev: 9000 } }, "caution: high_mev | 90"],
  ["does not vote", { rates: { 39: 500 }, record: { delinquent: true } }, "caution: delinquent | none"],
  [
    "left",
    { rates: { 39: 500 }, record: { listed: false, delinquent: true, rank: 1, seen: { ...MOMENT, epoch: EPOCH - 9 } } },
    "caution: gone | 1091",
  ],
  ["rose a little", changing(500, [4, 700]), "good: no_large_rise | 10 40"],
  ["rose a little, long ago", changing(500, [14, 700]), "good: no_rise | 14"],
  ["is known of ten epochs and the two that decide the first ones", { rates: { 11: 500 } }, "good: no_rise | 12"],
  ["is known of ten and the one before them", { rates: { 10: 500 } }, "unknown: too_new | 9 10"],
  ["is new", { rates: { 8: 500 } }, "unknown: too_new | 9"],
])("the verdict on one that %s", (_, told, verdict) => {
  expect(judge(told)).toBe(verdict);
});

test.each<[string, Told]>([
  ["it took 100 % of the rewards.", BAIT],
  ["it took 30 % or more of the rewards.", ROSE_TWICE],
  ["in 10 of the last 10 epochs it took", BAIT],
  ["in 5 of the last 5 epochs it took", { ...BAIT, rates: { 6: 10_000, 0: 0 } }],
  ["in 9 of the 9 known of the last 10 epochs it took", { ...BAIT, events: [...(BAIT.events ?? []), SPANNING] }],
  [", as announced.", changing(10_000)],
  ["It switched its MEV commission on at 95 %", MEV_ON],
  ["for only 1 epoch:", { rates: { 0: 500 } }],
])("the first sentence of a verdict says «%s»", (words, told) => {
  expect(verdictOf(told).reasons[0]?.text).toContain(words);
});

const rugged = { rates: { 39: 500, 20: 10_000, 19: 500 }, events: [rise(20, 500, 10_000)] } satisfies Told;

const delinquentSince = (time: string): Partial<Told> => ({ record: { delinquent: true, delinquentSince: time } });
const NEXT_DAY = "2026-11-21T10:00:00.000Z";
const transaction = transactionOf(10_000);

test.each<[string, Partial<Told>, boolean]>([
  ["half of the stake left in time", { stakes: { 20: 15_000n, 19: 14_000n, 17: 7_500n } }, true],
  ["less than half did", { stakes: { 20: 15_000n, 17: 7_501n } }, false],
  ["it did later", { stakes: { 20: 15_000n, 16: 0n } }, false],
  ["it was gone in time", { record: { listed: false, rank: 1, seen: { ...MOMENT, epoch: EPOCH - 17 } } }, true],
  ["it was gone later", { record: { listed: false, rank: 1, seen: { ...MOMENT, epoch: EPOCH - 16 } } }, false],
  ["it stopped voting in time", delinquentSince(MOMENT.time), true],
  ["it stopped voting before", delinquentSince("2026-01-01T00:00:00.000Z"), false],
  ["it stopped voting later", delinquentSince("2026-12-01T00:00:00.000Z"), false],
  [
    "it stopped voting long after a rug of the public history",
    { ...delinquentSince(MOMENT.time), events: [rise(60, 500, 10_000, { confirmed: false, createdAt: null })] },
    false,
  ],
  [
    "it stopped voting before a rug that was found late",
    { ...delinquentSince("2026-01-01T00:00:00.000Z"), events: [rise(20, 500, 10_000, { createdAt: null })] },
    false,
  ],
  [
    "it stopped voting between a rug and its finding",
    { ...delinquentSince(MOMENT.time), events: [rise(20, 500, 10_000, { createdAt: NEXT_DAY, transaction })] },
    true,
  ],
])("a rug on the way out: %s", (_, told, isLeaving) => {
  expect(judge({ ...rugged, ...told }).includes("leaving")).toBe(isLeaving);
});

test("who was on the way out is told in a sentence, without a word of the validator's", () => {
  const told = { ...changing(500, [35, 10_000], [34, 500]), record: { website: "Certified good" } };
  const { level, reasons } = verdictOf({ ...told, stakes: { 35: 15_000n, 33: 10n } });
  const sentence = `Its active stake fell from 15000 to 10 SOL within 3 epochs of the rise in epoch ${EPOCH - 35}.`;
  expect([level, reasons[0]?.code, reasons[0]?.text]).toEqual(["caution", "leaving", sentence]);
});

test("the heaviest rules stand first in the table", () => {
  const levels = Object.values(VERDICT_REASONS).map(({ level }) => VERDICT_LEVELS.indexOf(level));
  expect(levels).toEqual(levels.toSorted());
});
