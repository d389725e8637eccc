import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import {
  FIRST_EPOCH,
  check,
  confirm,
  crowd,
  eventsOf,
  keyOf,
  named,
  rest,
  slotAt,
  snapshot,
  tell,
  timeAt,
  validatorOf,
  withA,
} from "./story.ts";

const of = (text: string) => `COMMISSION ${text} of ${keyOf("A").slice(0, 4)}`;
const first = snapshot(0, withA({ bps: 500 }));

describe("given these observations, then these events", () => {
  const table: [string, Entry[], string[]][] = [
    ["nothing changes", [first, check(1, withA({ bps: 500 }))], []],
    ["a change seen once is no event", [first, check(1, withA({ bps: 10_000 }))], []],
    [
      "the account itself confirms a rug",
      [first, check(1, withA({ bps: 10_000 })), confirm(1.02, [{ name: "A", bps: 10_000 }])],
      [of("RUG 500→10000 in 0")],
    ],
    [
      "an account of an old layout confirms in percent",
      [first, check(1, withA({ bps: 1500 })), confirm(1.02, [{ name: "A", percent: 15 }])],
      [of("CAUTION 500→1500 in 0")],
    ],
    [
      "the account itself denies a lie",
      [
        first,
        check(1, withA({ bps: 10_000 })),
        confirm(1.02, [{ name: "A", bps: 500 }]),
        check(2, withA({ bps: 500 })),
      ],
      [],
    ],
    [
      "a lie that is told again is denied again",
      [
        first,
        check(1, withA({ bps: 10_000 })),
        confirm(1.02, [{ name: "A", bps: 500 }]),
        check(2, withA({ bps: 10_000 })),
        confirm(2.02, [{ name: "A", bps: 500 }]),
      ],
      [],
    ],
    [
      "an account read at an older slot than the change cannot deny it",
      [
        first,
        check(1, withA({ bps: 10_000 })),
        confirm(1.02, [{ name: "A", bps: 500 }], [], slotAt(0.5)),
        check(2, withA({ bps: 10_000 })),
      ],
      [of("RUG 500→10000 in 0")],
    ],
    [
      "without a second reading the next observation 30 s later decides",
      [first, check(1, withA({ bps: 10_000 })), check(1.5, withA({ bps: 10_000 }))],
      [of("RUG 500→10000 in 0")],
    ],
    [
      "an observation 29 s later does not",
      [first, check(1, withA({ bps: 10_000 })), check(1.48, withA({ bps: 10_000 }))],
      [],
    ],
    [
      "a flip that is gone 30 s later is dropped",
      [first, check(1, withA({ bps: 10_000 })), check(2, withA({ bps: 500 }))],
      [],
    ],
    [
      "a third value starts anew",
      [first, check(1, withA({ bps: 10_000 })), check(2, withA({ bps: 600 })), check(3, withA({ bps: 600 }))],
      [of("INFO 500→600 in 0")],
    ],
    [
      "up and down again are two events",
      [
        first,
        check(1, withA({ bps: 10_000 })),
        confirm(1.02, [{ name: "A", bps: 10_000 }]),
        check(2, withA({ bps: 500 })),
        confirm(2.02, [{ name: "A", bps: 500 }]),
      ],
      [of("RUG 500→10000 in 0"), of("INFO 10000→500 in 0")],
    ],
    ["a missing field is no change", [first, check(1, withA({ bps: null })), check(2, withA({ bps: null }))], []],
    ["a missing row is no change", [first, check(1, rest), check(2, rest)], []],
    [
      "a percent that stands for the value is no change",
      [first, check(1, withA({ percent: 5 })), check(2, withA({ percent: 5 }))],
      [],
    ],
    [
      "a percent beyond a point is a change",
      [first, check(1, withA({ percent: 7 })), check(2, withA({ percent: 7 }))],
      [of("INFO 500→700 in 0")],
    ],
    [
      "the precise value confirms what a percent showed",
      [first, check(1, withA({ percent: 8 })), confirm(1.02, [{ name: "A", bps: 750 }])],
      [of("INFO 500→750 in 0")],
    ],
    [
      "all of it twice over is no change",
      [snapshot(0, withA({ bps: 10_000 })), check(1, withA({ bps: 15_000 })), check(2, withA({ bps: 15_000 }))],
      [],
    ],
    [
      "an account that does not exist decides nothing",
      [first, check(1, withA({ bps: 900 })), confirm(1.02, [{ name: "A", exists: false }])],
      [],
    ],
  ];

  it.each(table)("%s", (_, entries, events) => {
    expect(eventsOf(tell(...entries))).toEqual(events);
  });
});

