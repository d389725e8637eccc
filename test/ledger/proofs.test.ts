import { describe, expect, it } from "vitest";
import { NOT_RECORDED } from "../../generator/ledger/columns.ts";
import { updateCommissionBasisPoints } from "../../infra/demo/cluster/transactions/programs.ts";
import { isCovered } from "../../generator/ledger/coverage.ts";
import type { Entry, SearchAnswer } from "../../generator/entries/entry.ts";
import { searchesForEvents } from "../../generator/ledger/searches-due.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";
import { panelCheck, panelConfirm, panelSnapshot } from "./panel-story.ts";
import { AUTHORITY, carriedOut, setsA, transactions, type Lie } from "./proof-story.ts";
import { epochAt, FIRST_EPOCH, slotAt, tell, timeAt, validatorOf, withA, type Told } from "./story.ts";

const authority = AUTHORITY.address;
const rate = (bps: number) => withA({ bps });
/** Snapshots each ten minutes, in which all three witnesses read this rate of A. */
const steady = (from: number, to: number, bps: number): Entry[] =>
  Array.from({ length: Math.floor((to - from) / 10) + 1 }, (_, index) =>
    panelSnapshot(from + index * 10, rate(bps), { of: 3, by: index % 3, authority }),
  );
/** A check that shows another rate, and the accounts that confirm it. */
const changed = (minute: number, bps: number): Entry[] => [
  panelCheck(minute, rate(bps), { of: 3, by: 1 }),
  panelConfirm(
    minute + 0.02,
    [1, 2, 3].map(() => ({ bps })),
    authority,
  ),
];

/** Events in the order in which they happened, short. */
function story({ ledger }: Told): string[] {
  const slotOf = (event: (typeof ledger.events)[number]) => event.transaction?.slot ?? event.slot;
  return [...ledger.events]
    .sort((a, b) => slotOf(a) - slotOf(b))
    .map((event) => {
      const { from, to, epoch, transaction, isSwept, replacedBy } = event;
      const proof = transaction === null ? "unproved" : `${transaction.verified} at ${transaction.slot - slotAt(0)}`;
      const marks = [...(isSwept ? ["swept"] : []), ...(replacedBy === null ? [] : ["replaced"])];
      return [`${from}→${to} in ${epoch - FIRST_EPOCH}: ${proof}`, ...marks].join(", ");
    });
}

