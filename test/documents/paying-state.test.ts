import fc from "fast-check";
import { expect, test } from "vitest";
import type { Network } from "../../generator/contract/networks.ts";
import { appliedBasisPoints } from "../../generator/documents/commissions.ts";
import { createView } from "../../generator/documents/view.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { check, FIRST_EPOCH, keyOf, rest, slotAt, snapshot, tell, timeAt, withA, type Fact } from "../ledger/story.ts";
import { documentOf } from "./fixtures.ts";
import { expectTouchedToSuffice } from "./rendered.ts";

const A = { votePubkey: keyOf("A") };

/** Announced and applied commission of A by epoch, from the story's own first one on. */
function ratesOf(...entries: Entry[]) {
  const { data } = documentOf(tell(...entries).ledger, "commissionHistory", A)!;
  return data.map(({ epoch, commission, appliedCommission }) => [epoch - FIRST_EPOCH, commission, appliedCommission]);
}

const inEpoch = (epoch: number, fact: Omit<Fact, "name">) => snapshot(epoch * 120 + 5, withA(fact));
const seen = (minute: number, bps: number) => [check(minute, withA({ bps })), check(minute + 1, withA({ bps }))];

test("a member of the set pays what stood at the end of the epoch before the last", () => {
  const told = [0, 1, 2, 3].flatMap((epoch) => [
    inEpoch(epoch, { bps: 500 + 100 * epoch }),
    ...seen(epoch * 120 + 10, 600 + 100 * epoch),
  ]);
  expect(ratesOf(...told)).toEqual([
    [0, 6, null],
    [1, 7, null],
    [2, 8, 6],
    [3, 9, 7],
  ]);
});

test("who joined the set of the next epoch pays what stood at the end of the one before", () => {
  const newcomer = [
    snapshot(0, rest),
    inEpoch(1, { bps: 0, inSet: false, stake: 0n }),
    ...seen(130, 10_000),
    inEpoch(2, { bps: 10_000, inSet: false }),
    ...seen(250, 700),
    inEpoch(3, { bps: 700 }),
  ];
  expect(ratesOf(...newcomer)).toEqual([
    [1, 100, 100],
    [2, 7, 100],
    [3, 7, 100],
  ]);
});

test("who is in neither set pays what stands at the end of the epoch", () => {
  expect(ratesOf(inEpoch(0, { inSet: false }), inEpoch(1, { inSet: false }), ...seen(130, 900))).toEqual([
    [0, 5, 5],
    // Who is in the set of the epoch to come is taken for a member until it is known.
    [1, 9, 5],
  ]);
  const each = [0, 1, 2].map((epoch) => inEpoch(epoch, { inSet: false, bps: epoch < 2 ? 500 : 900 }));
  expect(ratesOf(...each, ...seen(130, 900))).toEqual([
    // Nor in that of the epoch after the next: it is paid nothing.
    [0, 5, null],
    [1, 9, 9],
    [2, 9, 9],
  ]);
});

test("what an account that is first seen in the set pays is not known until two epochs have ended", () => {
  expect(ratesOf(snapshot(0, rest), ...[1, 2, 3].map((epoch) => inEpoch(epoch, {})))).toEqual([
    [1, 5, null],
    [2, 5, null],
    [3, 5, 5],
  ]);
});

test("what is read at the end of an epoch that a change's window spans is not known", () => {
  const told = [0, 1, 2, 3, 4].map((epoch) => inEpoch(epoch, { bps: epoch < 2 ? 500 : 10_000 }));
  // Seen at 5 % in the second epoch, at 100 % in the third: at the end of the second, nobody looked.
  expect(ratesOf(...told, ...seen(250, 10_000))).toEqual([
    [0, 5, null],
    [1, 5, null],
    [2, 100, 5],
    [3, 100, null],
    [4, 100, 100],
  ]);
});

test("what is learnt of a set, of stakes, and that an epoch is final, renders again all that shows it", () => {
  const raise = seen(130, 10_000);
  const facts = [
    { inSet: true, stake: 5n },
    { inSet: false, stake: 5n },
    { inSet: false, stake: 0n },
  ];
  for (const [one, next] of facts.flatMap((one) => facts.map((next) => [one, next] as const))) {
    const early = [inEpoch(0, one), inEpoch(1, one), ...raise];
    const late = [2, 3, 4].map((epoch) => inEpoch(epoch, { ...next, bps: 10_000 }));
    const again = {
      ...late[0]!,
      time: timeAt(270),
      slot: slotAt(270),
      votes: inEpoch(2, { ...one, bps: 10_000 }).votes,
    };
    expectTouchedToSuffice([...early, late[0]!, again, ...late.slice(1)]);
    expectTouchedToSuffice([...early, late[0]!, ...seen(270, 700), again, ...late.slice(1)]);
  }
});

/** The commission at the end of an epoch is the epoch's own number, so that an answer tells where it was read. */
function readFrom({ network = "mainnet", series = 1, epoch }: { network?: Network; series?: number; epoch: number }) {
  const view = createView(createLedger(network, series));
  return appliedBasisPoints(view, { ordinal: 0, epoch, announcedAt: (each) => each });
}

test("the rewards of the epoch before the one in which commissions were first delayed were delayed too", () => {
  expect(readFrom({ epoch: 989 })).toBe(989);
  expect(readFrom({ epoch: 990 })).toBe(988);
  expect(readFrom({ epoch: 991 })).toBe(989);
  expect(readFrom({ network: "testnet", epoch: 952 })).toBe(952);
  expect(readFrom({ network: "testnet", epoch: 953 })).toBe(951);
});

test("in a later life of a cluster, and on alpenglow, commissions are delayed from the first epoch", () => {
  expect(readFrom({ network: "testnet", series: 2, epoch: 100 })).toBe(98);
  expect(readFrom({ network: "alpenglow", epoch: 5 })).toBe(3);
});

test("the rate of a change is applied from the epoch in which it is said to be paid, and in none with stake before it", () => {
  const facts = fc.record({ inSet: fc.boolean(), stake: fc.constantFrom(0n, 5n) });
  fc.assert(
    fc.property(fc.array(facts, { minLength: 6, maxLength: 6 }), fc.nat({ max: 3 }), (each, changed) => {
      const told = each.map((fact, epoch) => inEpoch(epoch, { ...fact, bps: epoch > changed ? 10_000 : 0 }));
      const { ledger } = tell(...told, ...seen(changed * 120 + 20, 10_000));
      const [event] = ledger.events;
      const { data } = documentOf(ledger, "commissionHistory", A)!;
      const from = event!.effectiveEpoch - FIRST_EPOCH;
      expect(event).toMatchObject({ effectiveEpochLatest: event!.effectiveEpoch });
      // Who stays out of the set is paid nothing.
      const isPaid = [from, from + 1, from + 2].some((epoch) => each[epoch]?.inSet !== false);
      expect(data[from]?.appliedCommission).toBe(isPaid ? 100 : null);
      const paidBefore = data.slice(0, from).filter(({ epoch }) => each[epoch - FIRST_EPOCH]?.stake !== 0n);
      expect(paidBefore.map(({ appliedCommission }) => appliedCommission)).not.toContain(100);
      if (changed < 4) expect(event?.effectiveEpochFinal).toBe(true);
    }),
    { numRuns: 200 },
  );
});
