import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { all, panelCheck, panelConfirm, panelSnapshot, type Held } from "./panel-story.ts";
import {
  crowd,
  eventsOf,
  eventsTold,
  FIRST_EPOCH,
  minutes,
  slotAt,
  SLOTS_IN_EPOCH,
  tell,
  timeAt,
  validatorOf,
  verdicts,
  withA,
} from "./story.ts";

const old = withA(500);
const risen = withA(10_000);
const RUG = "RUG 500→10000 in 0";
/** Ten minutes of agreement, so that every rate is settled. */
const begin = (of: number) => [
  panelSnapshot(0, old, { of }),
  ...minutes(1, 9).map((minute) => panelCheck(minute, old, { of, by: (minute - 1) % of })),
];
const asked = (at: number[], held: Held[]) =>
  at.flatMap((minute) => [panelCheck(minute, risen, { of: held.length }), panelConfirm(minute + 0.02, held)]);

it.each<[string, number[], Held[], string[]]>([
  ["one alone: not at once, whatever its account shows", [10], [10_000], []],
  ["one alone: nor within 30 s", [10, 10.4], [10_000], []],
  ["one alone: 30 s later", [10, 10.5], [10_000], [RUG]],
  ["one alone that denies it itself", [10, 10.5, 11], [500], []],
  ["one alone that reads no accounts: its list 30 s later", [10, 10.5], ["silent"], [RUG]],
  ["two: both", [10], [10_000, 10_000], [RUG]],
  ["two that contradict each other: nothing, ever", minutes(10, 15), [10_000, 500], []],
  ["two: one, once the other was silent for three minutes", minutes(10, 13), [10_000, "silent"], [RUG]],
  ["two: not one, while it was for two", minutes(10, 12), [10_000, "silent"], []],
  ["two: not one, while to the other there is no account", minutes(10, 21), [10_000, null], []],
  ["three: two, whatever the third says", [10], [10_000, 500, 10_000], [RUG]],
  ["three: not one, however often it says so", minutes(10, 13), [10_000, 500, 500], []],
  ["four: three", [10], [10_000, 500, 10_000, 10_000], [RUG]],
  ["four: not two", [10], [10_000, 500, 500, 10_000], []],
])("given what the witnesses hold when a list shows a rise, then these events %s", (_, at, held, events) => {
  expect(eventsOf(...begin(held.length), ...asked(at, held))).toEqual(events);
});

describe("given these observations by three witnesses, then these events", () => {
  const start = (bps: number) => [panelSnapshot(0, withA(bps), { of: 3 }), panelConfirm(0.01, all(3, bps))];
  const shows = (minute: number, told: Parameters<typeof withA>[0]) => panelCheck(minute, withA(told), { of: 3 });
  const hidden = panelSnapshot(10, withA({ percent: 5 }), { of: 3, held: all(3, 590) });
  const fives = all(3, { percent: 5 });
  const TO_590 = "INFO 500→590 in 0";
  const ninety = panelCheck(1, withA({ percent: 90 }), { of: 3, by: 1 });

  it.each<[string, Entry[], string[]]>([
    ["what most of them read", [...begin(3), shows(10, 700), panelConfirm(10.02, [700, 10_000, 10_000])], [RUG]],
    ["nothing that one list and all accounts show", [...begin(3), panelSnapshot(10, risen, { of: 3 })], []],
    [
      "what lists in percent hide",
      [...begin(3), hidden, ...[10.02, 12.1].map((minute) => panelConfirm(minute, all(3, 590), undefined, fives))],
      [TO_590],
    ],
    [
      "nothing that accounts show beside other percents",
      [...begin(3), hidden, panelConfirm(10.02, all(3, 700), undefined, fives)],
      [],
    ],
    [
      "nothing where the accounts are gone",
      [...begin(3), hidden, panelConfirm(10.02, all(3, null), undefined, fives)],
      [],
    ],
    ["a percent of the held value", [...begin(3), shows(10, { percent: 5 })], []],
    ["one point more in percent", [...start(8900), ninety, panelConfirm(1.02, all(3, 9000))], ["RUG 8900→9000 in 0"]],
    ["8950 rounded up", [...start(5000), ninety, panelConfirm(1.02, all(3, 8950))], ["CAUTION 5000→8950 in 0"]],
  ])("%s", (_, entries, events) => {
    expect(eventsOf(...entries)).toEqual(events);
  });

  it("a mass change needs a majority and two further observations", () => {
    const raised = crowd(30, { bps: 1000 });
    const before = [0, 1].map((by) => panelSnapshot(by, crowd(30), { of: 3, by }));
    const entries = [...before, panelSnapshot(10, raised, { of: 3 }), panelCheck(11, raised, { of: 3, by: 1 })];
    const further = [12, 13].map((minute) => panelCheck(minute, raised, { of: 3, by: minute % 3 }));
    expect(eventsOf(...entries, further[0]!)).toEqual([]);
    expect(eventsOf(...entries, ...further)).toHaveLength(30);
  });
});

