import { describe, expect, it, test } from "vitest";
import { VERDICT_LEVELS, VERDICT_REASONS } from "../../generator/contract/verdict.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import { EPOCH, MOMENT, voteOf } from "../documents/fixtures.ts";
import { read } from "../documents/read.ts";
import { expectTouchedToSuffice } from "../documents/rendered.ts";
import { foldStory } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { rest, withA } from "../story/validators.ts";
import { changing, fall, judge, type Past, rise, verdictOf } from "./judged.ts";

/** 0 % early in each epoch, 100 % across its end. */
const flips = Array.from({ length: 12 }, (_, ago) => [
  fall(ago, 10_000, 0),
  rise(ago, 0, 10_000),
]).flat();

const BAIT: Past = {
  rates: { 39: 10_000, 0: 0 },
  events: [fall(-1, 10_000, 0), ...flips.slice(1)],
};
/** Which commission stood five epochs ago is unknown. */
const SPANNING = fall(4, 10_000, 0, { madeIn: { earliest: EPOCH - 5, latest: EPOCH - 4 } });
const SPANNING_20 = {
  effectiveEpochLatest: EPOCH - 17,
  madeIn: { earliest: EPOCH - 20, latest: EPOCH - 19 },
};
/** As no epoch paid the fall before it, it raised nothing. */
const DIPPED_BACK = rise(3, 0, 10_000, { slot: MOMENT.slot - 25 });
const STEPS = changing(
  500,
  ...[1499, 2498, 3497, 4496, 5495, 6494, 7493, 8492].map((to, at): [number, number] => [
    20 - at,
    to,
  ]),
);
const silent = (delinquentSince: string): Past => ({
  rates: { 39: 500 },
  record: { delinquent: true, delinquentSince },
});
const ROSE_TWICE = changing(500, [6, 3000], [5, 500], [3, 4000], [0, 500]);
const TWO_RUGS = changing(500, [20, 10_000], [19, 500], [10, 10_000], [9, 500]);
const RUGGED_TWICE: Past = {
  ...TWO_RUGS,
  events: [rise(5, 500, 9500, { supersededBy: "fall" }), ...(TWO_RUGS.events ?? [])],
};
const MEV_ON: Past = {
  rates: { 39: 500 },
  record: { mev: 9500 },
  events: [rise(3, 0, 9500, { from: "disabled", source: "MEV", severity: "CAUTION" })],
};