describe("given what transactions tell, then these events", () => {
  const rug = setsA(10, [10_000], { slot: slotAt(9.5) });
  const table: [string, Entry[], string[]][] = [
    [
      "a change that was observed takes its transaction",
      [
        ...steady(0, 0, 500),
        ...changed(10, 10_000),
        transactions(10.1, 3, { after: -100, upTo: 10.05, found: [{ carried: rug }] }),
      ],
      ["500→10000 in 0: signature at 2850"],
    ],
    [
      "found before the change was observed, it is kept for it",
      [
        ...steady(0, 0, 500),
        transactions(9.8, 3, { after: -100, upTo: 9.7, found: [{ carried: rug }] }),
        ...changed(10, 10_000),
        transactions(10.1, 3, { after: 9.7, upTo: 10.05, found: [] }),
      ],
      ["500→10000 in 0: signature at 2850"],
    ],
    [
      "while more may have happened after it, the change has none",
      [
        ...steady(0, 0, 500),
        ...changed(10, 10_000),
        transactions(10.1, 3, { after: -100, upTo: 9.7, found: [{ carried: rug }] }),
      ],
      ["500→10000 in 0: unproved"],
    ],
    [
      "a window over a boundary: the transaction says in which epoch",
      [
        ...steady(0, 110, 500),
        ...changed(121, 10_000),
        transactions(121.1, 3, { after: 0, upTo: 121.05, found: [{ carried: setsA(118, [10_000]) }] }),
      ],
      ["500→10000 in 0: signature at 35400"],
    ],
    [
      "a flip between two polls that show the same",
      [
        ...steady(0, 30, 500),
        transactions(31, 3, {
          after: -100,
          upTo: 30.5,
          found: [{ carried: setsA(12, [10_000]) }, { carried: setsA(13, [500]) }],
        }),
      ],
      ["500→10000 in 0: signature at 3600, swept", "10000→500 in 0: signature at 3900, swept"],
    ],
    [
      "the same told once more changes nothing",
      [
        ...steady(0, 30, 500),
        ...[31, 32].map((minute) =>
          transactions(minute, 3, {
            after: -100,
            upTo: minute - 0.5,
            found: [{ carried: setsA(12, [10_000]) }, { carried: setsA(13, [500]) }],
          }),
        ),
      ],
      ["500→10000 in 0: signature at 3600, swept", "10000→500 in 0: signature at 3900, swept"],
    ],
    [
      "several in one window, in one epoch: one event, by the last",
      [
        ...steady(0, 0, 500),
        ...changed(10, 700),
        transactions(10.1, 3, {
          after: -100,
          upTo: 10.05,
          found: [{ carried: setsA(4, [10_000]) }, { carried: setsA(5, [0]) }, { carried: setsA(6, [700]) }],
        }),
      ],
      ["500→700 in 0: signature at 1800"],
    ],
    [
      "several in one window, of which one stood at a boundary: the steps are the events",
      [
        ...steady(0, 110, 500),
        ...changed(121, 700),
        transactions(121.1, 3, {
          after: 0,
          upTo: 121.05,
          found: [{ carried: setsA(119, [10_000]) }, { carried: setsA(120.5, [700]) }],
        }),
      ],
      [
        "500→10000 in 0: signature at 35700, swept",
        "500→700 in 1: signature at 36150, replaced",
        "10000→700 in 1: signature at 36150, swept",
      ],
    ],
    [
      "of several in one window that stood at a boundary nothing is said while more may have happened",
      [
        ...steady(0, 110, 500),
        ...changed(121, 700),
        transactions(121.1, 3, {
          after: 118,
          upTo: 121.05,
          found: [{ carried: setsA(119, [10_000]) }, { carried: setsA(120.5, [700]) }],
        }),
      ],
      ["500→700 in 1: unproved"],
    ],
    [
      "several in one window, and the old rate stood at the boundary: one event, by the last",
      [
        ...steady(0, 110, 500),
        ...changed(121, 700),
        transactions(121.1, 3, {
          after: 0,
          upTo: 121.05,
          found: [{ carried: setsA(118, [10_000]) }, { carried: setsA(119, [500]) }, { carried: setsA(120.5, [700]) }],
        }),
      ],
      ["500→700 in 1: signature at 36150"],
    ],
    [
      "what was changed after the last observation waits for the next",
      [
        ...steady(0, 30, 500),
        transactions(36, 3, {
          after: -100,
          upTo: 35.5,
          found: [12, 13, 34].map((minute) => ({ carried: setsA(minute, [minute === 13 ? 500 : 10_000]) })),
        }),
      ],
      ["500→10000 in 0: signature at 3600, swept", "10000→500 in 0: signature at 3900, swept"],
    ],
    [
      "several in one transaction: what stands at the end of its slot",
      [
        ...steady(0, 30, 500),
        transactions(31, 3, {
          after: -100,
          upTo: 30.5,
          found: [{ carried: setsA(12, [10_000, 500]) }, { carried: setsA(13, [10_000, 0, 500]) }],
        }),
      ],
      [],
    ],
    [
      "several of one slot in the order of their places",
      [
        ...steady(0, 30, 500),
        transactions(31, 3, {
          after: -100,
          upTo: 30.5,
          found: [
            { carried: { ...setsA(12, [500]), index: 7 } },
            { carried: { ...setsA(12, [10_000]), index: 5 } },
            { carried: { ...setsA(13, [800]), index: 1 } },
            { carried: { ...setsA(13, [500, 900]), index: 2 } },
            { carried: { ...setsA(14, [500]), index: 0 } },
          ],
        }),
      ],
      ["500→900 in 0: signature at 3900, swept", "900→500 in 0: signature at 4200, swept"],
    ],
    [
      "of one slot with untold places the one that set what was observed came last",
      [
        ...steady(0, 0, 500),
        ...changed(10, 900),
        transactions(10.1, 3, {
          after: -100,
          upTo: 10.05,
          found: [900, 10_000].map((to) => ({ carried: setsA(8, [to]), lies: [1, 2, 3].map(() => ({ index: null })) })),
        }),
      ],
      ["500→900 in 0: signature at 2400"],
    ],
    [
      "of one slot with untold places, and another transaction after it, the last one made the change",
      [
        ...steady(0, 0, 500),
        ...changed(10, 900),
        transactions(10.1, 3, {
          after: -100,
          upTo: 10.05,
          found: [
            ...[700, 10_000].map((to) => ({ carried: setsA(7, [to]), lies: [1, 2, 3].map(() => ({ index: null })) })),
            { carried: setsA(8, [900]) },
          ],
        }),
      ],
      ["500→900 in 0: signature at 2400"],
    ],
    [
      "which of one slot with untold places stood at a boundary nobody knows",
      [
        ...steady(0, 110, 500),
        ...changed(121, 700),
        transactions(121.1, 3, {
          after: 0,
          upTo: 121.05,
          found: [
            ...[900, 10_000].map((to) => ({ carried: setsA(119, [to]), lies: [1, 2, 3].map(() => ({ index: null })) })),
            { carried: setsA(120.5, [700]) },
          ],
        }),
      ],
      ["500→700 in 1: unproved"],
    ],
    [
      "of one slot with untold places nothing is concluded",
      [
        ...steady(0, 30, 500),
        transactions(31, 3, {
          after: -100,
          upTo: 30.5,
          found: [
            { carried: setsA(12, [10_000]), lies: [1, 2, 3].map(() => ({ index: null })) },
            { carried: setsA(12, [900]), lies: [1, 2, 3].map(() => ({ index: null })) },
            { carried: setsA(14, [500]) },
          ],
        }),
      ],
      [],
    ],
    [
      "one alone is believed, and said to be one",
      [
        panelSnapshot(0, rate(500), { of: 1, authority }),
        panelCheck(10, rate(10_000), { of: 1 }),
        panelConfirm(10.02, [{ bps: 10_000 }], authority),
        transactions(10.1, 1, { after: -100, upTo: 10.05, found: [{ carried: rug }] }),
      ],
      ["500→10000 in 0: signature, one witness at 2850"],
    ],
  ];

  it.each(table)("%s", (_, entries, events) => {
    expect(story(tell(...entries))).toEqual(events);
  });
});