describe("one liar among three", () => {
  const lies = (at: number[], ahead: number) =>
    at.flatMap((minute) => [
      panelCheck(minute, risen, { of: 3, by: 0, ahead: [ahead] }),
      panelConfirm(minute + 0.02, [{ bps: 10_000, ahead }, 500, 500]),
    ]);

  it("that claims to be 200 slots ahead is not where the panel is, and its rug is not believed", () => {
    const told = tell(...begin(3), ...lies(minutes(10, 13), 200));
    expect(eventsTold(told)).toEqual([]);
    expect(told.ledger.acceptance.newest?.slot).toBe(slotAt(9));
  });

  it("that is 100 slots ahead is denied as soon as the others have come as far", () => {
    const told = tell(...begin(3), ...lies(minutes(10, 12), 100));
    expect(eventsTold(told)).toEqual([]);
    expect(told.ledger.dropped).toBeGreaterThan(0);
  });

  it("does not hide a rug, as second reader or as first", () => {
    const hidden = minutes(10, 12).flatMap((minute) => [
      panelCheck(minute, minute === 10 ? old : risen, { of: 3, by: minute % 3 === 1 ? 0 : 1 }),
      panelConfirm(minute + 0.02, [500, 10_000, 10_000]),
    ]);
    expect(eventsOf(...begin(3), ...hidden)).toEqual([RUG]);
  });

  it("cannot move the window by showing the old value late, nor the new one early", () => {
    const late = [panelCheck(10, risen, { of: 3, by: 1 }), panelCheck(10.4, old, { of: 3, by: 0 })];
    const told = tell(...begin(3), ...late, panelConfirm(10.42, [500, 10_000, 10_000]));
    expect(told.ledger.events).toMatchObject([{ previousSlot: slotAt(8), slot: slotAt(10.42), createdAt: timeAt(10) }]);
  });

  it("cannot make a false first value the beginning of an event", () => {
    const first = panelSnapshot(0, withA(0), { of: 3, held: [0, "silent", "silent"] });
    const told = tell(first, panelCheck(1, old, { of: 3, by: 1 }), panelConfirm(1.02, [0, 500, 500]));
    expect(eventsTold(told)).toEqual([]);
    expect(validatorOf(told, "A")).toMatchObject({ inflation: { basisPoints: 500 }, inflationSettled: true });
  });

  it("cannot make an account of before the last change speak for a change after it", () => {
    const entries = [
      ...[panelCheck(10, risen, { of: 3, by: 2 }), panelConfirm(10.02, [10_000, "silent", 10_000])],
      panelCheck(10.5, old, { of: 3, by: 0 }),
      panelConfirm(10.52, [{ bps: 500, ahead: -20 }, { bps: 500, ahead: -160 }, 10_000]),
    ];
    expect(eventsOf(...begin(3), ...entries)).toEqual([RUG]);
  });

  it("does not move where the newest accepted slot is", () => {
    const told = tell(...begin(3), panelCheck(10, old, { of: 3, by: 0, ahead: [149] }));
    expect(told.ledger.acceptance.newest?.slot).toBe(slotAt(10));
  });

  it.each([
    ["that begins the epoch eight epochs on", 1, old, { epoch: FIRST_EPOCH + 8 }, "cannot begin"],
    ["with 900 times the stake of one", 1, withA({ stake: 900_000_000_000n }), {}, "stake"],
    ["with three times the stake", 1, old.map((fact) => ({ ...fact, stake: 3_000_000_000n })), {}, "stake"],
    ["with a fifth more", 3, old.map((fact) => ({ ...fact, stake: 1_200_000_000n })), {}, "that the panel shows"],
  ])("%s is refused, and the true one after it is not", (_, of, facts, head, reason) => {
    const told = tell(...begin(of), panelCheck(10, facts, { of }, head), panelCheck(11, old, { of, by: of - 1 }));
    expect(told.outcomes.slice(-2)).toEqual([
      { accepted: false, reason: expect.stringContaining(reason) as string },
      { accepted: true },
    ]);
    expect(validatorOf(told, "A").activeStake).toBe(1_000_000_000n);
  });

  const honest = (minute: number) => panelCheck(minute, old, { of: 3, by: 1 + (minute % 2) });

  it("cannot let an epoch begin later than the one before ends", () => {
    const end = slotAt(0) + SLOTS_IN_EPOCH;
    const late = panelCheck(121, old, { of: 3 }, { slotIndex: slotAt(121) - end - 93 });
    const told = tell(...[0, 1, 2].map((by) => panelSnapshot(110 + by, old, { of: 3, by })), late, honest(122));
    expect(told.outcomes.map(({ accepted }) => accepted)).toEqual([true, true, true, false, true]);
    expect(told.ledger.epochs.at(-1)).toMatchObject({ epoch: FIRST_EPOCH + 1, firstSlot: end });
  });

  it("is believed from the first for as long only as the others have not been read", () => {
    const shifted = { absoluteSlot: slotAt(10), slotIndex: slotAt(10) - slotAt(0) - 90 };
    const then = [honest(11), honest(12), honest(13)];
    const told = tell(panelSnapshot(10, old, { of: 3 }, shifted), ...then);
    expect(told.outcomes.map(({ accepted }) => accepted)).toEqual([true, false, true, true]);
    expect(told.ledger.epochs).toMatchObject([{ epoch: FIRST_EPOCH, firstSlot: slotAt(0) }]);
    const rich = old.map((fact) => ({ ...fact, stake: 9_000_000_000n }));
    expect(verdicts(panelSnapshot(10, rich, { of: 3 }), ...then)).toBe("+-++");
  });

  it("dates no change by an epoch that nobody else has told, and the others deny", () => {
    const liar = [panelSnapshot(10, old, { of: 3 }, { epoch: FIRST_EPOCH + 3 }), panelConfirm(10.01, all(3, 500))];
    const entries = minutes(11, 13).flatMap((minute) => [
      panelCheck(minute, risen, { of: 3, by: 2 - (minute % 2) }),
      panelConfirm(minute + 0.1, all(3, 10_000)),
    ]);
    expect(eventsOf(...liar, ...entries.slice(0, 2))).toEqual([]);
    expect(eventsOf(...liar, ...entries)).toEqual([RUG]);
  });

  it("does not keep the others' smaller set from being believed within a quarter of an hour", () => {
    const smaller = (minute: number) =>
      panelCheck(minute, crowd(minute % 3 === 0 ? 3 + (minute % 2) * 3 : 7), { of: 3, by: minute % 3 });
    const start = [0, 1, 2].map((by) => panelSnapshot(by, crowd(11), { of: 3, by }));
    expect(verdicts(...start, ...minutes(3, 15).map(smaller))).toBe(`+++${"-".repeat(11)}+-`);
  });
});

