import { expect, test } from "vitest";
import { withoutRepeats } from "../../generator/contract/repeats.ts";
import { findPatterns } from "../../generator/views/patterns.ts";
import { inflationSeverity } from "../../generator/views/events/severity.ts";
import { epochAt, FIRST_EPOCH } from "../story/clock.ts";
import { ruling, foldStory } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { withA } from "../story/validators.ts";
import { EPOCH, ledgerOf, MOMENT, voteOf, type EventFacts } from "../documents/fixtures.ts";
import { read } from "../documents/read.ts";
import { readFeeds, toText } from "../documents/read-feeds.ts";
import { expectTouchedToSuffice } from "../documents/rendered.ts";

/** Commissions in basis points by the epoch that set them. */
type Story = Record<number, readonly number[]>;

function eventsOf(story: Story, facts: Partial<EventFacts> = {}): EventFacts[] {
  let held = 0;
  return Object.entries(story)
    .flatMap(([epoch, rates]) => rates.map((to) => ({ epoch: Number(epoch), to })))
    .map(({ epoch, to }, place) => {
      const from = held;
      held = to;
      const createdAt = new Date(Date.parse(MOMENT.time) + place * 1000).toISOString();
      const id = `${facts.of ?? "A"} ${place}`;
      return {
        ...{
          of: "A",
          id,
          epoch,
          from,
          to,
          slot: place,
          createdAt,
          severity: inflationSeverity(from, to),
        },
        ...{ effectiveEpoch: epoch + 2, effectiveEpochLatest: epoch + 2, ...facts },
      };
    });
}

const ledgerWith = (...events: EventFacts[]) =>
  ledgerOf({ validators: [{ name: "A" }, { name: "B" }], events });
const patternsOf = (story: Story, facts: Partial<EventFacts> = {}) => [
  ...findPatterns(ledgerWith(...eventsOf(story, facts)).events).values(),
];
const newestOf = (story: Story, facts?: Partial<EventFacts>) => {
  const newest = patternsOf(story, facts).at(-1);
  if (newest === undefined) return "none";
  const { from, to, epochs, ofEpochs, firstEpoch, changes } = newest;
  return `${from} to ${to} in ${epochs} of ${ofEpochs} from ${firstEpoch}, ${changes} changes`;
};

/**
 * Down early in each epoch, up across its end, as two
 * mainnet validators do; `idle` epochs have nothing.
 */
const flipping = (first: number, count: number, idle: readonly number[] = []): Story => {
  const epochs = Array.from({ length: count }, (_, at) => first + at).filter(
    (epoch) => !idle.includes(epoch),
  );
  return Object.fromEntries(epochs.map((epoch, at) => [epoch, at === 0 ? [10_000] : [0, 10_000]]));
};

const MAINNET = flipping(853, 168, [860, 861, 875, 890, 891, 905, 950, 951, 1001]);

test.each<[string, Story, string]>([
  ["the flippers of mainnet", MAINNET, "0 to 100 in 159 of 168 from 853, 317 changes"],
  [
    "three rises in ten",
    { 1: [1000], 2: [0], 5: [1000], 6: [0], 10: [1000] },
    "0 to 10 in 3 of 10 from 1, 5 changes",
  ],
  [
    "small steps",
    { 1: [900, 1800, 0], 2: [900, 1800, 0], 3: [900, 1800, 0] },
    "0 to 18 in 3 of 3 from 1, 8 changes",
  ],
  [
    "ever other rates",
    { 1: [10_000, 300], 2: [9900, 0], 3: [9500] },
    "0 to 95 in 3 of 3 from 1, 5 changes",
  ],
  [
    "a pattern after an old one",
    { ...flipping(1, 4), 20: [0, 5000, 0], 21: [5000, 0], 22: [5000] },
    "0 to 50 in 3 of 3 from 20, 5 changes",
  ],
])("%s make a pattern", (_, story, told) => {
  expect(newestOf(story)).toBe(told);
});