test.each<[string, Past, string]>([
  [
    "pays what it shows to nobody",
    BAIT,
    "bad: rug_ahead, keeps_most, bait, serial_flip, recent_rug, earlier_rug | 0 100 1099 100 1101",
  ],
  [
    "cut its rate, and rewards follow late",
    changing(2000, [1, 500]),
    "caution: takes_much, pays_more | 20 1100",
  ],
  ["cut a low rate", changing(1500, [1, 500]), "caution: pays_more | 5 15 1100"],
  [
    "rose once, and took it back",
    changing(500, [3, 1900], [0, 500]),
    "caution: recent_rise, pays_more | 5 19 1097",
  ],
  [
    "rose twice, and took it back",
    ROSE_TWICE,
    "bad: bait, takes_much, recent_rise | 5 3 10 1091 1100 30",
  ],
  [
    "flips within each epoch, and never is paid for it",
    {
      rates: { 39: 0 },
      events: Array.from({ length: 9 }, (_, ago) => [
        fall(ago, 3000, 0, { id: `fall ${ago}` }),
        rise(ago, 0, 3000, { slot: MOMENT.slot - ago * 10 - 7, supersededBy: `fall ${ago}` }),
      ]).flat(),
    },
    "good: no_large_rise | 30 1071 1100 9",
  ],
  ["keeps all, as it says", changing(10_000), "bad: keeps_most | 100 1100"],
  ["takes most, but not as much as a RUG", changing(8999), "caution: takes_much | 89.99 1100"],
  ["takes a fifth", changing(2000), "caution: takes_much | 20 1100"],
  ["takes less than a fifth", changing(1999), "good: no_rise | 30 1071 1100"],
  [
    "announces all, where nobody is paid",
    { rates: { 39: 10_000 }, outside: [-2, -1, 0, 1, 2, 3], stakes: { 1: 0n, 0: 0n } },
    "bad: keeps_most | 1100 100",
  ],
  [
    "is about to rug",
    changing(500, [0, 10_000]),
    "bad: rug_ahead, keeps_most | 5 100 1100 100 1102",
  ],
  [
    "rugged 20 epochs ago",
    changing(500, [20, 10_000], [19, 500]),
    "bad: recent_rug | 5 100 1080 100 1082 5 1100",
  ],
  [
    "rugged 20 epochs ago, where no epoch is known to have paid it",
    { ...changing(500), events: [fall(19, 10_000, 500), rise(20, 500, 10_000)] },
    "caution: earlier_rug | 90 1080",
  ],
  [
    "rugged 20 and 10 epochs ago, and took a rug back at once",
    RUGGED_TWICE,
    "bad: recent_rug, earlier_rug | 5 100 1090 100 1092 5 1100",
  ],
  [
    "rugged 32 epochs ago",
    changing(500, [32, 10_000], [31, 500]),
    "caution: earlier_rug | 90 1068",
  ],
  [
    "rugged by a public history alone",
    {
      rates: { 39: 500 },
      events: [9, 5].map((ago) => rise(ago, 500, 10_000, { confirmed: false, createdAt: null })),
    },
    "caution: earlier_rug | 90 2 1095",
  ],
  [
    "took a rug back at once",
    { rates: { 39: 500 }, events: [rise(20, 500, 10_000, { supersededBy: "fall" })] },
    "good: no_rise | 20 1081 1100",
  ],
  [
    "took a rise back at once, but not all of it",
    {
      rates: { 39: 500, 12: 1500 },
      events: [
        fall(12, 5000, 1500, { id: "fall", slot: MOMENT.slot - 119 }),
        rise(12, 500, 5000, { supersededBy: "fall" }),
      ],
    },
    "caution: recent_rise | 5 15 1088",
  ],
  [
    "always takes all, but for a moment that no epoch paid",
    {
      rates: { 39: 10_000 },
      events: [DIPPED_BACK, fall(3, 10_000, 0, { supersededBy: DIPPED_BACK.id })],
    },
    "bad: keeps_most | 100 1100",
  ],
  ["rose by ten points", changing(500, [12, 1500]), "caution: recent_rise | 5 15 1088"],
  [
    "rose by ten points in small steps",
    changing(500, [12, 999], [9, 1500]),
    "caution: recent_rise | 2 1088 1091 10 15",
  ],
  [
    "rose by nearly ten",
    changing(500, [12, 1400], [9, 1499]),
    "good: no_large_rise | 30 1071 1100 9.99",
  ],
  ["rose in small steps to most", STEPS, "caution: takes_much, recent_rise | 84.92 1100"],
  ["switched MEV commission on, high", MEV_ON, "caution: recent_rise, high_mev | 95 1097"],
  ["takes tips", { rates: { 39: 500 }, record: { mev: 9000 } }, "caution: high_mev | 90 1100"],
  ["does not vote", silent("2026-11-20T09:00:00.000Z"), "caution: delinquent | 2026 11 20 09 00"],
  ["did not vote for a moment", silent("2026-11-20T09:01:00.000Z"), "good: no_rise | 30 1071 1100"],
  [
    "left",
    {
      rates: { 39: 500 },
      record: { listed: false, delinquent: true, rank: 1, seen: { ...MOMENT, epoch: EPOCH - 9 } },
    },
    "caution: gone | 1091",
  ],
  ["rose a little", changing(500, [4, 700]), "good: no_large_rise | 30 1071 1100 2"],
  ["rose a little, long ago", changing(500, [14, 700]), "good: no_rise | 12 1089 1100"],
  ["is known of the rates of ten epochs", { rates: { 11: 500 } }, "good: no_rise | 10 1091 1100"],
  ["is known of fewer", { rates: { 10: 500 } }, "unknown: too_new | 11"],
  [
    "announces nothing that we know",
    { ...changing(500), record: { commissionBasisPoints: null } },
    "unknown: too_new | none",
  ],
  [
    "may have changed its rate unseen",
    { ...changing(500), events: [{ ...SPANNING, from: 500, to: 500 }] },
    "unknown: not_watched | 1 10 1091 1100",
  ],
])("the verdict on one that %s", (_, past, verdict) => {
  expect(judge(past)).toBe(verdict);
});

const BAIT_ALONE: Past = {
  ...BAIT,
  events: BAIT.events?.filter(({ epoch }) => epoch! < EPOCH - 1) ?? [],
};

