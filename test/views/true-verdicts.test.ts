import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import { read } from "../documents/read.ts";
import { SOAK } from "../soak/soak.ts";
import { MINUTES_IN_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { usualStory } from "../story/random/stories.ts";
import { keyOf, withA } from "../story/validators.ts";

/*
 * A sets its rate at any minute; some ends of epochs nobody watches, and in
 * some epochs A is in no set. What its verdict says of rewards is what its
 * history says of them.
 */

const move = fc.record({
  minute: fc.integer({ min: 5, max: 115 }),
  bps: fc.constantFrom(0, 500, 500, 900, 3000, 9500, 10_000, 10_000),
});
const epoch = fc.record({
  moves: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(move, { minLength: 1, maxLength: 3 }) },
  ),
  isEndWatched: fc.constantFrom(true, true, true, true, true, true, true, true, true, false),
  inSet: fc.constantFrom(true, true, true, true, true, true, true, true, true, false),
});
/** Few small changes, and nothing that anybody misses. */
const calmEpoch = fc.record({
  moves: fc.oneof(
    { weight: 12, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.record({ minute: fc.constant(60), bps: fc.constantFrom(500, 600) })),
    },
  ),
  isEndWatched: fc.constant(true),
  inSet: fc.constant(true),
});
const story: fc.Arbitrary<Epoch[]> = fc.oneof(
  { weight: 2, arbitrary: fc.array(epoch, { minLength: 12, maxLength: 44, size: "max" }) },
  { weight: 1, arbitrary: fc.array(calmEpoch, { minLength: 14, maxLength: 44, size: "max" }) },
);
interface Epoch {
  moves: readonly { minute: number; bps: number }[];
  isEndWatched: boolean;
  inSet: boolean;
}

test("no sentence of a verdict contradicts what the history says was paid", () => {
  const codes = new Set<string>();
  fc.assert(
    fc.property(story, (epochs) => {
      const { ledger } = foldStory(...toEntries(epochs));
      for (const code of expectTrue(ledger, keyOf("A"))) codes.add(code);
    }),
    { numRuns: 40 * SOAK },
  );
  expect([...codes].sort()).toEqual(
    expect.arrayContaining([
      ...["bait", "earlier_rug", "keeps_most", "recent_rug", "rug_ahead"],
      ...["no_rise", "no_large_rise"],
    ]),
  );
});

test("nor does one where anything about anybody may change", () => {
  const codes = new Set<string>();
  fc.assert(
    fc.property(usualStory, (story) => {
      const { ledger } = foldStory(...story);
      for (const { vote } of ledger.validators)
        for (const code of expectTrue(ledger, vote)) codes.add(code);
    }),
    { numRuns: 10 * SOAK },
  );
  expect([...codes]).toEqual(expect.arrayContaining(["high_mev", "recent_rug", "rug_ahead"]));
});

/** Returns the codes of the verdict. */
function expectTrue(ledger: Ledger, votePubkey: string): string[] {
  const { data: profile } = read(ledger, "validator", { votePubkey });
  const { data: events } = read(ledger, "validatorEvents", { votePubkey });
  const { data: points } = read(ledger, "commissionHistory", { votePubkey });
  const about = {
    rewards: new Map(points.map((point) => [point.epoch, point.appliedCommission])),
    tips: new Map(points.map((point) => [point.epoch, point.mevCommission])),
    events,
    newest: points.at(-1)?.epoch ?? 0,
    announced: profile.commission,
  };
  const { reasons } = profile.verdict;
  expect(reasons.flatMap(({ text }) => findFaults(text, about))).toEqual([]);
  return reasons.map(({ code }) => code);
}

function toEntries(epochs: readonly Epoch[]): Entry[] {
  let bps = 500;
  const entries: Entry[] = [snapshot(0, withA({ bps }))];
  for (const [index, { moves, isEndWatched, inSet }] of epochs.entries()) {
    const at = (minute: number) => index * MINUTES_IN_EPOCH + minute;
    const look = (minute: number) => entries.push(check(at(minute), withA({ bps, inSet })));
    entries.push(snapshot(at(1), withA({ bps, inSet })));
    for (const { minute, bps: next } of moves.toSorted((a, b) => a.minute - b.minute)) {
      bps = next;
      look(minute);
      look(minute + 1);
    }
    if (isEndWatched) look(MINUTES_IN_EPOCH - 0.4);
    if (isEndWatched) look(MINUTES_IN_EPOCH + 0.4);
  }
  return entries;
}

