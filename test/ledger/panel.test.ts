import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { panelCheck, panelConfirm, panelSnapshot, type Held } from "./panel-story.ts";
import { check, confirm, eventsOf, keyOf, slotAt, snapshot, tell, timeAt, validatorOf, withA } from "./story.ts";

const of = (text: string) => `COMMISSION ${text} of ${keyOf("A").slice(0, 4)}`;
const old = withA({ bps: 500 });
const rug = withA({ bps: 10_000 });
const five: Held = { bps: 500 };
const all: Held = { bps: 10_000 };
/** Ten minutes in which all witnesses agree, so that every rate is settled. */
const begin = (witnesses: number) => [
  panelSnapshot(0, old, { of: witnesses }),
  ...Array.from({ length: 9 }, (_, index) => panelCheck(index + 1, old, { of: witnesses, by: index % witnesses })),
];

describe("given what these witnesses say, then these events", () => {
  const table: [string, Entry[], string[]][] = [
    [
      "one alone: its account decides",
      [...begin(1), panelCheck(10, rug, { of: 1 }), panelConfirm(10.02, [all])],
      ["RUG 500→10000 in 0"],
    ],
    ["one alone: its account denies", [...begin(1), panelCheck(10, rug, { of: 1 }), panelConfirm(10.02, [five])], []],
    [
      "one alone that reads no accounts: its list 30 s later decides",
      [...begin(1), panelCheck(10, rug, { of: 1 }), panelConfirm(10.02, ["silent"]), panelCheck(10.5, rug, { of: 1 })],
      ["RUG 500→10000 in 0"],
    ],
    [
      "two: both",
      [...begin(2), panelCheck(10, rug, { of: 2 }), panelConfirm(10.02, [all, all])],
      ["RUG 500→10000 in 0"],
    ],
    [
      "two that contradict each other: nothing, however often they say it",
      [
        ...begin(2),
        ...[10, 11, 12, 13, 14, 15].flatMap((minute) => [
          panelCheck(minute, rug, { of: 2 }),
          panelConfirm(minute + 0.02, [all, five]),
        ]),
      ],
      [],
    ],
    [
      "two: one, once the other has been silent for three minutes",
      [
        ...begin(2),
        ...[10, 11, 12, 13].flatMap((minute) => [
          panelCheck(minute, rug, { of: 2 }),
          panelConfirm(minute + 0.02, [all, "silent"]),
        ]),
      ],
      ["RUG 500→10000 in 0"],
    ],
    [
      "two: not one, while the other has been silent for two minutes",
      [
        ...begin(2),
        ...[10, 11, 12].flatMap((minute) => [
          panelCheck(minute, rug, { of: 2 }),
          panelConfirm(minute + 0.02, [all, "silent"]),
        ]),
      ],
      [],
    ],
    [
      "three: two of them, whatever the third says",
      [...begin(3), panelCheck(10, rug, { of: 3 }), panelConfirm(10.02, [all, five, all])],
      ["RUG 500→10000 in 0"],
    ],
    [
      "three: not one of them",
      [...begin(3), panelCheck(10, rug, { of: 3 }), panelConfirm(10.02, [all, five, five])],
      [],
    ],
    [
      "three: not one of them that is heard a minute later again",
      [
        ...begin(3),
        ...[10, 11, 12, 13].flatMap((minute) => [
          panelCheck(minute, rug, { of: 3 }),
          panelConfirm(minute + 0.02, [all, five, five]),
        ]),
      ],
      [],
    ],
    [
      "four: three of them",
      [...begin(4), panelCheck(10, rug, { of: 4 }), panelConfirm(10.02, [all, five, all, all])],
      ["RUG 500→10000 in 0"],
    ],
    [
      "four: not two of them",
      [...begin(4), panelCheck(10, rug, { of: 4 }), panelConfirm(10.02, [all, five, five, all])],
      [],
    ],
    [
      "what most of them read counts, and not what the first list showed",
      [...begin(3), panelCheck(10, withA({ bps: 700 }), { of: 3 }), panelConfirm(10.02, [{ bps: 700 }, all, all])],
      ["RUG 500→10000 in 0"],
    ],
    [
      "a snapshot in which all read the accounts decides at once",
      [...begin(3), panelSnapshot(10, rug, { of: 3 })],
      ["RUG 500→10000 in 0"],
    ],
    [
      "and shows what a percent hides",
      [
        ...begin(3),
        panelSnapshot(10, withA({ percent: 5 }), { of: 3, held: [{ bps: 590 }, { bps: 590 }, { bps: 590 }] }),
      ],
      ["INFO 500→590 in 0"],
    ],
    [
      "a percent that a node shows of the held value is no reason to ask",
      [...begin(3), panelCheck(10, withA({ percent: 5 }), { of: 3 })],
      [],
    ],
    [
      "one point more in percent is asked for, and is a rug",
      [
        panelSnapshot(0, withA({ bps: 8900 }), { of: 3 }),
        panelCheck(1, withA({ percent: 90 }), { of: 3, by: 1 }),
        panelConfirm(1.02, [{ bps: 9000 }, { bps: 9000 }, { bps: 9000 }]),
      ],
      ["RUG 8900→9000 in 0"],
    ],
    [
      "8950 that a node rounds up is no rug",
      [
        panelSnapshot(0, withA({ bps: 5000 }), { of: 3 }),
        panelCheck(1, withA({ percent: 90 }), { of: 3, by: 1 }),
        panelConfirm(1.02, [{ bps: 8950 }, { bps: 8950 }, { bps: 8950 }]),
      ],
      ["CAUTION 5000→8950 in 0"],
    ],
  ];
  it.each(table)("%s", (_, entries, events) => {
    expect(eventsOf(tell(...entries))).toEqual(events.map(of));
  });
});