describe("the slot of a change", () => {
  it("is, of one witness, that of the first list that showed it", () => {
    const lists = [1, 1.5].map((minute) => panelCheck(minute, risen, { of: 1 }, { slot: slotAt(minute) - 2 }));
    const told = tell(panelSnapshot(0, old, { of: 1 }), ...lists);
    const [{ time } = { time: "" }] = lists;
    expect(told.ledger.events).toMatchObject([{ slot: slotAt(1) - 2, previousSlot: slotAt(0), createdAt: time }]);
  });

  it("is, of two witnesses, one by which both showed it: one of them may know of it early", () => {
    const begin = [panelSnapshot(0, old, { of: 2 }), panelConfirm(0.01, [500, 500])];
    const later = [panelConfirm(1.1, [500, 10_000]), panelConfirm(2.1, [10_000, 10_000])];
    const told = tell(...begin, panelCheck(1, risen, { of: 2, by: 1 }), ...later);
    expect(told.ledger.events).toMatchObject([{ slot: slotAt(2.1) }]);
  });
});

describe("one witness whose accounts cannot be read", () => {
  const shows = (told: Parameters<typeof withA>[0], ...at: number[]) =>
    at.map((minute) => panelCheck(minute, withA(told), { of: 1 }));

  it("tells each step in basis points that its list shows after a percent", () => {
    const steps = [475, 425, 405, 399].flatMap((bps, index) => shows(bps, 2 * index + 3, 2 * index + 4));
    const percent = { bps: null, percent: 5 };
    const told = tell(panelSnapshot(0, withA(percent), { of: 1, held: ["silent"] }), ...shows(percent, 1, 2), ...steps);
    expect(eventsTold(told)).toEqual(["INFO 475→425 in 0", "INFO 425→405 in 0", "INFO 405→399 in 0"]);
  });

  it("is believed at the second observation, and dates the change by the first", () => {
    const before = [panelSnapshot(110, risen, { of: 1, held: ["silent"] }), ...shows(10_000, 118, 119)];
    const told = tell(...before, ...shows(0, 119.9, 120.5));
    const [event] = told.ledger.events;
    expect(event).toMatchObject({ from: 10_000, to: 0, epoch: FIRST_EPOCH, slot: slotAt(119.9) });
    expect(event?.createdAt).toBe(timeAt(119.9));
  });
});