describe("what is not proved", () => {
  const rug = setsA(9.5, [10_000]);
  const told = (...entries: Entry[]) => story(tell(...steady(0, 0, 500), ...changed(10, 10_000), ...entries));
  const whole = { after: -100, upTo: 10.05 };
  const unproved = ["500→10000 in 0: unproved"];

  it("one of three witnesses tells of it", () => {
    expect(
      told(transactions(10.1, 3, { ...whole, found: [{ carried: rug, lies: ["true", "unknown", "unknown"] }] })),
    ).toEqual(unproved);
  });

  it("two of three decide", () => {
    expect(
      told(transactions(10.1, 3, { ...whole, found: [{ carried: rug, lies: ["true", "unknown", "true"] }] })),
    ).toEqual(["500→10000 in 0: signature at 2850"]);
  });

  it("a majority tells that it failed", () => {
    const lies = [{ failed: true }, { failed: true }, "true" as const];
    expect(told(transactions(10.1, 3, { ...whole, found: [{ carried: rug, lies }] }))).toEqual(unproved);
  });

  it("each tells another slot", () => {
    const lies = [{ slot: rug.slot + 1 }, { slot: rug.slot + 2 }, "true" as const];
    expect(told(transactions(10.1, 3, { ...whole, found: [{ carried: rug, lies }] }))).toEqual(unproved);
  });

  it("a stranger signed, whatever all of them tell", () => {
    const stranger = setsA(9.5, [10_000], { by: deriveKeypair("a stranger") });
    expect(told(transactions(10.1, 3, { ...whole, found: [{ carried: stranger }] }))).toEqual(unproved);
  });

  it("its bytes were altered, and all of them tell so", () => {
    const bytes = Buffer.from(rug.bytes, "base64");
    bytes.writeUInt16LE(9_000, bytes.length - 6);
    const lies = [1, 2, 3].map(() => ({ bytes: bytes.toString("base64") }));
    expect(told(transactions(10.1, 3, { ...whole, found: [{ carried: rug, lies }] }))).toEqual(unproved);
  });

  it("it is of another vote account", () => {
    const other = carriedOut(
      slotAt(9.5),
      [updateCommissionBasisPoints(deriveKeypair("another account").address, authority, 10_000)],
      [AUTHORITY],
    );
    expect(told(transactions(10.1, 3, { ...whole, found: [{ carried: other }] }))).toEqual(unproved);
  });

  it("it is told under another name", () => {
    const other = { ...rug, signature: setsA(9.4, [10_000]).signature };
    expect(told(transactions(10.1, 3, { ...whole, found: [{ carried: other }] }))).toEqual(unproved);
  });

  it("each tells of other instructions inside it", () => {
    const lies = [1, 2, 3].map((index) => ({ inner: [[0, 2, [index], "AA=="] as [number, number, number[], string]] }));
    expect(told(transactions(10.1, 3, { ...whole, found: [{ carried: rug, lies }] }))).toEqual(unproved);
  });

  it("another one in its window is not decided: it may have been the last", () => {
    const later = setsA(9.8, [700]);
    const found = [{ carried: rug }, { carried: later, lies: ["true", "unknown", "failed"] as Lie[] }];
    expect(told(transactions(10.1, 3, { ...whole, found }))).toEqual(unproved);
  });

  it("it is told under another slot later: from then on it proves nothing", () => {
    const again = { ...rug, slot: slotAt(10.5) };
    const first = transactions(10.1, 3, { ...whole, found: [{ carried: rug }] });
    expect(told(first)).toEqual(["500→10000 in 0: signature at 2850"]);
    expect(told(first, transactions(11, 3, { after: 10.05, upTo: 11, found: [{ carried: again }] }))).toEqual(unproved);
  });
});