describe("what an event says", () => {
  it("lies between the last observation of the old value and the first of the new", () => {
    const told = tell(
      first,
      check(1, withA({ bps: 500 })),
      check(2, withA({ bps: 10_000 })),
      confirm(2.02, [{ name: "A", bps: 10_000 }]),
    );
    expect(told.ledger.events).toMatchObject([
      { previousSlot: slotAt(1), previousSeenAt: timeAt(1), slot: slotAt(2), createdAt: timeAt(2), confirmed: true },
    ]);
  });

  it("pays from two epochs after the epoch in which the old value was last seen", () => {
    const told = tell(
      first,
      check(119, withA({ bps: 500 })),
      check(121, withA({ bps: 10_000 })),
      check(122, withA({ bps: 10_000 })),
    );
    expect(told.ledger.events).toMatchObject([
      { epoch: FIRST_EPOCH + 1, effectiveEpoch: FIRST_EPOCH + 2, effectiveEpochLatest: FIRST_EPOCH + 3 },
    ]);
  });

  it("counts from the epoch of the slot where the old value was seen, also in the first moments of the next one", () => {
    const boundary = check(120, withA({ bps: 500 }), { slot: slotAt(120) - 1 });
    const told = tell(first, boundary, check(121, withA({ bps: 10_000 })), check(122, withA({ bps: 10_000 })));
    expect(told.ledger.events).toMatchObject([{ previousSlot: slotAt(120) - 1, effectiveEpoch: FIRST_EPOCH + 2 }]);
  });

  it("pays at once for an account that is in no validator set yet", () => {
    const born = snapshot(121, withA({ bps: 500, inSet: false }));
    const joined = snapshot(245, withA({ bps: 10_000, inSet: false }));
    const told = tell(
      snapshot(0, rest),
      born,
      check(122, withA({ bps: 10_000 })),
      check(123, withA({ bps: 10_000 })),
      joined,
    );
    expect(told.ledger.events).toMatchObject([{ epoch: FIRST_EPOCH + 1, effectiveEpoch: FIRST_EPOCH + 1 }]);
  });

  it("has an id that names it for good, and holds the series from the second on", () => {
    const entries = [first, check(1, withA({ bps: 10_000 })), confirm(1.02, [{ name: "A", bps: 10_000 }])];
    const idsIn = (series: number) =>
      entries.map(named).reduce((ledger, entry) => fold(ledger, entry).ledger, createLedger("mainnet", series)).events;
    expect(idsIn(1).map(({ id }) => id)).toEqual(["838d5386dd81d5359223a1cd"]);
    expect(idsIn(2).map(({ id }) => id)).toEqual(["f9e8efeb84c3b1d56cd24ed5"]);
    expect(idsIn(3).map(({ id }) => id)).toEqual(["acdc00c56d41827f9239f416"]);
  });

  it("has an id of its own for each equal change of an epoch", () => {
    const flips = Array.from({ length: 8 }, (_, index) => check(index + 1, withA({ bps: index % 4 < 2 ? 10_000 : 0 })));
    const told = tell(snapshot(0, withA({ bps: 0 })), ...flips);
    expect(eventsOf(told)).toHaveLength(4);
    expect(new Set(told.ledger.events.map(({ id }) => id)).size).toBe(4);
  });
});

