import fc from "fast-check";
import { expect, it, test } from "vitest";
import type { Network } from "../../generator/contract/networks.ts";
import { appliedBasisPoints } from "../../generator/views/commissions.ts";
import { WATCHED } from "../../generator/ledger/rates/boundaries.ts";
import { NOT_RECORDED, setU16 } from "../../generator/ledger/columns.ts";
import { createView } from "../../generator/documents/view.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { updateCommissionCollector } from "../cluster/transactions/programs.ts";
import { FIRST_EPOCH, slotAt, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { panelCheck, panelSnapshot } from "../story/panels.ts";
import { AUTHORITY, execute, search, setsA, steady, transactions } from "../story/transactions.ts";
import { keyOf, rest, withA, type Fact } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";
import { validator } from "./fixtures.ts";
import { read } from "./read.ts";
import { expectTouchedToSuffice } from "./rendered.ts";
import { SOAK } from "../soak/soak.ts";

const A = { votePubkey: keyOf("A") };
const inEpoch = (epoch: number, fact: Omit<Fact, "name">) => snapshot(epoch * 120 + 5, withA(fact));
const seen = (minute: number, bps: number) => [
  check(minute, withA(bps)),
  check(minute + 1, withA(bps)),
];

/** Read half a minute before and after the ends of epochs, the first by number. */
const ends = (first: number, ...facts: (Omit<Fact, "name"> | null)[]) =>
  facts.flatMap((fact, index) => {
    const end = (first + index + 1) * 120;
    return fact === null ? [] : [check(end - 0.4, withA(fact)), check(end + 0.4, withA(fact))];
  });

/** Three witnesses list the same each ten minutes, and answer no account until a minute. */
const unreadUntil = (minute: number, searchedAfter = -100): Entry[] => [
  ...steady(0, minute - 10, 500).map((_, index) =>
    panelSnapshot(index * 10, withA(500), { of: 3, accounts: all(3, "silent") }),
  ),
  ...steady(minute, 370, 500),
  transactions(371, 3, { after: searchedAfter, upTo: 370.9, found: [] }),
];

const appliedOf = (ledger: Ledger) =>
  read(ledger, "commissionHistory", A).data.map(({ appliedCommission }) => appliedCommission);

const out = { inSet: false };
const held = all(3, { bps: 10_000, ahead: 30 });
const late = panelSnapshot(119.95, withA(500), {
  of: 3,
  accounts: held,
  authority: AUTHORITY.address,
});

it.each<[string, Entry[], string[]]>([
  [
    "a member of the set pays what stood at the end of the epoch before the last",
    [
      ...[0, 1, 2, 3].flatMap((at) => [
        inEpoch(at, { bps: 500 + 100 * at }),
        ...seen(at * 120 + 10, 600 + 100 * at),
      ]),
      ...ends(0, { bps: 600 }, { bps: 700 }, { bps: 800 }),
    ],
    ["0: 6 null", "1: 7 null", "2: 8 6", "3: 9 7"],
  ],
  [
    "who joined the set of the next epoch pays what stood at the end of the one before",
    [
      ...[snapshot(0, rest), inEpoch(1, { bps: 0, ...out, stake: 0n }), ...seen(130, 10_000)],
      ...[inEpoch(2, { bps: 10_000, ...out }), ...seen(250, 700), inEpoch(3, { bps: 700 })],
      ...ends(1, { bps: 10_000 }, { bps: 700 }),
    ],
    ["1: 100 100", "2: 7 100", "3: 7 100"],
  ],
  [
    "who is in neither set pays what stands at the end of the epoch",
    [inEpoch(0, out), inEpoch(1, out), ...seen(130, 900), ...ends(0, {})],
    // Unknown members of the next set count as members.
    ["0: 5 5", "1: 9 5"],
  ],
  [
    "who is not in that of the epoch after the next either is paid nothing",
    [
      ...[0, 1, 2].map((at) => inEpoch(at, { ...out, bps: at < 2 ? 500 : 900 })),
      ...[...seen(130, 900), ...ends(0, {}, { bps: 900 })],
    ],
    ["0: 5 null", "1: 9 9", "2: 9 9"],
  ],
  [
    "who was outside the set before and after an epoch of which no snapshot told may have been in it",
    [
      ...[inEpoch(0, out), inEpoch(1, out), ...seen(140, 900), ...seen(250, 900)],
      ...[inEpoch(3, { bps: 900 }), inEpoch(4, { bps: 900 })],
      ...ends(0, {}, { bps: 900 }, { bps: 900 }),
    ],
    ["0: 5 5", "1: 9 null", "2: 9 null", "3: 9 9", "4: 9 9"],
  ],
  [
    "what an account that is first seen in the set pays is not known until two epochs have ended",
    [snapshot(0, rest), ...[1, 2, 3].map((at) => inEpoch(at, {})), ...ends(1, {}, {})],
    ["1: 5 null", "2: 5 null", "3: 5 5"],
  ],
  [
    "what is read at the end of an epoch that a change's window spans is not known",
    // 5 % in the second epoch and 100 % in the third; nobody looked at the second's end.
    [
      ...[0, 1, 2, 3, 4].map((at) => inEpoch(at, { bps: at < 2 ? 500 : 10_000 })),
      ...[...seen(250, 10_000), ...ends(0, {}, null, { bps: 10_000 })],
    ],
    ["0: 5 null", "1: 5 null", "2: 100 5", "3: 100 null", "4: 100 100"],
  ],
  [
    "a rate that accounts first show after the list's epoch has ended is not of that epoch",
    [
      ...[
        ...steady(0, 110, 500),
        late,
        ...steady(130, 370, 10_000),
        search(131, setsA(120.02, [10_000])),
      ],
      ...[239.6, 240.4].map((minute) => panelCheck(minute, withA(10_000), { of: 3 })),
    ],
    ["0: 5 null", "1: 100 null", "2: 100 5", "3: 100 100"],
  ],
  [
    "what searches know of the end of an epoch counts",
    unreadUntil(0),
    ["0: 5 null", "1: 5 null", "2: 5 5", "3: 5 5"],
  ],
  [
    "nor before an authority was read: another may have signed, and then handed over",
    unreadUntil(130),
    ["0: 5 null", "1: 5 null", "2: 5 null", "3: 5 5"],
  ],
])("by epoch what A announces and what is applied %s", (_, entries, points) => {
  const { data } = read(foldStory(...entries).ledger, "commissionHistory", A);
  const told = data.map(
    (point) => `${point.epoch - FIRST_EPOCH}: ${point.commission} ${point.appliedCommission}`,
  );
  expect(told).toEqual(points);
});

test("the list has what each of the newest epochs paid, and what the next one will pay", () => {
  const { ledger } = foldStory(
    ...[0, 1, 2, 3].flatMap((at) => [
      inEpoch(at, { bps: 500 + 100 * at }),
      ...seen(at * 120 + 10, 600 + 100 * at),
    ]),
    ...ends(0, { bps: 600 }, { bps: 700 }, { bps: 800 }),
  );
  const listed = read(ledger, "validators", {}).data.find(
    ({ votePubkey }) => votePubkey === A.votePubkey,
  );
  expect(listed).toMatchObject({
    commission: 9,
    appliedCommission: 7,
    nextAppliedCommission: 8,
    appliedCommissions: [null, null, 6, 7],
  });
  expect(listed?.appliedCommissions).toEqual(appliedOf(ledger));
});

test("an authority's first signature is found alone: what it makes known is rendered again", () => {
  const collects = updateCommissionCollector(keyOf("A"), AUTHORITY.address, {
    of: "inflation rewards",
    to: keyOf("collector"),
  });
  const found = [execute(slotAt(50), [collects], [AUTHORITY])];
  const failed = all(3, { state: "failed" as const, reason: "late", isRefused: false });
  const ledger = expectTouchedToSuffice([
    ...unreadUntil(130, 60),
    transactions(372, 3, { after: 0, upTo: 371, answers: failed, found }),
  ]);
  expect(appliedOf(ledger)).toEqual([null, null, 5, 5]);
});

test("what is learnt of a set, of stakes, and that an epoch is final, renders again all that shows it", () => {
  const facts = [
    { inSet: true, stake: 5n },
    { inSet: false, stake: 5n },
    { inSet: false, stake: 0n },
  ];
  for (const [one, next] of facts.flatMap((one) => facts.map((next) => [one, next] as const))) {
    const early = [inEpoch(0, one), inEpoch(1, one), ...seen(130, 10_000)];
    const [second, ...later] = [2, 3, 4].map((epoch) => inEpoch(epoch, { ...next, bps: 10_000 }));
    const { votes } = inEpoch(2, { ...one, bps: 10_000 });
    const again = { ...second!, time: timeAt(270), slot: slotAt(270), votes };
    expectTouchedToSuffice([...early, second!, again, ...later]);
    expectTouchedToSuffice([...early, second!, ...seen(270, 700), again, ...later]);
  }
});

test.each<[Network, number, number, number]>([
  ["mainnet", 1, 989, 989],
  ["mainnet", 1, 990, 988],
  ["mainnet", 1, 991, 989],
  ["testnet", 1, 952, 952],
  ["testnet", 1, 953, 951],
  // A later series and alpenglow are delayed from their first epoch.
  ["testnet", 2, 100, 98],
  ["alpenglow", 1, 5, 3],
])(
  "on %s, in its life %i, epoch %i pays what was announced in epoch %i",
  (network, series, epoch, announced) => {
    const ledger = { ...createLedger(network, series), validators: [validator({ name: "A" })] };
    setU16(ledger.boundaries, announced, 0, WATCHED, NOT_RECORDED);
    const view = createView(ledger);
    expect(
      appliedBasisPoints(view, { validatorIndex: 0, epoch, announcedAt: (each) => each }),
    ).toBe(announced);
  },
);

test("the rate of a change is applied from the epoch in which it is said to be paid, and in none with stake before it", () => {
  const facts = fc.record({ inSet: fc.boolean(), stake: fc.constantFrom(0n, 5n) });
  fc.assert(
    fc.property(
      fc.array(facts, { minLength: 6, maxLength: 6 }),
      fc.nat({ max: 3 }),
      (each, changed) => {
        const told = each.map((fact, epoch) =>
          inEpoch(epoch, { ...fact, bps: epoch > changed ? 10_000 : 0 }),
        );
        const atEnds = each
          .slice(1)
          .map((fact, epoch) => ({ ...fact, bps: epoch < changed ? 0 : 10_000 }));
        const { ledger } = foldStory(
          ...told,
          ...seen(changed * 120 + 20, 10_000),
          ...ends(0, ...atEnds),
        );
        const [event] = ledger.events;
        const { data } = read(ledger, "commissionHistory", A);
        const from = event!.effectiveEpoch - FIRST_EPOCH;
        expect(event).toMatchObject({ effectiveEpochLatest: event!.effectiveEpoch });
        // Outside the set nothing is paid.
        const isPaid = [from, from + 1, from + 2].some((epoch) => each[epoch]?.inSet !== false);
        expect(data[from]?.appliedCommission).toBe(isPaid ? 100 : null);
        const paidBefore = data
          .slice(0, from)
          .filter(({ epoch }) => each[epoch - FIRST_EPOCH]?.stake !== 0n);
        expect(paidBefore.map(({ appliedCommission }) => appliedCommission)).not.toContain(100);
        if (changed < 4) expect(event?.effectiveEpochFinal).toBe(true);
      },
    ),
    { numRuns: 60 * SOAK },
  );
});
