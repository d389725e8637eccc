import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { searchesOfSweep } from "../../generator/views/searches-due.ts";
import { FIRST_EPOCH, slotAt, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { provedEventsOf, validatorOf } from "../story/outcome.ts";
import { panelCheck, panelSnapshot } from "../story/panels.ts";
import {
  AUTHORITY,
  changed,
  setsA,
  steady,
  transactions,
  search,
  unplaced,
  type Found,
} from "../story/transactions.ts";
import { withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

const flip = [setsA(12, [10_000]), setsA(13, [500])];
const placed = (minute: number, index: number, ...rates: number[]) => ({
  ...setsA(minute, rates),
  index,
});
const FLIP = [
  "500→10000 in 0: signature at 3600, swept",
  "10000→500 in 0: signature at 3900, swept",
];

describe("given transactions between polls that show the same, then these events", () => {
  it.each<[string, Found[], string[]]>([
    ["a flip", flip, FLIP],
    [
      "what was changed after the last poll waits for the next",
      [...flip, setsA(30.9, [10_000])],
      FLIP,
    ],
    [
      "of one slot, what stands at its end",
      [setsA(12, [10_000, 500]), setsA(13, [10_000, 0, 500])],
      [],
    ],
    [
      "several of one slot in the order of their places",
      [
        placed(12, 7, 500),
        placed(12, 5, 10_000),
        placed(13, 1, 800),
        placed(13, 2, 500, 900),
        setsA(14, [500]),
      ],
      ["500→900 in 0: signature at 3900, swept", "900→500 in 0: signature at 4200, swept"],
    ],
    [
      "with untold places",
      [unplaced(setsA(12, [10_000])), unplaced(setsA(12, [900])), setsA(14, [500])],
      [],
    ],
    ["a change that the accounts then deny", [setsA(12, [10_000])], []],
  ])("%s", (_, found, events) => {
    expect(provedEventsOf(...steady(0, 30, 500), search(31, ...found))).toEqual(events);
    expect(
      provedEventsOf(...steady(0, 30, 500), search(31, ...found), search(32, ...found)),
    ).toEqual(events);
  });

  it("also where the first accounts are of later slots than the lists beside them", () => {
    const first = panelSnapshot(0, withA(500), {
      of: 3,
      accounts: all(3, { bps: 500, ahead: 30 }),
      authority: AUTHORITY.address,
    });
    const found = [setsA(3, [10_000]), setsA(4, [500])];
    expect(provedEventsOf(first, ...steady(10, 30, 500), search(31, ...found))).toEqual([
      "500→10000 in 0: signature at 900, swept",
      "10000→500 in 0: signature at 1200, swept",
    ]);
  });

  it("not where another key may have set a rate between the last reading and the first signature", () => {
    const unread = [0, 5].map((minute) =>
      panelSnapshot(minute, withA(500), { of: 3, accounts: all(3, "silent") }),
    );
    expect(provedEventsOf(...unread, ...steady(20, 30, 500), search(31, ...flip))).toEqual([
      FLIP[1],
    ]);
  });

  it("none any more once they are told under other slots", () => {
    const moved = flip.map((carried) => ({ ...carried, slot: carried.slot + 5_700 }));
    const again = transactions(32, 3, { after: 30.5, upTo: 31.5, found: moved });
    expect(provedEventsOf(...steady(0, 30, 500), search(31, ...flip), again)).toEqual([]);
  });

  it("also by a search of before the next reading", () => {
    const polls = [
      ...steady(0, 40, 500),
      ...[50, 51].map((minute) => panelCheck(minute, withA(500), { of: 3 })),
    ];
    expect(provedEventsOf(...polls, search(47, setsA(45, [9_500]), setsA(46, [500])))).toEqual([
      "500→9500 in 0: signature at 13500, swept",
      "9500→500 in 0: signature at 13800, swept",
    ]);
  });

  it("with the time at which they were read while that is news, never paid where they were taken back", () => {
    const [up, down] = foldStory(...steady(0, 30, 500), search(31, ...flip)).ledger.events;
    const seen = { createdAt: timeAt(32), slot: slotAt(12), previousSlot: null };
    expect(up).toMatchObject({
      ...seen,
      confirmed: true,
      confirmedBy: "transaction",
      supersededBy: down?.id,
    });
    const late = foldStory(...steady(0, 400, 500), search(401, ...flip)).ledger.events;
    expect(late.map(({ createdAt }) => createdAt)).toEqual([null, null]);
  });

  it("also where a list already shows the way back, though its newest vote is older", () => {
    const shows = (minute: number, by: number) => panelCheck(minute, withA(500), { of: 3, by });
    const there = setsA(24.9, [10_000]);
    const back = setsA(25, [500], { slot: slotAt(25) + 1 });
    const polls = [...steady(0, 20, 500), shows(25, 0), shows(26, 1), ...changed(28, 700)];
    expect(provedEventsOf(...polls, search(29, there, back, setsA(27.9, [700])))).toEqual([
      "500→10000 in 0: signature at 7470, swept",
      "10000→500 in 0: signature at 7501, swept",
      "500→700 in 0: signature at 8370",
    ]);
  });
});

describe("where nodes list a transaction late", () => {
  const there = setsA(119.97, [10_000]);
  const back = setsA(120.2, [500]);
  const polls = [...steady(0, 110, 500), ...steady(120.9, 360, 500)];
  /** What all three list at a minute, said to reach to that minute. */
  const listed = (minute: number, after: number, ...found: Found[]) =>
    transactions(minute - 1, 3, {
      after,
      upTo: minute,
      answers: all(3, { state: "ok", after: slotAt(after), upTo: slotAt(minute) }),
      found,
    });
  const dueAfter = (...searches: Entry[]) => {
    const { ledger } = foldStory(...polls, ...searches);
    return searchesOfSweep(ledger).find((one) => one.authority === AUTHORITY.address)?.after ?? NaN;
  };
  const FLIP_AT_THE_END = [
    "500→10000 in 0: signature at 35991, swept",
    "10000→500 in 1: signature at 36060, swept",
  ];

  it.each<[string, Entry, string[]]>([
    ["both ways of a flip", listed(120.95, -100), []],
    ["the way back", listed(120.95, -100, there), []],
    ["neither", listed(120.95, -100, there, back), []],
  ])(
    "a list that lacks %s hides nothing for ever, and accuses nobody until the next",
    (_, first, events) => {
      expect(provedEventsOf(...polls, first)).toEqual(events);
      const after = (dueAfter(first) - slotAt(0)) / 300;
      const found = [there, back].filter(({ slot }) => slot > slotAt(after));
      expect(provedEventsOf(...polls, first, listed(240, after, ...found))).toEqual(
        FLIP_AT_THE_END,
      );
    },
  );

  it("a witness that says it is further than it is has no more slots covered", () => {
    const ok = (minute: number) => ({
      state: "ok" as const,
      after: slotAt(-100),
      upTo: slotAt(minute),
    });
    const answers = [ok(500), ok(120.95), ok(120.95)];
    const first = transactions(120, 3, { after: -100, upTo: 120.95, answers, found: [] });
    expect(dueAfter(first)).toBe(slotAt(119.95));
  });
});

describe("where nobody observed the old commission after a change that no search covers", () => {
  it.each<[string, Entry[], [number, number, number], number]>([
    ["between two snapshots", steady(0, 30, 500), [12, 18.5, 19], 13],
    [
      "while the generator was down",
      [...steady(0, 10, 500), ...steady(300, 330, 500)],
      [20, 250, 260],
      100,
    ],
  ])(
    "the next one is no event until that is covered %s",
    (_, polls, [hidden, cut, back], after) => {
      const found = [setsA(hidden, [10_000]), setsA(cut, [700]), setsA(back, [500])];
      const end = polls.length > 4 ? 331 : 31;
      const searchAfter = (minute: number) =>
        transactions(end, 3, {
          after: minute,
          upTo: end - 0.05,
          found: found.filter(({ slot }) => slot > slotAt(minute)),
        });
      const rates = (...searches: Entry[]) =>
        foldStory(...polls, ...searches)
          .ledger.events.map(({ from, to }) => `${from}→${to}`)
          .sort();
      expect(rates(searchAfter(after))).toEqual(["700→500"]);
      expect(rates(searchAfter(after), searchAfter(-100))).toEqual([
        "10000→700",
        "500→10000",
        "700→500",
      ]);
    },
  );
});

const searchTo = (upTo: number, after: number, ...found: Found[]) =>
  transactions(131, 3, { after, upTo, found });
const to700 = [...changed(40, 700), ...steady(50, 130, 700)];
const polled = steady(0, 30, 500);
const NEITHER = [undefined, undefined];
const flipBetween = (one: number, other: number) => [setsA(one, [10_000]), setsA(other, [500])];

it.each<[string, Entry[], (number | undefined)[]]>([
  [
    "is proved, though unseen",
    [...steady(0, 250, 500), search(251, ...flipBetween(119.9, 120.1))],
    [10_000, 500],
  ],
  [
    "of each epoch that it lasted",
    [...steady(0, 260, 500), search(261, ...flipBetween(119, 250))],
    [10_000, 10_000],
  ],
  [
    "is that of the transactions, where another that was observed after it is disputed",
    [...polled, search(31, ...flip), ...to700, searchTo(130.5, 30)],
    [500, undefined],
  ],
  [
    "nor while more may have happened",
    [...steady(0, 130, 500), searchTo(100, -100, setsA(12, [500]))],
    NEITHER,
  ],
])("what stood at the end of an epoch %s", (_, entries, proved) => {
  const outcome = foldStory(...entries);
  const { validatorIndex } = validatorOf(outcome, "A");
  const points = [0, 1].map(
    (epoch) => outcome.ledger.proved.get(FIRST_EPOCH + epoch)?.[validatorIndex],
  );
  expect(points.map((point) => (point === 65_535 ? undefined : point))).toEqual(proved);
});