describe("while a change is pending", () => {
  it("the old value is shown and the change is listed", () => {
    const told = tell(first, check(1, withA({ bps: 10_000 })));
    expect(validatorOf(told, "A").commissionBasisPoints).toBe(500);
    expect(told.pending).toMatchObject([{ source: "COMMISSION", from: 500, to: 10_000, mass: false }]);
  });

  it("a denial is counted", () => {
    const told = tell(first, check(1, withA({ bps: 10_000 })), confirm(1.02, [{ name: "A", bps: 500 }]));
    expect(told.ledger.dropped).toBe(1);
    expect(told.pending).toEqual([]);
  });

  it("a change confirmed in a later epoch counts in the epoch that showed it", () => {
    const told = tell(first, check(119.9, withA({ bps: 10_000 })), check(121, withA({ bps: 10_000 })));
    const { ordinal } = validatorOf(told, "A");
    expect(told.ledger.inflation.get(FIRST_EPOCH)?.[ordinal]).toBe(10_000);
    expect(told.ledger.events).toMatchObject([{ epoch: FIRST_EPOCH }]);
  });
});

describe("a mass change", () => {
  const many = (bps: number) => crowd(30, { bps });
  const start = snapshot(0, many(500));
  const confirmAll = confirm(
    1.02,
    many(0).map(({ name }) => ({ name, bps: 10_000 })),
  );

  it("is not believed on the word of the accounts alone", () => {
    expect(eventsOf(tell(start, check(1, many(10_000)), confirmAll))).toEqual([]);
  });

  it("needs two further observations", () => {
    expect(eventsOf(tell(start, check(1, many(10_000)), check(2, many(10_000))))).toEqual([]);
    expect(eventsOf(tell(start, check(1, many(10_000)), check(2, many(10_000)), check(3, many(10_000))))).toHaveLength(
      30,
    );
  });

  it("is denied by accounts that hold the old values, however often it is told", () => {
    const denials = (minute: number) =>
      confirm(
        minute,
        many(0).map(({ name }) => ({ name, bps: 500 })),
      );
    const minutes = [1, 2, 3, 4];
    const told = tell(start, ...minutes.flatMap((minute) => [check(minute, many(10_000)), denials(minute + 0.02)]));
    expect(eventsOf(told)).toEqual([]);
    expect(told.pending).toEqual([]);
    expect(told.ledger.dropped).toBe(30 * minutes.length);
  });

  it("is denied of those alone whose accounts hold another value", () => {
    const minutes = [1, 2, 3];
    const denial = (minute: number) => confirm(minute, [{ name: "crowd 0", bps: 500 }]);
    const told = tell(start, ...minutes.flatMap((minute) => [check(minute, many(10_000)), denial(minute + 0.02)]));
    expect(eventsOf(told)).toHaveLength(29);
  });

  it("of twenty is none", () => {
    const facts = (bps: number) => [
      ...crowd(20, { bps }),
      ...Array.from({ length: 10 }, (_, index) => ({ name: `calm ${index}` })),
    ];
    expect(eventsOf(tell(snapshot(0, facts(500)), check(1, facts(9000)), check(2, facts(9000))))).toHaveLength(20);
  });
});

describe("knowing more precisely", () => {
  it("replaces a percent by the basis points it stood for, without an event", () => {
    const told = tell(snapshot(0, withA({ percent: 8 })), check(1, withA({ bps: 750 })));
    expect(validatorOf(told, "A").inflation).toEqual({ basisPoints: 750, exact: true });
    expect(eventsOf(told)).toEqual([]);
  });

  it("never replaces a precise value by a percent that agrees with it", () => {
    const told = tell(
      snapshot(0, withA({ bps: 750 })),
      check(1, withA({ percent: 8 })),
      check(2, withA({ percent: 7 })),
    );
    expect(validatorOf(told, "A").inflation).toEqual({ basisPoints: 750, exact: true });
  });
});
