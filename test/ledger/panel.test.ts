import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { agreeing, checksByLists, OLD, RISEN, RUG } from "../story/agreement.ts";
import { FIRST_EPOCH, minutes, slotAt, timeAt } from "../story/clock.ts";
import { foldStory, foldOnto } from "../story/fold.ts";
import { eventsOf, eventsIn, validatorOf, acceptanceOf } from "../story/outcome.ts";
import {
  checkByLists,
  panelCheck,
  panelSnapshot,
  type AccountRate,
  type ListedRate,
} from "../story/panels.ts";
import { crowd, withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

it.each<[string, number[], ListedRate[], string[]]>([
  ["one alone: not at once", [10], [10_000], []],
  ["one alone: nor within 30 s", [10, 10.4], [10_000], []],
  ["one alone: 30 s later", [10, 10.5], [10_000], [RUG]],
  ["two: both", [10], [10_000, 10_000], [RUG]],
  ["two that contradict each other: nothing, ever", minutes(10, 15), [10_000, 500], []],
  [
    "two: one, once the other was silent for three minutes",
    minutes(10, 13),
    [10_000, "silent"],
    [RUG],
  ],
  ["two: the other one", minutes(10, 13), ["silent", 10_000], [RUG]],
  ["two: not one, while it was for two", minutes(10, 12), [10_000, "silent"], []],
  ["two: not one, while the other does not list it", minutes(10, 21), [10_000, null], []],
  ["three: two, whatever the third says", [10], [10_000, 500, 10_000], [RUG]],
  ["three: two, one silent", [10], [10_000, "silent", 10_000], [RUG]],
  ["three: not one, however often it says so", minutes(10, 13), [10_000, 500, 500], []],
  ["three: not one of which two are silent", minutes(10, 15), [10_000, "silent", "silent"], []],
  ["four: three", [10], [10_000, 500, 10_000, 10_000], [RUG]],
  ["four: not two", [10], [10_000, 500, 500, 10_000], []],
])(
  "given the lists of a panel after agreement on 5 %, then these events of %s",
  (_, moments, lists, events) => {
    expect(eventsOf(...agreeing(lists.length), ...checksByLists(moments, lists))).toEqual(events);
  },
);

describe("given these observations by three witnesses, then these events", () => {
  const five = { percent: 5 };
  const TO_590 = "INFO 500→590 in 0";
  const start = (bps: number) => [panelSnapshot(0, withA(bps), { of: 3 })];
  const behind = (moments: number[], held: AccountRate[]) =>
    moments.map((minute) =>
      panelCheck(minute, OLD, { of: 3, lists: all(3, five), accounts: held }),
    );
  const ninety = (bps: number) =>
    panelCheck(1, OLD, { of: 3, lists: all(3, { percent: 90 }), accounts: all(3, bps) });

  it.each<[string, Entry[], string[]]>([
    [
      "what most of them read",
      [...agreeing(3), checkByLists(10, [700, 10_000, 10_000], OLD)],
      [RUG],
    ],
    [
      "nothing that accounts show beside exact lists",
      [...agreeing(3), panelSnapshot(10, OLD, { of: 3, accounts: all(3, 10_000) })],
      [],
    ],
    ["what lists in percent hide", [...agreeing(3), ...behind([10, 12], all(3, 590))], [TO_590]],
    [
      "not before accounts have shown it for two minutes",
      [...agreeing(3), ...behind([10, 11.9], all(3, 590))],
      [],
    ],
    [
      "nothing that accounts show beside other percents",
      [...agreeing(3), ...behind([10, 12], all(3, 700))],
      [],
    ],
    [
      "nothing where the accounts are gone",
      [...agreeing(3), ...behind([10, 12], all(3, null))],
      [],
    ],
    ["a percent of the held value", [...agreeing(3), checkByLists(10, all(3, five), OLD)], []],
    ["one point more in percent", [...start(8900), ninety(9000)], ["RUG 8900→9000 in 0"]],
    ["8950 rounded up", [...start(5000), ninety(8950)], ["CAUTION 5000→8950 in 0"]],
  ])("%s", (_, entries, events) => {
    expect(eventsOf(...entries)).toEqual(events);
  });

  it("a mass change needs two further observations", () => {
    const raised = crowd(30, { bps: 1000 });
    const entries = [panelSnapshot(0, crowd(30), { of: 3 }), panelSnapshot(10, raised, { of: 3 })];
    const further = [11, 12].map((minute) => panelCheck(minute, raised, { of: 3 }));
    expect(eventsOf(...entries, further[0]!)).toEqual([]);
    expect(eventsOf(...entries, ...further)).toHaveLength(30);
  });
});

it.each([1, 2, 3])(
  "of %i witnesses accounts that run ahead of their lists and fall back make one change one event",
  (of) => {
    // The account changes 12 slots after minute 10. A
    // pool of nodes shows it earlier, and late not yet.
    const late = 10 + 20 / 300;
    const entries = [
      panelSnapshot(0, OLD, { of }),
      panelSnapshot(10, OLD, { of, accounts: all(of, 10_000) }),
      panelCheck(late, RISEN, { of }),
      panelSnapshot(late + 0.1, RISEN, { of, accounts: all(of, 500) }),
      ...[11, 12].map((minute) => panelCheck(minute, RISEN, { of })),
    ];
    expect(eventsOf(...entries)).toEqual([RUG]);
  },
);

describe("of two witnesses one alone", () => {
  const start = panelSnapshot(0, OLD, { of: 2 });

  it("decides nothing while the other's list shows the OLD value, though that list is refused", () => {
    const entries = minutes(1, 12).map((minute) =>
      panelCheck(minute, OLD, { of: 2, by: 0, facts: [RISEN, OLD.slice(-4)] }),
    );
    expect(acceptanceOf(start, entries[0]!)).toBe("+-");
    expect(eventsOf(start, ...entries)).toEqual([]);
  });

  it("decides nothing while now the one and now the other is silent", () => {
    const entries = minutes(1, 12).map((minute) =>
      checkByLists(minute, minute % 2 ? [10_000, "silent"] : ["silent", 10_000], OLD),
    );
    expect(eventsOf(start, ...entries)).toEqual([]);
  });

  it("settles no first value while the other can be asked", () => {
    const first = panelSnapshot(0, OLD, { of: 2, lists: [undefined, "silent"] });
    const alone = (to: number) =>
      minutes(1, to).map((minute) => checkByLists(minute, [undefined, "silent"], OLD));
    expect(validatorOf(foldStory(first, ...alone(2)), "A").rates.isAgreed).toBe(false);
    expect(validatorOf(foldStory(first, ...alone(3)), "A").rates.isAgreed).toBe(true);
  });

  it("does not date a change that both show later", () => {
    const { ledger } = foldStory(
      start,
      checkByLists(10, ["silent", 10_000], OLD),
      checkByLists(11, [10_000, 10_000], OLD),
    );
    expect(ledger.events).toMatchObject([{ slot: slotAt(11), createdAt: timeAt(10) }]);
  });

  it("dates no change while they tell of different epochs", () => {
    const entries = minutes(1, 6).map((minute) =>
      panelCheck(minute, RISEN, { of: 2, epochs: [FIRST_EPOCH, FIRST_EPOCH + 3] }),
    );
    expect(eventsOf(start, ...entries)).toEqual([]);
  });

  it("that is a million slots ahead is not where the cluster is, though no pace is measured yet", () => {
    const ahead = [0, 1_000_000];
    expect(acceptanceOf(start, panelCheck(1, OLD, { of: 2, by: 1, ahead }))).toBe("+-");
  });
});

describe("of nodes that list percents only", () => {
  const percents = (minute: number, lists: ListedRate[], held: AccountRate[]) =>
    panelSnapshot(minute, OLD, { of: 3, lists, accounts: held });

  it("a first rate by percents a point apart is put right without an event", () => {
    const lists = [{ percent: 6 }, { percent: 5 }, 500];
    const first = percents(0, lists, [600, "silent", 500]);
    expect(
      eventsOf(first, percents(10, lists, [600, 500, 500]), percents(20, lists, [600, 500, 500])),
    ).toEqual([]);
  });

  it("an exact rate that their percent hides is pending, and believed with their accounts", () => {
    const lists = [{ percent: 5 }, { percent: 5 }, 590];
    const hidden = [...agreeing(3), panelCheck(10, OLD, { of: 3, lists })];
    expect(foldStory(...hidden).pending).toMatchObject([{ to: 590, first: { time: timeAt(10) } }]);
    const shown = [11, 12, 13].map((minute) =>
      panelCheck(minute, OLD, { of: 3, lists, accounts: [500, 590, 590] }),
    );
    expect(eventsOf(...hidden, ...shown)).toEqual(["INFO 500→590 in 0"]);
  });

  it("an account, which may be as it was a minute ago, dates no change after it", () => {
    const lists = [{ percent: 5 }, { percent: 5 }, { percent: 5 }];
    const stale = percents(10, lists, [500, 500, 500]);
    const seen = [20, 30].map((minute) => percents(minute, lists, [590, 590, 590]));
    const [event] = foldStory(...agreeing(3), stale, ...seen).ledger.events;
    expect(event).toMatchObject({ to: 590, previousSlot: slotAt(9) });
  });
});

it("a late observation says nothing of how long a witness has been silent", () => {
  const { ledger } = foldStory(...agreeing(2), checkByLists(10, [500, 500], OLD));
  const late = [
    checkByLists(6.5, [500, "silent"], OLD),
    checkByLists(10.5, [10_000, "silent"], OLD),
  ];
  expect(foldOnto(ledger, ...late).ledger.events).toEqual([]);
});

describe("a dispute", () => {
  const disputed = [...agreeing(2), ...checksByLists([10], [10_000, 500])];
  const says = [
    { endpoint: "http://witness-0.example", commission: 10_000 },
    { endpoint: "http://witness-1.example", commission: 500 },
  ];

  it("tells who says what, and ends when one of them comes round", () => {
    expect(foldStory(...disputed).pending).toMatchObject([
      { from: 500, to: 10_000, disputed: true, answers: says },
    ]);
    expect(foldStory(...disputed, checkByLists(11, [500, 500], OLD)).pending).toEqual([]);
    expect(eventsOf(...disputed, checkByLists(11, [10_000, 10_000], OLD))).toEqual([RUG]);
  });

  it("is none while one of them has only not answered", () => {
    const outcome = foldStory(...agreeing(2), ...checksByLists([10], [10_000, "silent"]));
    const silent = { endpoint: "http://witness-1.example", commission: null };
    expect(outcome.pending).toMatchObject([{ disputed: false, answers: [says[0], silent] }]);
  });

  it("is none of one of three while the others do not answer, and it is told so long", () => {
    const outcome = foldStory(
      ...agreeing(3),
      ...checksByLists([10, 11], [10_000, "silent", "silent"]),
    );
    const silent = [1, 2].map((witness) => ({
      endpoint: `http://witness-${witness}.example`,
      commission: null,
    }));
    expect(outcome.pending).toMatchObject([{ disputed: false, answers: [says[0], ...silent] }]);
    expect(eventsIn(outcome)).toEqual([]);
  });
});
