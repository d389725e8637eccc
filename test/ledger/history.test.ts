import { describe, expect, it, test } from "vitest";
import { NOT_RECORDED, setU16 } from "../../generator/ledger/columns.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { foldHistoryEvents } from "../../generator/ledger/history-events.ts";
import { commissionPoint, stakePoint, trackedEpochs } from "../../generator/ledger/points.ts";
import { createTouched } from "../../generator/ledger/touched.ts";
import { history, mevs, percents } from "./told-history.ts";
import {
  check,
  confirm,
  eventsOf,
  FIRST_EPOCH,
  keyOf,
  named,
  slotAt,
  SLOTS_IN_EPOCH,
  snapshot,
  tell,
  timeAt,
  validatorOf,
  withA,
  type Told,
} from "./story.ts";

const MINUTES_IN_EPOCH = 120;
const A = keyOf("A").slice(0, 4);
const of = (text: string) => `COMMISSION ${text} of ${A}`;
const ofMev = (text: string) => `MEV ${text} of ${A}`;
const first = snapshot(1, withA({ bps: 500 }));
const rug = [check(2, withA({ bps: 10_000 })), confirm(2.02, [{ name: "A", bps: 10_000 }])];
const mevOf = (bps: number | null) =>
  bps === null
    ? {}
    : {
        mev: {
          state: "ok" as const,
          value: { rows: [{ vote: keyOf("A"), mevBasisPoints: bps, priorityFeeBasisPoints: null, runningBam: null }] },
        },
      };

function pointsOf({ ledger }: Told, source: "inflation" | "mev", from: number, to: number): (number | null)[] {
  const ordinal = ledger.ordinals.get(keyOf("A")) ?? -1;
  return Array.from({ length: to - from + 1 }, (_, index) =>
    commissionPoint(ledger, source, { epoch: FIRST_EPOCH + from + index, ordinal }),
  );
}

describe("given this history and these observations, then these events", () => {
  const table: [string, Entry[], string[]][] = [
    ["nothing changed", [first, history(5, { A: percents(5, 5, 5) })], []],
    [
      "a rise between two epochs",
      [first, history(5, { A: percents(0, 100, 5) })],
      [of("RUG 0→10000 in -2"), of("INFO 10000→500 in -1")],
    ],
    [
      "a change over the beginning of the tracking",
      [first, history(5, { A: percents(20, 20) })],
      [of("INFO 2000→500 in 0")],
    ],
    [
      "an epoch between them is not known",
      [
        first,
        history(5, {
          A: [
            { at: -4, percent: 100 },
            { at: -2, percent: 5 },
          ],
        }),
      ],
      [],
    ],
    ["the last epoch before the tracking is not known", [first, history(5, { A: [{ at: -2, percent: 100 }] })], []],
    ["one percent may be the other, rounded", [first, history(5, { A: percents(6, 5, 6, 5) })], []],
    ["small steps add up", [first, history(5, { A: percents(2, 3, 4, 5) })], [of("INFO 200→400 in -2")]],
    ["more than all is all", [first, history(5, { A: percents(100, 254, 5) })], [of("INFO 10000→500 in -1")]],
    ["a percent that the precise value may be", [snapshot(1, withA({ bps: 550 })), history(5, { A: percents(5) })], []],
    [
      "a percent that it may not be",
      [snapshot(1, withA({ bps: 550 })), history(5, { A: percents(7) })],
      [of("INFO 700→550 in 0")],
    ],
    [
      "MEV in basis points",
      [first, history(5, { A: mevs(800, 801, 10_000, 10_000) })],
      [ofMev("INFO 800→801 in -3"), ofMev("RUG 801→10000 in -2")],
    ],
    ["more MEV than all is not known", [first, history(5, { A: mevs(800, 10_001, 65_534, 800) })], []],
    ["MEV that is not set is not disabled", [first, history(5, { A: mevs(800, null, 800) })], []],
    [
      "MEV over the beginning of the tracking",
      [snapshot(1, withA({}), mevOf(1000)), history(5, { A: mevs(800) })],
      [ofMev("INFO 800→1000 in 0")],
    ],
    ["a validator that nobody knows", [first, history(5, { B: percents(0, 100) })], []],
    [
      "a change of the first epoch that was seen is told once",
      [first, ...rug, history(5, { A: percents(5, 5) })],
      [of("RUG 500→10000 in 0")],
    ],
    [
      "a change before it and one that was seen",
      [first, ...rug, history(5, { A: percents(20) })],
      [of("RUG 500→10000 in 0"), of("INFO 2000→500 in 0")],
    ],
    [
      "what was seen and ruled away still tells what stood before it",
      [ignoring([first, ...rug]), first, ...rug, history(5, { A: percents(5, 5) })],
      [],
    ],
  ];

  it.each(table)("%s", (_, entries, expected) => {
    expect(eventsOf(tell(...entries))).toEqual(expected);
  });
});