test.each<[string, Story, Partial<EventFacts>?]>([
  ["two rises", { 1: [10_000, 0], 2: [10_000, 0] }],
  ["three rises in one epoch", { 1: [10_000, 0, 10_000, 0, 10_000, 0] }],
  ["three rises in eleven", { 1: [10_000, 0], 6: [10_000, 0], 11: [10_000] }],
  ["rises that were not taken back", { 1: [1000], 2: [2000], 3: [3000], 4: [10_000] }],
  ["less than ten points", { 1: [999, 0], 2: [999, 0], 3: [999, 0], 4: [999] }],
  ["what only a public history tells", flipping(1, 9), { confirmed: false, createdAt: null }],
  ["what its steps replace", flipping(1, 9), { replacedBy: "step" }],
])("%s make none", (_, story, facts) => {
  expect(newestOf(story, facts)).toBe("none");
});

test("rates beside a disabled one are no swing, and those of two sources are not one pattern", () => {
  const mev = eventsOf(flipping(1, 3), { source: "MEV" });
  expect([...findPatterns(ledgerWith(...mev).events).values()].at(-1)?.source).toBe("MEV");
  const toggled = mev.map((event) => ({
    ...event,
    from: event.to === 0 ? event.from! : ("disabled" as const),
  }));
  expect(findPatterns(ledgerWith(...toggled).events).size).toBe(0);
  const mixed = mev.map((event, place) =>
    place % 4 === 0 ? { ...event, source: "COMMISSION" as const } : event,
  );
  expect(findPatterns(ledgerWith(...mixed).events).size).toBe(0);
});

test("once MEV was off, the last flip stays what a pattern tells until the next", () => {
  const flips = eventsOf({ ...flipping(1, 3), 4: [0] }, { source: "MEV" });
  const events = [...flips, ...eventsOf({ 5: [500], 6: [600], 7: [1600] }, { source: "MEV" })].map(
    (event, place) => {
      const from = event.epoch === 5 ? ("disabled" as const) : event.from!;
      return { ...event, id: `change ${place}`, slot: place, from };
    },
  );
  const patterns = [...findPatterns(ledgerWith(...events).events)];
  const [small, risen] = patterns.slice(-2).map(([, { from, to }]) => [from, to]);
  expect([small, risen]).toEqual([
    [0, 100],
    [5, 16],
  ]);
});

test("what is told of an event stays as it is while the pattern goes on", () => {
  const [short, long] = [patternsOf(flipping(1, 9)), patternsOf(flipping(1, 30))];
  expect(long.slice(0, short.length)).toEqual(short);
  expect(long.length).toBeGreaterThan(short.length);
});

test.each<[string, number]>([
  ["in severity", 9000],
  ["by ten points", 4000],
])("what goes further than the pattern %s is no repeat, and is listed", (_, to) => {
  const tame = Object.fromEntries(
    Object.entries(flipping(1, 9)).map(([epoch, rates]) => [
      epoch,
      rates.map((rate) => Math.min(rate, 3000)),
    ]),
  );
  const events = eventsOf({ ...tame, 10: [0, to], 11: [0, to] });
  const ledger = ledgerWith(...events);
  ledger.epochs = ledger.epochs.map((each, at) => ({ ...each, epoch: 10 + at }));
  const kept = withoutRepeats(read(ledger, "events", {}).data).map(({ id }) => id);
  const further = events.find((event) => event.epoch === 10 && event.to === to)?.id;
  expect(kept).toContain(further);
  expect(kept).toHaveLength(1 + 1 + 3);
});

const epochs = [EPOCH - 1, EPOCH];
const flippers = () => {
  const events = ["A", "B"].flatMap((of) => eventsOf(flipping(EPOCH - 29, 30), { of }));
  return ledgerOf({ validators: [{ name: "A" }, { name: "B" }], events, epochs });
};

