import { expect, test } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";
import { FIRST_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { panelCheck, panelSnapshot } from "../story/panels.ts";
import {
  AUTHORITY,
  changed,
  setsA,
  steady,
  transactions,
  withdrawsA,
  type Found,
} from "../story/transactions.ts";
import { keyOf, rest, withA, type Fact } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";
import { read } from "./read.ts";
import { expectTouchedToSuffice } from "./rendered.ts";

/* What an epoch's rewards pay is known where the end of
   the epoch that decides it was watched, or searched. */

const A = { votePubkey: keyOf("A") };

/** By epoch of the story, what A announces and what is applied. */
const historyOf = (entries: Entry[]) =>
  read(foldStory(...entries).ledger, "commissionHistory", A).data.map(
    (point) => `${point.epoch - FIRST_EPOCH}: ${point.commission} ${point.appliedCommission}`,
  );
const at = (minute: number, bps = 500) => panelCheck(minute, withA(bps), { of: 3, by: 1 });
/** Made known by searches after a minute until another. */
const searched = (after: number, upTo: number, ...found: Found[]) =>
  transactions(upTo + 0.05, 3, { after, upTo, found });
const steps = (from: number, to: number, by: number, bps = 500) =>
  Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) =>
    at(from + index * by, bps),
  );
/** Snapshots of the first epoch up to a minute, and of the third. */
const around = (until: number, from: number) => [
  ...steady(0, until, 500),
  ...steady(from, from + 130, 500),
];
const unproved = { lies: all(3, { index: null }) };

test.each<[string, Entry[], string | null]>([
  ["checks each minute", [...around(110, 240), ...steps(111, 239, 1)], "5"],
  ["checks a minute apart, whenever they are", [...around(110, 240), at(119.4), at(120.5)], "5"],
  ["a burst", [...around(110, 240), ...steps(119.84, 120.2, 1 / 30)], "5"],
  ["readings an hour away on both sides, as nobody knows", around(60, 180), null],
  [
    "one reading an epoch, as nobody knows",
    [0, 1, 2].flatMap((epoch) => steady(epoch * 120 + 60, epoch * 120 + 60, 500)),
    null,
  ],
  [
    "snapshots each ten minutes, as nobody knows",
    [...around(110, 130), ...steady(130, 250, 500)],
    null,
  ],
  ["a gap, where it is searched", [...around(60, 180), searched(50, 130)], "5"],
  ["a gap, where only a part is searched", [...around(60, 180), searched(70, 130)], null],
  ["a gap, where its end is not searched", [...around(60, 180), searched(50, 119.9)], null],
  [
    "a gap, where another key may have signed",
    [
      ...around(60, 180),
      searched(50, 130),
      ...steady(250, 250, 500, deriveKeypair("heir").address),
    ],
    "5",
  ],
  [
    "a gap, where a flip is proved",
    [...around(60, 180), searched(50, 130, setsA(119, [10_000]), setsA(121, [500]))],
    "100",
  ],
  [
    "a gap, where a withdrawal may have closed the account, which any rate can open again",
    [...around(60, 180), searched(50, 130, withdrawsA(100))],
    null,
  ],
  [
    "a gap, where such a withdrawal was found before the epoch ended",
    [
      ...steady(0, 60, 500),
      searched(50, 80, withdrawsA(75)),
      ...steady(180, 310, 500),
      searched(80, 130),
    ],
    null,
  ],
  [
    "a gap, where so many followed such a withdrawal that it is not kept",
    [
      ...around(60, 180),
      searched(
        50,
        130,
        withdrawsA(100),
        ...Array.from({ length: 30 }, (_, index) => withdrawsA(121 + index / 5)),
      ),
    ],
    null,
  ],
  [
    "a gap, where a withdrawal was before the last reading",
    [...around(60, 180), searched(50, 130, withdrawsA(55))],
    "5",
  ],
  [
    "a gap, where it is not known which came last",
    [
      ...around(60, 180),
      searched(
        50,
        130,
        { executed: setsA(119, [10_000]), ...unproved },
        { executed: setsA(119, [900]), ...unproved },
        setsA(121, [500]),
      ),
    ],
    null,
  ],
  [
    "a burst, where a flip across it is proved",
    [
      ...around(110, 240),
      at(119.8),
      at(120.2),
      searched(50, 130, setsA(119.9, [10_000]), setsA(120.1, [500])),
    ],
    "100",
  ],
  [
    "a burst, where it is not certain yet what was signed in it",
    [
      ...around(110, 240),
      at(119.8),
      at(120.2),
      transactions(119.2, 3, {
        after: 50,
        upTo: 119.2,
        answers: all(3, { state: "ok", after: -1, upTo: 1 }),
        found: [setsA(119.9, [10_000])],
      }),
    ],
    null,
  ],
])("with %s", (_, entries, applied) => {
  expect(historyOf(entries).find((point) => point.startsWith("2:"))).toBe(`2: 5 ${applied}`);
});

const inEpoch = (epoch: number, fact: Omit<Fact, "name">) => [
  panelSnapshot(epoch * 120 + 60, withA(fact), { of: 3 }),
  ...[119.6, 120.4].map((minute) => panelCheck(epoch * 120 + minute, withA(fact), { of: 3 })),
];
const epochs = (count: number, of = inEpoch, fact: Omit<Fact, "name"> = {}) =>
  Array.from({ length: count }, (_, epoch) => of(epoch, fact)).flat();