/** A ruling that the one event of a story is none. */
function ignoring(entries: Entry[]): Entry {
  const [event] = tell(...entries).ledger.events;
  return {
    kind: "ruling",
    format: 1,
    network: "mainnet",
    time: timeAt(0),
    ruledAt: timeAt(9),
    subject: { of: "event", id: event!.id },
    verdict: "ignore",
    reason: "it was a test",
  };
}

describe("a gap of the tracking", () => {
  /** Observed in epoch 0 and again in epoch 5. */
  const after = (bps: number) => [
    check(5 * MINUTES_IN_EPOCH + 1, withA({ bps })),
    confirm(5 * MINUTES_IN_EPOCH + 1.02, [{ name: "A", bps }]),
  ];
  const between = (...values: number[]) => values.map((percent, index) => ({ at: index + 1, percent }));
  const minute = 5 * MINUTES_IN_EPOCH + 5;

  it("is filled, and shows what came and went in it", () => {
    const told = tell(first, ...after(500), history(minute, { A: between(5, 100, 5, 5) }));
    expect(eventsOf(told)).toEqual([of("RUG 500→10000 in 2"), of("INFO 10000→500 in 3")]);
    expect(pointsOf(told, "inflation", 0, 5)).toEqual([500, 500, 10_000, 500, 500, 500]);
  });

  it("shows nothing twice: the event that was confirmed over it covers all of it", () => {
    const told = tell(first, ...after(10_000), history(minute, { A: between(5, 100, 100, 100) }));
    expect(eventsOf(told)).toEqual([of("RUG 500→10000 in 5")]);
    expect(told.ledger.events[0]).toMatchObject({ confirmed: true, previousSlot: slotAt(1) });
  });

  it("is not filled beyond the newest epoch observed", () => {
    const told = tell(first, history(10, { A: between(100, 100) }));
    expect(pointsOf(told, "inflation", 0, 2)).toEqual([500, null, null]);
    expect(trackedEpochs(told.ledger)).toEqual([FIRST_EPOCH]);
    expect(validatorOf(told, "A").history).toBeNull();
  });
});

describe("a point that was observed", () => {
  const told = history(5, {
    A: [
      { at: -1, percent: 7, mev: 900, stake: 5n, rank: 0 },
      { at: 0, percent: 99, mev: 900, stake: 5n, rank: 0 },
    ],
  });
  const observed = [first, check(MINUTES_IN_EPOCH + 1, withA({ bps: 500 }))];

  it.each([
    ["before the history was read", [...observed, { ...told, time: timeAt(MINUTES_IN_EPOCH + 2) }]],
    ["after it", [first, told, { ...told, time: timeAt(MINUTES_IN_EPOCH + 2) }, observed[1]!]],
  ])("%s is the one that counts", (_, entries) => {
    const { ledger, ...rest } = tell(...entries);
    expect(pointsOf({ ledger, ...rest }, "inflation", -1, 1)).toEqual([700, 500, 500]);
    const ordinal = ledger.ordinals.get(keyOf("A"))!;
    expect(stakePoint(ledger, { epoch: FIRST_EPOCH, ordinal })).toEqual({
      lamports: 1_000_000_000n,
      rank: expect.any(Number) as unknown,
    });
    expect(stakePoint(ledger, { epoch: FIRST_EPOCH - 1, ordinal })).toEqual({ lamports: 5n, rank: 1 });
    expect(eventsOf({ ledger, ...rest })).toEqual([of("INFO 700→500 in 0")]);
  });
});