describe("an event with its transaction", () => {
  const entries = [
    ...steady(0, 110, 500),
    ...changed(121, 10_000),
    transactions(121.1, 3, {
      after: 0,
      upTo: 121.05,
      found: [{ carried: setsA(117, [800, 900]) }, { carried: setsA(118, [10_000]) }],
    }),
  ];
  const without = tell(...entries.slice(0, -1));
  const proved = tell(...entries);

  it("keeps its id, its rates and its time", () => {
    const facts = (told: Told) =>
      told.ledger.events.map(({ id, from, to, createdAt }) => ({ id, from, to, createdAt }));
    expect(facts(proved)).toEqual(facts(without));
    expect(facts(proved)).toHaveLength(1);
  });

  it("is of the transaction's epoch, and paid from one epoch on", () => {
    expect(without.ledger.events[0]).toMatchObject({
      epoch: epochAt(121),
      effectiveEpoch: 1102,
      effectiveEpochLatest: 1103,
    });
    expect(proved.ledger.events[0]).toMatchObject({
      epoch: epochAt(118),
      effectiveEpoch: 1102,
      effectiveEpochLatest: 1102,
    });
  });

  it("shows each step", () => {
    expect(proved.ledger.events[0]?.transaction?.steps.map(({ basisPoints }) => basisPoints)).toEqual([
      800, 900, 10_000,
    ]);
  });

  it("settles what stood at the end of the epoch", () => {
    const { ordinal } = validatorOf(proved, "A");
    expect(proved.ledger.proved.get(epochAt(118))?.[ordinal]).toBe(10_000);
  });

  it("touches both epochs", () => {
    expect(proved.touched.epochs).toContain(epochAt(118));
    expect(proved.touched.epochs).toContain(epochAt(121));
  });
});