describe("one liar among three", () => {
  it("that claims to be 200 slots ahead is not where the panel is, and its rug is not believed", () => {
    const lies = [10, 11, 12, 13].flatMap((minute) => [
      panelCheck(minute, rug, { of: 3, by: 0, ahead: [200] }),
      panelConfirm(minute + 0.02, [{ bps: 10_000, ahead: 200 }, five, five]),
    ]);
    const told = tell(...begin(3), ...lies);
    expect(eventsOf(told)).toEqual([]);
    expect(told.ledger.acceptance.newest?.slot).toBe(slotAt(9));
  });

  it("that is 100 slots ahead is denied as soon as the others have come as far", () => {
    const lie = (minute: number) => [
      panelCheck(minute, rug, { of: 3, by: 0, ahead: [100] }),
      panelConfirm(minute + 0.02, [{ bps: 10_000, ahead: 100 }, five, five]),
    ];
    const told = tell(...begin(3), ...lie(10), ...lie(11), ...lie(12));
    expect(eventsOf(told)).toEqual([]);
    expect(told.ledger.dropped).toBeGreaterThan(0);
  });

  it("does not hide a rug, as second reader or as first", () => {
    const hidden = [10, 11, 12].flatMap((minute) => [
      panelCheck(minute, minute === 10 ? old : rug, { of: 3, by: minute % 3 === 1 ? 0 : 1 }),
      panelConfirm(minute + 0.02, [five, all, all]),
    ]);
    expect(eventsOf(tell(...begin(3), ...hidden))).toEqual([of("RUG 500→10000 in 0")]);
  });

  it("cannot move the window by showing the old value late, nor the new one early", () => {
    const told = tell(
      ...begin(3),
      panelCheck(10, rug, { of: 3, by: 1 }),
      panelCheck(10.4, old, { of: 3, by: 0 }),
      panelConfirm(10.42, [five, all, all]),
    );
    expect(told.ledger.events).toMatchObject([{ previousSlot: slotAt(8), slot: slotAt(10.42), createdAt: timeAt(10) }]);
  });

  it("cannot make a false first value the beginning of an event", () => {
    const first = panelSnapshot(0, withA({ bps: 0 }), { of: 3, held: [{ bps: 0 }, "silent", "silent"] });
    const told = tell(first, panelCheck(1, old, { of: 3, by: 1 }), panelConfirm(1.02, [{ bps: 0 }, five, five]));
    expect(eventsOf(told)).toEqual([]);
    expect(validatorOf(told, "A")).toMatchObject({ inflation: { basisPoints: 500 }, inflationSettled: true });
  });

  it("cannot make an account of before the last change speak for a change after it", () => {
    const told = tell(
      ...begin(3),
      panelCheck(10, rug, { of: 3, by: 2 }),
      panelConfirm(10.02, [all, "silent", all]),
      panelCheck(10.5, old, { of: 3, by: 0 }),
      panelConfirm(10.52, [{ bps: 500, ahead: -20 }, { bps: 500, ahead: -160 }, { bps: 10_000 }]),
    );
    expect(eventsOf(told)).toEqual([of("RUG 500→10000 in 0")]);
  });

  it("does not move where the newest accepted slot is", () => {
    const told = tell(...begin(3), panelCheck(10, old, { of: 3, by: 0, ahead: [149] }));
    expect(told.ledger.acceptance.newest?.slot).toBe(slotAt(10));
  });
});