describe("an event of a history", () => {
  it("says that nobody saw it, and lies at the first slot of its epoch", () => {
    const { ledger } = tell(first, history(5, { A: percents(0, 100, 100, 100, 100, 5) }));
    const epoch = FIRST_EPOCH - 5;
    expect(ledger.events[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/) as unknown,
      ordinal: ledger.ordinals.get(keyOf("A")),
      source: "COMMISSION",
      severity: "RUG",
      from: 0,
      to: 10_000,
      epoch,
      slot: epoch * SLOTS_IN_EPOCH,
      createdAt: null,
      previousSlot: null,
      previousSeenAt: null,
      seenEpoch: epoch,
      madeIn: { earliest: epoch, latest: epoch },
      effectiveEpoch: epoch + 2,
      effectiveEpochLatest: epoch + 2,
      effectiveEpochFinal: false,
      supersededBy: null,
      confirmedBy: null,
      confirmed: false,
      confirmedAt: null,
      seenIn: { earliest: epoch, latest: epoch },
      transaction: null,
      isSwept: false,
      replacedBy: null,
    });
  });

  it("has another id than one that was seen in the same epoch, with the same values", () => {
    const back = [check(4, withA({ bps: 500 })), confirm(4.02, [{ name: "A", bps: 500 }])];
    const again = [check(6, withA({ bps: 10_000 })), confirm(6.02, [{ name: "A", bps: 10_000 }])];
    const { ledger } = tell(snapshot(1, withA({ bps: 10_000 })), ...back, ...again, history(9, { A: percents(5) }));
    const rises = ledger.events.filter(({ from, to }) => from === 500 && to === 10_000);
    expect(rises.map(({ confirmed }) => confirmed)).toEqual([true, false]);
    expect(new Set(rises.map(({ id }) => id)).size).toBe(2);
  });

  it("changes no id of what is seen later", () => {
    const back = [check(4, withA({ bps: 500 })), confirm(4.02, [{ name: "A", bps: 500 }])];
    const again = [check(6, withA({ bps: 10_000 })), confirm(6.02, [{ name: "A", bps: 10_000 }])];
    const story = [snapshot(1, withA({ bps: 10_000 })), ...back, ...again];
    const idsSeen = ({ ledger }: Told) => ledger.events.filter(({ confirmed }) => confirmed).map(({ id }) => id);
    const told = tell(...story, history(2, { A: percents(5) }));
    expect(told.ledger.events).toHaveLength(3);
    expect(idsSeen(told)).toEqual(idsSeen(tell(...story)));
  });

  it("never lies between two epochs that were observed", () => {
    const { ledger } = tell(first, check(MINUTES_IN_EPOCH + 1, withA({ bps: 500 })), history(5, { A: percents(5) }));
    const ordinal = ledger.ordinals.get(keyOf("A"))!;
    setU16(ledger.inflation, FIRST_EPOCH + 1, ordinal, 9000, NOT_RECORDED);
    foldHistoryEvents(ledger, { ...createTouched(), commissions: new Set([ordinal]) });
    expect(ledger.events).toEqual([]);
    setU16(ledger.inflation, FIRST_EPOCH, ordinal, 9000, NOT_RECORDED);
    foldHistoryEvents(ledger, { ...createTouched(), commissions: new Set([ordinal]) });
    expect(ledger.events).toMatchObject([{ from: 500, to: 9000, epoch: FIRST_EPOCH }]);
  });

  it("is withdrawn by a ruling", () => {
    const story = [first, history(5, { A: percents(100, 5) })];
    expect(tell(ignoring(story), ...story).ledger.events).toEqual([]);
  });

  it("is gone with the history that an operator rules away", () => {
    const read = history(5, { A: percents(100, 5) });
    const ruling: Entry = {
      kind: "ruling",
      format: 1,
      network: "mainnet",
      time: timeAt(4),
      ruledAt: timeAt(9),
      subject: { of: "observation", key: named(read).name },
      verdict: "ignore",
      reason: "the vendor took it back",
    };
    const { ledger, outcomes } = tell(first, ruling, read);
    expect(outcomes.at(-1)).toEqual({ accepted: false, reason: "ignored by a ruling" });
    expect(ledger.events).toEqual([]);
    expect(ledger.history.firstSlots.size).toBe(0);
  });
});

