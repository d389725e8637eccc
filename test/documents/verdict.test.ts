import { expect, test } from "vitest";
import { VERDICT_LEVELS, VERDICT_REASONS } from "../../generator/contract/verdict.ts";
import type { ValidatorRecord } from "../../generator/ledger/records.ts";
import { EPOCH, ledgerOf, MOMENT, read, recordCommissions, recordStake, voteOf, type EventFacts } from "./fixtures.ts";

interface Told {
  /** Basis points by epochs ago, carried forward. The oldest is the first known epoch. */
  rates: Record<number, number>;
  events?: Omit<EventFacts, "of">[];
  record?: Omit<Partial<ValidatorRecord>, "name">;
  /** SOL by epochs ago. */
  stakes?: Record<number, bigint>;
}

const FIRST = 40;

/** The verdict as "level: code, code | first text". */
function judge({ rates, events = [], record = {}, stakes = {} }: Told): string {
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
  const { level, reasons } = read(ledger, "validator", { votePubkey: voteOf("A") }).data.verdict;
  expect(level).toBe(VERDICT_REASONS[reasons[0]!.code].level);
  return `${level}: ${reasons.map(({ code }) => code).join(", ")} | ${reasons[0]?.text}`;
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
const fall = (ago: number, from: number, to: number) =>
  rise(ago, from, to, { severity: "INFO", slot: MOMENT.slot - ago * 10 - 5 });

/** 0 % early in each epoch, 100 % across its end. */
const flips = Array.from({ length: 12 }, (_, ago) => [fall(ago, 10_000, 0), rise(ago, 0, 10_000)]).flat();
const raisedAt = (ago: number) => EPOCH - ago;

test.each<[string, Told, string]>([
  [
    "pays what it shows to nobody",
    { rates: { 39: 10_000, 0: 0 }, events: [fall(-1, 10_000, 0), ...flips.slice(1)] },
    `bad: bait, serial_flip, keeps_most, rug_ahead, recent_rug | Do not trust the announced 0 %: in 10 of the last 10 epochs it took 100 % of the rewards.`,
  ],
  [
    "has cut it, and is not to blame that rewards follow late",
    { rates: { 39: 2000, 1: 500, 0: 500 }, events: [fall(1, 2000, 500)] },
    `caution: pays_more | It announces 5 %, but takes 20 % of the rewards of epoch ${EPOCH}.`,
  ],
  [
    "rose once, and has taken it back",
    { rates: { 39: 500, 3: 3000, 0: 500 }, events: [fall(0, 3000, 500), rise(3, 500, 3000)] },
    `caution: recent_rise, pays_more | It raised its inflation commission from 5 % to 30 % in epoch ${raisedAt(3)}.`,
  ],
  [
    "rose twice, to other rates, and has taken it back",
    {
      rates: { 39: 500, 6: 3000, 5: 500, 3: 4000, 0: 500 },
      events: [fall(0, 4000, 500), rise(3, 500, 4000), fall(5, 3000, 500), rise(6, 500, 3000)],
    },
    "bad: bait, recent_rise | Do not trust the announced 5 %: in 3 of the last 10 epochs it took 30 % or more of the rewards.",
  ],
  [
    "flips within each epoch, and never is paid for it",
    {
      rates: { 39: 0 },
      events: Array.from({ length: 9 }, (_, ago) => [
        rise(ago, 0, 3000, { slot: MOMENT.slot - ago * 10 - 7, supersededBy: "fall" }),
        fall(ago, 3000, 0),
      ]).flat(),
    },
    "good: no_rise | No rise in 40 epochs.",
  ],
  [
    "keeps all, as it says",
    { rates: { 39: 10_000 } },
    `bad: keeps_most | It takes 100 % of the rewards of epoch ${EPOCH}, as announced.`,
  ],
  [
    "is about to rug",
    { rates: { 39: 500, 0: 10_000 }, events: [rise(0, 500, 10_000)] },
    `bad: rug_ahead | It raised its inflation commission from 5 % to 100 % in epoch ${EPOCH}; the new rate will apply from epoch ${EPOCH + 2}.`,
  ],
  [
    "rugged 20 epochs ago",
    { rates: { 39: 500, 20: 10_000, 19: 500 }, events: [rise(20, 500, 10_000), fall(19, 10_000, 500)] },
    `bad: recent_rug | It raised its inflation commission from 5 % to 100 % in epoch ${raisedAt(20)}; the new rate has applied since epoch ${raisedAt(18)}.`,
  ],
  [
    "rugged 32 epochs ago",
    { rates: { 39: 500, 32: 10_000, 31: 500 }, events: [rise(32, 500, 10_000), fall(31, 10_000, 500)] },
    `caution: earlier_rug | It raised a commission to 90 % or more once, in epoch ${raisedAt(32)}.`,
  ],
  [
    "rugged by a public history alone",
    { rates: { 39: 500 }, events: [9, 5].map((ago) => rise(ago, 500, 10_000, { confirmed: false, createdAt: null })) },
    `caution: earlier_rug | It raised a commission to 90 % or more 2 times, last in epoch ${raisedAt(5)}.`,
  ],
  [
    "took a rug back before the epoch ended",
    { rates: { 39: 500 }, events: [rise(20, 500, 10_000, { supersededBy: "fall" })] },
    "good: no_rise | No rise in 40 epochs.",
  ],
  [
    "rose by ten points",
    { rates: { 39: 500, 12: 1500 }, events: [rise(12, 500, 1500)] },
    `caution: recent_rise | It raised its inflation commission from 5 % to 15 % in epoch ${raisedAt(12)}.`,
  ],
  [
    "switched MEV commission on, high",
    {
      rates: { 39: 500 },
      record: { mev: 9500 },
      events: [rise(3, 0, 9500, { from: "disabled", source: "MEV", severity: "CAUTION" })],
    },
    `caution: recent_rise, high_mev | It switched its MEV commission on at 95 % in epoch ${raisedAt(3)}.`,
  ],
  [
    "takes the tips",
    { rates: { 39: 500 }, record: { mev: 9000 } },
    "caution: high_mev | It takes 90 % of the MEV tips.",
  ],
  [
    "does not vote",
    { rates: { 39: 500 }, record: { delinquent: true } },
    "caution: delinquent | It is not voting now: stake with it earns nothing.",
  ],
  [
    "left",
    { rates: { 39: 500 }, record: { listed: false, delinquent: true, rank: 1, seen: { ...MOMENT, epoch: EPOCH - 9 } } },
    `caution: gone | It left the cluster; it was last seen in epoch ${EPOCH - 9}.`,
  ],
  [
    "rose a little",
    { rates: { 39: 500, 4: 700 }, events: [rise(4, 500, 700)] },
    "good: no_large_rise | No rise of 10 percentage points or more in 40 epochs.",
  ],
  ["is known of ten epochs", { rates: { 9: 500 } }, "good: no_rise | No rise in 10 epochs."],
  [
    "is known of nine",
    { rates: { 8: 500 } },
    "unknown: too_new | Its commission is known for only 9 epochs: too few to judge.",
  ],
])("the verdict on one that %s", (_, told, verdict) => {
  expect(judge(told)).toBe(verdict);
});

const rugged = { rates: { 39: 500, 20: 10_000, 19: 500 }, events: [rise(20, 500, 10_000)] } satisfies Told;

test.each<[string, Partial<Told>, boolean]>([
  ["half of the stake left in time", { stakes: { 20: 15_000n, 19: 14_000n, 17: 7_500n } }, true],
  ["less than half did", { stakes: { 20: 15_000n, 17: 7_501n } }, false],
  ["it did later", { stakes: { 20: 15_000n, 16: 0n } }, false],
  ["it was gone in time", { record: { listed: false, rank: 1, seen: { ...MOMENT, epoch: EPOCH - 17 } } }, true],
  ["it was gone later", { record: { listed: false, rank: 1, seen: { ...MOMENT, epoch: EPOCH - 16 } } }, false],
  ["it stopped voting in time", { record: { delinquent: true, delinquentSince: MOMENT.time } }, true],
  ["it stopped voting before", { record: { delinquent: true, delinquentSince: "2026-01-01T00:00:00.000Z" } }, false],
  ["it stopped voting later", { record: { delinquent: true, delinquentSince: "2026-12-01T00:00:00.000Z" } }, false],
])("a rug on the way out: %s", (_, told, isLeaving) => {
  expect(judge({ ...rugged, ...told }).includes("leaving")).toBe(isLeaving);
});

test("who was on the way out is told in a sentence, without a word of the validator's", () => {
  const record = { website: "Certified good" };
  const told = { rates: { 39: 500, 35: 10_000, 34: 500 }, events: [rise(35, 500, 10_000)], record };
  expect(judge({ ...told, stakes: { 35: 15_000n, 33: 10n } })).toBe(
    "caution: leaving, earlier_rug | " +
      `Its active stake fell from 15000 to 10 SOL within 3 epochs of the rise in epoch ${EPOCH - 35}.`,
  );
});

test("the heaviest rules stand first in the table", () => {
  const levels = Object.values(VERDICT_REASONS).map(({ level }) => VERDICT_LEVELS.indexOf(level));
  expect(levels).toEqual(levels.toSorted());
});