describe("a liar", () => {
  it("that begins the epoch eight epochs on after 300 slots is not believed", () => {
    const leap = { ...panelCheck(10, old, { of: 1 }), epoch: 1108 };
    const told = tell(...begin(1), leap);
    expect(told.outcomes.at(-1)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining("cannot begin") as string,
    });
  });

  it("with three times the stake, or 900 times that of one, is not believed, and the true ones after it are", () => {
    for (const stakes of [
      withA({ stake: 900_000_000_000n }),
      old.map((fact) => ({ ...fact, stake: 3_000_000_000n })),
    ]) {
      const told = tell(...begin(1), panelCheck(10, stakes, { of: 1 }), panelCheck(11, old, { of: 1 }));
      expect(told.outcomes.slice(-2).map(({ accepted }) => accepted)).toEqual([false, true]);
      expect(validatorOf(told, "A").activeStake).toBe(1_000_000_000n);
    }
  });

  it("among three with a fifth more stake than the others show is not believed", () => {
    const more = old.map((fact) => ({ ...fact, stake: 1_200_000_000n }));
    const told = tell(...begin(3), panelCheck(10, more, { of: 3, by: 2 }));
    expect(told.outcomes.at(-1)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining("that the panel shows") as string,
    });
  });
});

describe("a mass change", () => {
  const crowd = Array.from({ length: 30 }, (_, index) => ({ name: `crowd ${index}`, bps: 500 }));
  const raised = crowd.map((fact) => ({ ...fact, bps: 1000 }));

  it("needs a majority and two further observations", () => {
    const entries = [
      panelSnapshot(0, crowd, { of: 3 }),
      panelSnapshot(10, raised, { of: 3 }),
      panelCheck(11, raised, { of: 3, by: 1 }),
    ];
    expect(eventsOf(tell(...entries))).toEqual([]);
    expect(eventsOf(tell(...entries, panelCheck(12, raised, { of: 3, by: 2 })))).toHaveLength(30);
  });
});

it("entries without a panel fold as they did, and a panel goes on from there", () => {
  const told = tell(
    snapshot(0, old),
    check(1, rug),
    confirm(1.02, [{ name: "A", bps: 10_000 }]),
    panelCheck(2, rug, { of: 3 }),
    panelCheck(3, old, { of: 3, by: 1 }),
    panelConfirm(3.02, [five, five, all]),
  );
  expect(eventsOf(told)).toEqual([of("RUG 500→10000 in 0"), of("INFO 10000→500 in 0")]);
});

describe("a dispute", () => {
  const disputed = [...begin(2), panelCheck(10, rug, { of: 2 }), panelConfirm(10.02, [all, five])];
  const says = [
    { endpoint: "http://witness-0.example", commission: 10_000 },
    { endpoint: "http://witness-1.example", commission: 500 },
  ];

  it("tells who says what", () => {
    expect(tell(...disputed).pending).toMatchObject([{ from: 500, to: 10_000, disputed: true, says }]);
  });

  it("ends when one of them comes round", () => {
    expect(tell(...disputed, panelConfirm(11.02, [five, five])).pending).toEqual([]);
    expect(eventsOf(tell(...disputed, panelConfirm(11.02, [all, all])))).toEqual([of("RUG 500→10000 in 0")]);
  });

  it("is none while one of them has only not answered", () => {
    const told = tell(...begin(2), panelCheck(10, rug, { of: 2 }), panelConfirm(10.02, [all, "silent"]));
    expect(told.pending).toMatchObject([{ disputed: false, says: [says[0], { ...says[1], commission: null }] }]);
  });
});

it("of two witnesses the one that is a million slots ahead is not where the cluster is, though no pace is measured yet", () => {
  const told = tell(panelSnapshot(0, old, { of: 2 }), panelCheck(1, old, { of: 2, by: 1, ahead: [0, 1_000_000] }));
  expect(told.outcomes.at(-1)).toMatchObject({ accepted: false });
  const honest = panelCheck(2, old, { of: 2, by: 0, ahead: [0, 1_000_000] });
  expect(tell(panelSnapshot(0, old, { of: 2 }), honest).outcomes.at(-1)).toEqual({ accepted: true });
});