const once = (epoch: number) => [
  panelSnapshot(epoch * 120 + 60, withA(500), { of: 3, by: epoch % 3 }),
];
const verdictOf = (...entries: Entry[]) => {
  const { level, reasons } = read(foldStory(...entries).ledger, "validator", A).data.verdict;
  return `${level}: ${reasons.map(({ text }) => text).join(" ")}`;
};

test("nobody is called good who may have taken more while nobody looked", () => {
  const unknown = (count: number) =>
    `unknown: Which rate rewards paid is not known for ${count} of the 10 epochs from `;
  expect(verdictOf(...epochs(14, once))).toContain(unknown(10));
  expect(
    verdictOf(
      ...epochs(14).filter(({ time }) => time < foldStory(...epochs(9)).ledger.position!.time),
    ),
  ).toContain("unknown");
  expect(verdictOf(...epochs(14))).toBe(
    "good: No rise in the last 13 epochs watched, 1102 to 1114.",
  );
  const unwatched = epochs(14).filter(
    (entry) => entry.kind !== "check" || !("epoch" in entry) || entry.epoch !== FIRST_EPOCH + 8,
  );
  expect(verdictOf(...unwatched)).toContain(unknown(2));
});

test("who is paid nothing is told apart from who is paid an unknown rate", () => {
  const byTwo = (epoch: number, fact: Omit<Fact, "name">) => [
    ...inEpoch(epoch, fact),
    panelSnapshot(epoch * 120 + 70, withA(fact), { of: 3, by: 1 }),
  ];
  const { data } = read(
    foldStory(...epochs(4, byTwo, { inSet: false }), at(590)).ledger,
    "commissionHistory",
    A,
  );
  expect(data.map(({ appliedCommission, paid }) => `${appliedCommission} ${paid}`)).toEqual([
    ...["null false", "null false"],
    // Nobody knows yet who was in the fifth epoch's set.
    ...["5 true", "5 true", "5 true"],
  ]);
  const unwatched = epochs(4, byTwo).filter(({ kind }) => kind === "snapshot");
  const [, , third] = read(foldStory(...unwatched).ledger, "commissionHistory", A).data;
  expect(third).toMatchObject({ appliedCommission: null, paid: true });
});

test("a change that lists show in an epoch in which they are all refused is of that epoch, and paid two epochs later", () => {
  // Of the second epoch, no two lists are alike.
  const lists = [10, 11, 12].map((sol) => [
    { name: "A", bps: 500, stake: BigInt(sol) * 1_000_000_000n },
  ]);
  const refused = Array.from({ length: 3 }, (_, index) =>
    panelCheck(130 + index * 10, [], { of: 3, by: index % 3, facts: lists }),
  );
  const poll = (minute: number, bps: number) =>
    panelSnapshot(minute, withA(bps), {
      of: 3,
      by: (minute / 10) % 3,
      accounts: all(3, bps),
      authority: AUTHORITY.address,
    });
  const entries = [
    ...[0, 10, 100].map((minute) => poll(minute, 0)),
    ...refused,
    ...[250, 260, 370, 490].map((minute) => poll(minute, 500)),
  ];
  const { ledger } = foldStory(...entries);
  expect(ledger.epochs.map(({ epoch }) => epoch - FIRST_EPOCH)).toEqual([0, 2, 3, 4]);
  expect(historyOf(entries)).toEqual([
    "0: 0 null",
    "1: 5 null",
    "2: 5 null",
    "3: 5 null",
    "4: 5 null",
  ]);
  // Known by transactions: all are searched from the lists' reading until the second epoch's end.
  const evidence = searched(149.9, 255);
  expect(historyOf([...entries, searched(150.2, 255)])).toEqual(historyOf(entries));
  expect(historyOf([...entries, evidence])).toEqual([
    "0: 0 null",
    "1: 5 null",
    "2: 5 null",
    "3: 5 5",
    "4: 5 null",
  ]);
});

test("what stood in an epoch in which it was absent is known by the change after it", () => {
  const absent = [5, 60, 110].map((minute) => panelSnapshot(120 + minute, rest, { of: 3 }));
  const entries = [
    ...steady(0, 110, 500),
    ...absent,
    ...steady(245, 290, 500),
    ...changed(300, 900),
    ...steady(310, 490, 900),
  ];
  expect(historyOf(entries)).toEqual([
    "0: 5 null",
    "1: 5 null",
    "2: 9 null",
    "3: 9 null",
    "4: 9 null",
  ]);
  // Nothing was signed from the last reading on until the third epoch.
  expect(historyOf([...entries, searched(105, 250)])).toEqual([
    "0: 5 null",
    "1: 5 null",
    "2: 9 5",
    "3: 9 5",
    "4: 9 null",
  ]);
});

test("what is learnt of an epoch's end renders again all that shows it", () => {
  for (const entries of [
    [...around(60, 180), searched(50, 130), ...steady(320, 500, 500)],
    [
      ...around(60, 180),
      searched(50, 130, setsA(119, [10_000]), setsA(121, [500])),
      ...steady(320, 500, 500),
    ],
    [...around(60, 180), ...steady(320, 500, 500), searched(70, 130), searched(50, 71)],
    [
      ...around(110, 240),
      at(119.8),
      at(120.2),
      searched(50, 119, setsA(119.9, [10_000])),
      ...steady(380, 500, 500),
    ],
  ])
    expectTouchedToSuffice(entries);
});