describe("a change that only its transaction tells of", () => {
  const flip = [{ carried: setsA(12, [10_000]) }, { carried: setsA(13, [500]) }];

  it("has the time at which it was read while it is news", () => {
    const { ledger } = tell(...steady(0, 30, 500), transactions(31, 3, { after: -100, upTo: 30.5, found: flip }));
    expect(ledger.events[0]).toMatchObject({
      createdAt: timeAt(31),
      slot: slotAt(12),
      previousSlot: null,
      confirmed: true,
      confirmedBy: "transaction",
    });
  });

  it("has none when it is found more than two epochs late", () => {
    const { ledger } = tell(...steady(0, 400, 500), transactions(401, 3, { after: -100, upTo: 400.5, found: flip }));
    expect(ledger.events.map(({ createdAt }) => createdAt)).toEqual([null, null]);
  });

  it("is none any more once its transaction is told under another slot", () => {
    const again = transactions(32, 3, {
      after: 30.5,
      upTo: 31.5,
      found: flip.map(({ carried }) => ({ carried: { ...carried, slot: carried.slot + 5_700 } })),
    });
    const first = [...steady(0, 30, 500), transactions(31, 3, { after: -100, upTo: 30.5, found: flip })];
    expect(tell(...first).ledger.events).toHaveLength(2);
    expect(tell(...first, again).ledger.events).toEqual([]);
  });

  it("was never paid, where it was taken back in the same epoch", () => {
    const { ledger } = tell(...steady(0, 30, 500), transactions(31, 3, { after: -100, upTo: 30.5, found: flip }));
    expect(ledger.events[0]?.supersededBy).toBe(ledger.events[1]?.id);
  });

  it("stands at the end of its epoch, though no observation showed it", () => {
    const found = [{ carried: setsA(119.9, [10_000]) }, { carried: setsA(120.1, [500]) }];
    const told = tell(...steady(0, 250, 500), transactions(251, 3, { after: -100, upTo: 250.5, found }));
    const { ordinal } = validatorOf(told, "A");
    expect(told.ledger.proved.get(FIRST_EPOCH)?.[ordinal]).toBe(10_000);
    expect(told.ledger.proved.get(FIRST_EPOCH + 1)?.[ordinal]).toBe(500);
    expect(told.ledger.inflation.get(FIRST_EPOCH)?.[ordinal]).toBe(500);
  });

  it("does not say what stood at the end where another change was observed after it", () => {
    const found = [{ carried: setsA(12, [10_000]) }, { carried: setsA(13, [500]) }];
    const told = tell(
      ...steady(0, 30, 500),
      transactions(31, 3, { after: -100, upTo: 30.5, found }),
      ...changed(40, 700),
      ...steady(50, 130, 700),
      transactions(131, 3, { after: 30, upTo: 130.5, found: [] }),
    );
    const { ordinal } = validatorOf(told, "A");
    expect(told.ledger.proved.get(FIRST_EPOCH)?.[ordinal] ?? NOT_RECORDED).toBe(NOT_RECORDED);
    expect(told.ledger.inflation.get(FIRST_EPOCH)?.[ordinal]).toBe(700);
  });

  it("says nothing of the end of its epoch while more may have happened until then", () => {
    const told = tell(
      ...steady(0, 130, 500),
      transactions(131, 3, { after: -100, upTo: 100, found: [{ carried: setsA(12, [500]) }] }),
    );
    const { ordinal } = validatorOf(told, "A");
    expect(told.ledger.proved.get(FIRST_EPOCH)?.[ordinal] ?? NOT_RECORDED).toBe(NOT_RECORDED);
  });

  it("stands at the ends of the epochs, too, in which observations still showed the old one", () => {
    const found = [{ carried: setsA(119, [10_000]) }, { carried: setsA(250, [500]) }];
    const told = tell(...steady(0, 260, 500), transactions(261, 3, { after: -100, upTo: 260.5, found }));
    const { ordinal } = validatorOf(told, "A");
    expect([0, 1].map((epoch) => told.ledger.proved.get(FIRST_EPOCH + epoch)?.[ordinal])).toEqual([10_000, 10_000]);
  });

  it("takes the place of the observed one that it is a step of", () => {
    const found = [{ carried: setsA(119, [10_000]) }, { carried: setsA(120.5, [700]) }];
    const { ledger } = tell(
      ...steady(0, 110, 500),
      ...changed(121, 700),
      transactions(121.1, 3, { after: 0, upTo: 121.05, found }),
    );
    const [observed, , last] = ledger.events;
    expect(observed).toMatchObject({ isSwept: false, supersededBy: last?.id });
    expect(last).toMatchObject({ from: 10_000, to: 700, isSwept: true, supersededBy: null });
  });

  it("is none where the accounts were read to hold another rate afterwards, and nothing else happened", () => {
    const { ledger } = tell(
      ...steady(0, 30, 500),
      transactions(31, 3, { after: -100, upTo: 30.5, found: [{ carried: setsA(12, [10_000]) }] }),
    );
    expect(ledger.events).toEqual([]);
  });
});