it.each([1, 2, 3])(
  "of %i witnesses accounts that run ahead of their slot, and fall back, make one change one event",
  (of) => {
    // The account changes 12 slots after minute 10. A pool of nodes shows it earlier, and late not yet.
    const [early, late] = [10 + 9 / 300, 10 + 21 / 300];
    const entries = [
      panelSnapshot(0, old, { of }),
      panelConfirm(0.01, all(of, 500)),
      panelSnapshot(10, old, { of, held: all(of, 10_000) }),
      panelConfirm(early, all(of, 10_000), undefined, all(of, 500)),
      panelCheck(10 + 20 / 300, risen, { of }),
      panelConfirm(late, all(of, 500), undefined, all(of, 10_000)),
      ...[11, 12].map((minute) => panelCheck(minute, risen, { of })),
    ];
    expect(eventsOf(...entries)).toEqual([RUG]);
  },
);

describe("of two witnesses one alone", () => {
  const start = panelSnapshot(0, old, { of: 2 });

  it("decides nothing while the other's list lacks the account, though its accounts cannot be read", () => {
    const entries = minutes(1, 12).flatMap((minute) => [
      panelCheck(minute, minute % 2 === 1 ? risen : crowd(9), { of: 2, by: minute % 2 }),
      panelConfirm(minute + 0.1, ["silent", 10_000]),
    ]);
    expect(eventsOf(start, ...entries)).toEqual([]);
  });

  it("decides nothing while the other's lists show the old value, though they are refused and its accounts cannot be read", () => {
    const short = old.slice(-4);
    const entries = minutes(1, 12).flatMap((minute) => [
      panelCheck(minute, minute % 2 === 1 ? risen : short, { of: 2, by: minute % 2 }),
      panelConfirm(minute + 0.1, ["silent", 10_000]),
    ]);
    expect(verdicts(start, entries[2]!)).toBe("+-");
    expect(eventsOf(start, ...entries)).toEqual([]);
  });

  it("decides nothing because the other's answers are of slots that it has said are past", () => {
    const first = panelSnapshot(0, old, { of: 2, by: 1, ahead: [0, 140], held: [500, { bps: 500, ahead: 140 }] });
    const entries = minutes(1, 8).map((tenth) => {
      const behind = tenth - slotAt(tenth / 2) + slotAt(0);
      return panelConfirm(tenth / 2, [
        { bps: 500, ahead: behind },
        { bps: 10_000, ahead: 140 },
      ]);
    });
    expect(eventsOf(first, ...entries)).toEqual([]);
  });

  it("settles no first value while the other can be asked", () => {
    const first = panelSnapshot(0, old, { of: 2, by: 1 }, { accounts: [] });
    const alone = minutes(1, 8).map((minute) => panelCheck(minute, old, { of: 2, by: 1 }));
    expect(validatorOf(tell(first, ...alone), "A").inflationSettled).toBe(false);
    const silent = panelCheck(9, old, { of: 2, by: 1, ahead: [null] });
    expect(validatorOf(tell(first, ...alone, silent), "A").inflationSettled).toBe(true);
  });

  it("dates no change while they tell of different epochs", () => {
    const entries = minutes(1, 6).flatMap((minute) => [
      panelCheck(minute, risen, { of: 2, by: minute % 2 }, minute % 2 === 1 ? { epoch: FIRST_EPOCH + 3 } : {}),
      panelConfirm(minute + 0.1, all(2, 10_000)),
    ]);
    expect(eventsOf(start, ...entries)).toEqual([]);
  });

  it("that is a million slots ahead is not where the cluster is, though no pace is measured yet", () => {
    const ahead = [0, 1_000_000];
    expect(verdicts(start, panelCheck(1, old, { of: 2, by: 1, ahead }))).toBe("+-");
    expect(verdicts(start, panelCheck(2, old, { of: 2, by: 0, ahead }))).toBe("++");
  });
});

describe("a dispute", () => {
  const disputed = [...begin(2), ...asked([10], [10_000, 500])];
  const says = [
    { endpoint: "http://witness-0.example", commission: 10_000 },
    { endpoint: "http://witness-1.example", commission: 500 },
  ];

  it("tells who says what, and ends when one of them comes round", () => {
    expect(tell(...disputed).pending).toMatchObject([{ from: 500, to: 10_000, disputed: true, says }]);
    expect(tell(...disputed, panelConfirm(11.02, [500, 500])).pending).toEqual([]);
    expect(eventsOf(...disputed, panelConfirm(11.02, [10_000, 10_000]))).toEqual([RUG]);
  });

  it("is none while one of them has only not answered", () => {
    const told = tell(...begin(2), ...asked([10], [10_000, "silent"]));
    expect(told.pending).toMatchObject([{ disputed: false, says: [says[0], { ...says[1], commission: null }] }]);
  });
});