/** Percent by epoch; null: not known, or nothing was paid. */
type Rates = ReadonlyMap<number, number | null>;

interface About {
  rewards: Rates;
  tips: Rates;
  events: readonly CommissionEvent[];
  newest: number;
  announced: number | null;
}

/** What the sentence says wrongly. */
function findFaults(text: string, about: About): string[] {
  return CLAIMS.flatMap(([pattern, isTrue]) => {
    const found = pattern.exec(text);
    if (found === null || isTrue({ ...found.groups }, about, text)) return [];
    return [`${text} ${pattern} ${JSON.stringify([[...about.rewards], [...about.tips]])}`];
  });
}

type Claim = [
  pattern: RegExp,
  isTrue: (parts: Record<string, string | undefined>, about: About, text: string) => boolean,
];

const SPAN = String.raw`epochs? (?<first>\d+)(?: to (?<last>\d+))?`;
const PAYING = "(?<what>rewards|tips)";

const CLAIMS: Claim[] = [
  [
    new RegExp(`${PAYING} paid (?<rate>\\S+) % in ${SPAN}`),
    (parts, about) => countPaid(parts, about) === toRange(parts).length,
  ],
  [
    new RegExp(`${PAYING} paid (?<rate>\\S+) % in (?<count>\\d+) of the ${SPAN}`),
    (parts, about) => countPaid(parts, about) >= Number(parts["count"]),
  ],
  [
    new RegExp(`${PAYING} may have paid (?<rate>\\S+) % in (?:\\d+ of the )?${SPAN}`),
    (parts, about) => countPaid(parts, about) > 0,
  ],
  [
    /rewards (?:may have )?paid (?<rate>\S+) %/,
    ({ rate }, { rewards, newest }, text) => {
      const now = rewards.get(newest) ?? null;
      return (
        [null, Number(rate)].includes(now) || text.endsWith(`pay ${now} % in epoch ${newest}.`)
      );
    },
  ],
  [
    /rewards .*(?:takes|pay) (?<rate>\S+) % in epoch (?<first>\d+)/,
    (parts, about) =>
      Number(parts["first"]) > about.newest ||
      countPaid({ ...parts, what: "rewards" }, about) === 1,
  ],
  [
    /takes (?<rate>\S+) % of the (?:MEV )?(?<what>rewards|tips) of epoch (?<first>\d+)/,
    (parts, about) => countPaid(parts, about) === 1,
  ],
  [
    /announces(?: an inflation commission of)? (?<rate>\S+) %/,
    ({ rate }, { announced }) => Number(rate) === announced,
  ],
  [
    /in (?<count>\d+) of \D*\d+(?: known of the \d+)? epochs from (?<first>\d+) to (?<last>\d+) it took (?<rate>\S+) %/,
    (parts, { rewards }) =>
      toRange(parts).filter((each) => (rewards.get(each) ?? -1) >= Number(parts["rate"])).length ===
      Number(parts["count"]),
  ],
  [
    /(?:No rise in .* watched, |watched, (?=.* no rise was paid))(?<first>\d+) to (?<last>\d+)/,
    (parts, { rewards }) => findRises(rewards, toRange(parts)).length === 0,
  ],
  [
    /raised a commission to 90 % or more (?:once, in|(?<count>\d+) times, last in) epoch (?<last>\d+)/,
    ({ count = "1", last }, { events }) => {
      const rugs = events.filter(
        ({ severity, replacedBy }) => severity === "RUG" && replacedBy === null,
      );
      const newest = Math.max(...rugs.map(({ epoch }) => epoch));
      return rugs.length === Number(count) && newest === Number(last);
    },
  ],
];

/** Epochs of the span that may have paid the rate. */
function countPaid(parts: Parameters<Claim[1]>[0], { rewards, tips }: About): number {
  const paid = parts["what"] === "tips" ? tips : rewards;
  return toRange(parts).filter((each) =>
    [Number(parts["rate"]), null].includes(paid.get(each) ?? null),
  ).length;
}

function toRange({ first, last = first }: Parameters<Claim[1]>[0]): number[] {
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, at) => Number(first) + at);
}

/** Epochs that paid more than the epoch before. */
function findRises(paid: Rates, epochs: readonly number[]): number[] {
  return epochs.filter((each) => (paid.get(each) ?? 0) > (paid.get(each - 1) ?? 100));
}