test.each<[string, Past]>([
  ["but in 10 of the 10 epochs from 1091 to 1100 it took 100 % of the rewards.", BAIT],
  ["but in 3 of the 10 epochs from 1091 to 1100 it took 30 % or more of the rewards.", ROSE_TWICE],
  [
    "but in 5 of 5 known of the 10 epochs from 1091 to 1100 it took",
    { ...BAIT, rates: { 6: 10_000, 0: 0 } },
  ],
  [
    "but in 9 of 9 known of the 10 epochs from 1091 to 1100 it took",
    { ...BAIT, events: [...(BAIT.events ?? []), SPANNING] },
  ],
  ["It takes 100 % of the rewards of epoch 1100, as announced.", changing(10_000)],
  ["It takes 95 % of the rewards of epoch 1100, and announces 100 %.", changing(9500, [0, 10_000])],
  ["It takes 100 % of the rewards of epoch 1100.", BAIT_ALONE],
  ["In epoch 1100 it announces an inflation commission of 95 %.", changing(500, [0, 9500])],
  ["It switched its MEV commission on at 95 % in epoch 1097.", MEV_ON],
  [
    "In the last 30 epochs watched, 1071 to 1100, it raised its inflation commission by 2 percentage points in all.",
    changing(500, [4, 700]),
  ],
  ["It takes 95 % of the MEV tips of epoch 1100.", MEV_ON],
  ["Its commission is known for only 1 epoch: too few to judge.", { rates: { 0: 500 } }],
  [
    "It raised its inflation commission 8 times in epochs 1080 to 1087, by 79.92 percentage points in all, the last time to 84.92 %.",
    STEPS,
  ],
  [
    "in epoch 1080; rewards paid 100 % in epoch 1082, and pay 5 % in epoch 1100.",
    changing(500, [20, 10_000], [19, 500]),
  ],
  [
    "in epoch 1080; rewards paid 100 % in epochs 1082 to 1083, and pay 5 % in epoch 1100.",
    changing(500, [20, 10_000], [18, 500]),
  ],
  ["in epoch 1080; rewards paid 100 % in epochs 1082 to 1100.", changing(500, [20, 10_000])],
  [
    "in epoch 1080; rewards paid 100 % in 2 of the epochs 1082 to 1084, and pay 5 % in epoch 1100.",
    { ...changing(500, [20, 10_000], [17, 500]), stakes: { 17: 0n } },
  ],
  [
    "It raised a commission to 90 % or more 3 times, last in epoch 1095; no epoch paid 1 of these rates.",
    RUGGED_TWICE,
  ],
  [
    "in epoch 1100; rewards pay 100 % from epoch 1102 on, unless it is changed again.",
    changing(500, [0, 10_000]),
  ],
  ["in epoch 1099; rewards pay 100 % in epoch 1101.", changing(500, [1, 10_000], [0, 500])],
  [
    "in epoch 1100; rewards pay 100 % from epoch 1101, or 1102 at the latest, on, unless it is changed again.",
    { ...changing(500), events: [rise(0, 500, 10_000, { effectiveEpoch: EPOCH + 1 })] },
  ],
  [
    "in epoch 1080; rewards may have paid 100 % in epoch 1082, and pay 5 % in epoch 1100.",
    { ...changing(500), events: [fall(19, 10_000, 500), rise(20, 500, 10_000, SPANNING_20)] },
  ],
  ["No check since 2026-11-20 09:00 UTC saw it vote.", silent("2026-11-20T09:00:00.000Z")],
])("a verdict says «%s»", (words, past) => {
  expect(
    verdictOf(past)
      .reasons.map(({ text }) => text)
      .join("\n"),
  ).toContain(words);
});

test("a verdict names no epoch before its own time, excuses nobody and advises nothing", () => {
  const entries = [
    BAIT,
    ROSE_TWICE,
    STEPS,
    MEV_ON,
    silent("2026-11-20T09:00:00.000Z"),
    changing(500, [20, 10_000]),
  ];
  const sentences = entries.flatMap((each) => verdictOf(each).reasons.map(({ text }) => text));
  expect(
    sentences.filter((text) => /trust|aimed|because|earns nothing|has applied since/.test(text)),
  ).toEqual([]);
});

describe("a validator that does not vote", () => {
  const down = { delinquent: true };
  const codesOf = (ledger: Ledger) =>
    read(ledger, "validator", { votePubkey: voteOf("A") }).data.verdict.reasons.map(
      ({ code }) => code,
    );
  const silent = [snapshot(0, withA()), check(5, withA(down)), check(64, withA(down))];

  it("is told so from an hour on, in each document that shows its verdict", () => {
    expect(codesOf(foldStory(...silent).ledger)).not.toContain("delinquent");
    const hour = [
      ...silent,
      check(64.9, withA(down)),
      check(65, withA(down)),
      check(66, withA(down)),
    ];
    expect(codesOf(expectTouchedToSuffice(hour))).toContain("delinquent");
  });

  it("is told so where the whole cluster stands still when its hour ends, or its row is missing", () => {
    const outage = [...rest.map((fact) => ({ ...fact, ...down })), { name: "A", ...down }];
    expect(codesOf(expectTouchedToSuffice([...silent, check(66, outage)]))).toContain("delinquent");
    expect(
      codesOf(expectTouchedToSuffice([...silent, check(66, rest), check(67, rest)])),
    ).toContain("delinquent");
  });
});

test("the heaviest rules stand first in the table", () => {
  const levels = Object.values(VERDICT_REASONS).map(({ level }) => VERDICT_LEVELS.indexOf(level));
  expect(levels).toEqual(levels.toSorted());
});