describe("the same history", () => {
  const values = percents(0, 100, 5, 5, 30, 30, 5);
  const marks = mevs(800, 10_000, 800, 800, null, 500, 500);
  const all = values.map((point, index) => ({ ...point, ...marks[index]! }));
  const whole = tell(first, history(5, { A: all, "crowd 1": percents(50, 5) }));
  const idsOf = ({ ledger }: Told) => ledger.events.map(({ id }) => id).sort();

  it("makes events at all", () => {
    expect(idsOf(whole)).toHaveLength(7);
  });

  it.each<[string, Entry[]]>([
    ["twice", [history(5, { A: all, "crowd 1": percents(50, 5) }), history(6, { A: all, "crowd 1": percents(50, 5) })]],
    [
      "validator by validator, the other way round",
      [history(5, { "crowd 1": percents(50, 5) }), history(6, { A: all })],
    ],
    ["a short span first", [history(5, { A: all.slice(4) }), history(6, { A: all, "crowd 1": percents(50, 5) })]],
    ["a long span first", [history(5, { A: all, "crowd 1": percents(50, 5) }), history(6, { A: all.slice(4) })]],
    [
      "piece by piece",
      [...all.map((point, index) => history(5 + index, { A: [point] })), history(20, { "crowd 1": percents(50, 5) })],
    ],
  ])("read %s makes the same events with the same ids", (_, entries) => {
    expect(idsOf(tell(first, ...entries))).toEqual(idsOf(whole));
  });

  it("read again with another value shows the newer one", () => {
    const told = tell(first, history(5, { A: percents(100, 5) }), history(6, { A: percents(5, 5) }));
    expect(eventsOf(told)).toEqual([]);
    expect(pointsOf(told, "inflation", -2, -1)).toEqual([500, 500]);
  });
});

describe("what is remembered of a validator", () => {
  it("is the first epoch that anything tells of, and when the list said so", () => {
    const told = tell(first, history(5, { A: [{ at: -30, stake: 5n }] }));
    expect(validatorOf(told, "A")).toMatchObject({ firstEpoch: FIRST_EPOCH - 30, updatedAt: timeAt(5) });
    expect(validatorOf(told, "crowd 1").firstEpoch).toBe(FIRST_EPOCH);
  });

  it.each([
    ["reaches over both readings", { from: -20, to: -11 }, { first: -20, last: -1 }],
    ["is the newer reading alone, if epochs lie between", { from: -30, to: -15 }, { first: -10, last: -1 }],
  ])("the span that was read %s", (_, earlier, { first: from, last }) => {
    const told = tell(first, history(4, { A: [] }, earlier), history(5, { A: [] }, { from: -10, to: -1 }));
    expect(validatorOf(told, "A").history).toEqual({ first: FIRST_EPOCH + from, last: FIRST_EPOCH + last });
  });
});

test("a stake or rank that no column can hold is left out or cut to the largest", () => {
  const told = tell(
    first,
    history(5, {
      A: [
        { at: -2, stake: 2n ** 64n + 5n, rank: 1 },
        { at: -1, stake: 7n, rank: 4_000_000 },
      ],
    }),
  );
  const ordinal = validatorOf(told, "A").ordinal;
  expect(stakePoint(told.ledger, { epoch: FIRST_EPOCH - 2, ordinal })).toBeNull();
  expect(stakePoint(told.ledger, { epoch: FIRST_EPOCH - 1, ordinal })).toEqual({
    lamports: 7n,
    rank: NOT_RECORDED - 1,
  });
});

test("a cluster that restarted in an earlier epoch has no history of epochs it has not closed", () => {
  const later = 3 * MINUTES_IN_EPOCH;
  const story = [
    first,
    check(later, withA({ bps: 500 })),
    history(later + 1, { A: percents(5, 5).map(({ at, percent }) => ({ at: at + 3, percent: (percent ?? 0) + 20 })) }),
  ];
  const before = tell(...story);
  expect(eventsOf(before)).toEqual([of("CAUTION 500→2500 in 1"), of("INFO 2500→500 in 3")]);
  const restarted = Array.from({ length: 12 }, (_, index) => {
    const entry = check(later + 5 + index, withA({ bps: 500 }));
    const slot = slotAt(MINUTES_IN_EPOCH) + index * 300;
    return { ...entry, slot, absoluteSlot: slot, slotIndex: slot % SLOTS_IN_EPOCH, epoch: FIRST_EPOCH + 1 };
  });
  const told = tell(...story, ...restarted);
  expect(told.outcomes.at(-1)).toEqual({ accepted: true });
  expect(eventsOf(told)).toEqual([]);
  expect(told.ledger.history.firstSlots.size).toBe(0);
  expect(validatorOf(told, "A").history).toBeNull();
});