it("what was passed over before the key was known to hold the authority is searched once more", () => {
  const heir = deriveKeypair("heir");
  const first = setsA(12, [10_000], { by: heir });
  const before = [
    ...steady(0, 10, 500),
    transactions(13, 3, { authority: heir.address, after: -100, upTo: 12.5, found: [{ carried: first }] }),
    panelSnapshot(20, rate(10_000), { of: 3, by: 1, authority: heir.address }),
  ];
  const passedOver = tell(...before);
  const slots = { after: slotAt(11), upTo: slotAt(12.2) };
  expect(isCovered(validatorOf(passedOver, "A"), slots)).toBe(false);
  const due = searchesForEvents(passedOver.ledger, timeAt(0)).find((one) => one.authority === heir.address);
  expect(due?.after).toBeLessThan(first.slot);
  const again = transactions(
    20.1,
    3,
    { after: -100, upTo: 20, found: [] },
    { authority: heir.address, after: 10, upTo: 20, found: [{ carried: first }] },
  );
  const told = tell(...before, again);
  expect(story(told)).toEqual(["500→10000 in 0: signature at 3600"]);
  expect(isCovered(validatorOf(told, "A"), slots)).toBe(true);
});

it("slots are not searched by one who has not heard of a transaction yet, and one who says the same", () => {
  const found = [{ carried: setsA(30.4, [10_000]), lies: ["true", "unknown", "unknown"] as Lie[] }];
  const behind: SearchAnswer = { state: "ok", after: slotAt(-100), upTo: slotAt(30.3) };
  const told = tell(
    ...steady(0, 30, 500),
    transactions(31, 3, { after: -100, upTo: 30.5, answers: ["true", behind, "true"], found }),
  );
  expect(validatorOf(told, "A").authorities[0]?.covered).toEqual([[slotAt(-100), slotAt(30.3)]]);
});

it("a disputed change is not settled by a transaction from before the old rate was read", () => {
  const told = tell(
    ...steady(0, 10, 500),
    panelCheck(11, rate(10_000), { of: 3, by: 1 }),
    panelConfirm(11.02, [{ bps: 10_000 }, { bps: 500 }, "silent"], authority),
    transactions(11.1, 3, { after: -100, upTo: 11.05, found: [{ carried: setsA(9.5, [10_000]) }] }),
  );
  expect(story(told).filter((event) => !event.includes("swept"))).toEqual([]);
  expect(validatorOf(told, "A").inflation).toEqual({ basisPoints: 500, exact: true });
});

it("a disputed change is settled by its transaction", () => {
  const entries = [
    ...steady(0, 0, 500),
    panelCheck(10, rate(10_000), { of: 3, by: 1 }),
    panelConfirm(10.02, [{ bps: 10_000 }, { bps: 500 }, "silent"], authority),
  ];
  expect(story(tell(...entries))).toEqual([]);
  const proof = transactions(10.1, 3, { after: -100, upTo: 10.05, found: [{ carried: setsA(9.5, [10_000]) }] });
  const told = tell(...entries, proof);
  expect(story(told)).toEqual(["500→10000 in 0: signature at 2850"]);
  expect(told.ledger.events[0]?.confirmedBy).toBe("transaction");
  expect(validatorOf(told, "A").inflation).toEqual({ basisPoints: 10_000, exact: true });
});