test("of each pattern a list without repeats keeps the newest event, which carries the count", () => {
  const { events } = read(flippers(), "index", {});
  const kept = withoutRepeats(events).filter(({ pattern }) => pattern !== null);
  expect(events).toHaveLength(118);
  expect(
    kept.map(({ votePubkey, pattern }) => [votePubkey, pattern?.epochs, pattern?.changes]),
  ).toEqual([voteOf("A"), voteOf("B")].sort().map((vote) => [vote, 30, 59]));
  // Two rises and two falls of each came before the pattern.
  expect(withoutRepeats(events)).toHaveLength(2 + 8);
});

test("profile and list show the pattern that goes on, and none that ended ten epochs ago", () => {
  const ledger = flippers();
  const shown = () => [
    read(ledger, "validator", { votePubkey: voteOf("A") }).data.pattern?.lastEpoch,
    read(ledger, "validators", {}).data.find(({ votePubkey }) => votePubkey === voteOf("A"))
      ?.pattern?.lastEpoch,
  ];
  expect(shown()).toEqual([EPOCH, EPOCH]);
  const open = (epoch: number) => ledger.epochs.push({ ...ledger.epochs[0]!, epoch });
  open(EPOCH + 10);
  expect(shown()).toEqual([EPOCH, EPOCH]);
  open(EPOCH + 11);
  expect(shown()).toEqual([undefined, undefined]);
});

test("a feed tells a pattern once: its entry stays the same news and counts the repeats", () => {
  const early = eventsOf(flipping(EPOCH - 29, 5));
  const [before, after] = [early, eventsOf(flipping(EPOCH - 29, 30))].map((events) =>
    ledgerWith(...events),
  );
  const ids = (ledger: typeof before, feed: "events" | "rug" | "info") =>
    readFeeds(ledger!, feed).fromAtom.map(({ id }) => id);
  expect(ids(after, "events")).toEqual([
    "urn:rugwatch:A 4",
    ...[3, 2, 1, 0].map((place) => `urn:rugwatch:A ${place}`),
  ]);
  expect(ids(after, "events")).toEqual(ids(before, "events"));
  expect([ids(after, "rug").length, ids(after, "info").length]).toEqual([3, 2]);
  const [told, retold] = [before, after].map((ledger) => readFeeds(ledger!, "rug").fromJson[0]!);
  expect({ ...retold, content: null }).toEqual({ ...told, content: null });
  expect(retold?.title).toContain("; serial flip: it rose in 3 of 3 epochs");
  expect(
    [told, retold].map((entry) => /it rose in (\d+ of \d+)/.exec(toText(entry?.content))?.[1]),
  ).toEqual(["5 of 5", "30 of 30"]);
});

const MINUTES_IN_EPOCH = 120;

const observedFlips = Array.from({ length: 6 }, (_, at) => at * MINUTES_IN_EPOCH).flatMap(
  (begin) => [
    snapshot(begin + 1, withA(begin === 0 ? 0 : 10_000)),
    ...(begin === 0 ? [] : [check(begin + 5, withA(0)), check(begin + 6, withA(0))]),
    check(begin + 60, withA(10_000)),
    check(begin + 61, withA(10_000)),
  ],
);

test("a pattern that goes on, and one that a ruling breaks, shows in what was touched alone", () => {
  const rugs = foldStory(...observedFlips).ledger.events.filter(
    ({ severity }) => severity === "RUG",
  );
  expect(rugs.map(({ epoch }) => epoch - FIRST_EPOCH)).toEqual([0, 1, 2, 3, 4, 5]);
  const firstEpochs = (ledger: Parameters<typeof read>[0]) =>
    read(ledger, "epochEvents", { epoch: epochAt(5 * MINUTES_IN_EPOCH) }).data.map(
      ({ pattern }) => pattern?.firstEpoch,
    );
  expect(firstEpochs(expectTouchedToSuffice(observedFlips))).toEqual([FIRST_EPOCH]);
  const broken = expectTouchedToSuffice([
    ...observedFlips,
    ruling(observedFlips.at(2)!, { event: rugs[0]!.id }),
  ]);
  expect(firstEpochs(broken)).toEqual([FIRST_EPOCH + 1]);
});
