import { describe, expect, it } from "vitest";
import {
  check,
  crowd,
  type Fact,
  keyOf,
  rest,
  snapshot,
  tell,
  timeAt,
  type Told,
  validatorOf,
  withA,
} from "./story.ts";

const DAY = "2026-11-20";
const down = (delinquent: boolean) => [...rest, { name: "A", delinquent }];
const begin = snapshot(0, down(false));

function dayOf(told: Told, name: string) {
  const { ordinal } = validatorOf(told, name);
  const { checks, delinquentChecks } = told.ledger.uptime;
  return { checks: checks.get(DAY)?.[ordinal] ?? 0, delinquent: delinquentChecks.get(DAY)?.[ordinal] ?? 0 };
}

describe("checks", () => {
  it("show in full hours only", () => {
    const checks = Array.from({ length: 59 }, (_, index) => check(index + 1, down(false)));
    expect(dayOf(tell(begin, ...checks), "A").checks).toBe(0);
    expect(dayOf(tell(begin, ...checks, check(60, down(false))), "A").checks).toBe(60);
  });

  it("are the earliest accepted observation of each minute", () => {
    const told = tell(
      begin,
      check(0.5, down(true)),
      check(1, down(true)),
      check(1.9, down(false)),
      check(60, down(false)),
    );
    expect(dayOf(told, "A")).toEqual({ checks: 2, delinquent: 1 });
  });

  it("are one a minute however often the cluster is looked at: each 10 s, and each 2 s around a boundary", () => {
    const often = Array.from({ length: 6 * 59 + 5 }, (_, index) => check(1 + index / 6, down(false)));
    const burst = Array.from({ length: 30 }, (_, index) => check(50 + index / 30, down(true)));
    const both = [...often, ...burst].sort((one, other) => (one.time < other.time ? -1 : 1));
    const inOrder = both.filter(({ slot }, index) => slot > (both[index - 1]?.slot ?? 0));
    const minutely = Array.from({ length: 59 }, (_, index) => check(index + 1, down(index + 1 === 50)));
    expect(inOrder.length).toBeGreaterThan(370);
    expect(dayOf(tell(begin, ...inOrder, check(60, down(false))), "A").checks).toBe(60);
    expect(dayOf(tell(begin, ...minutely, check(60, down(false))), "A").checks).toBe(60);
  });

  it("of a refused observation do not count, and the next of the minute does", () => {
    const told = tell(begin, check(1, down(true), { slot: 1 }), check(1.5, down(false)), check(60, down(false)));
    expect(dayOf(told, "A")).toEqual({ checks: 2, delinquent: 0 });
  });

  it("are not made of a validator without a row", () => {
    const told = tell(begin, check(1, rest), check(2, down(false)), check(60, rest));
    expect(dayOf(told, "A").checks).toBe(2);
    expect(dayOf(told, "crowd 0").checks).toBe(3);
  });
});

describe("a delinquent run", () => {
  it("begins with its first check and ends with the first that votes again", () => {
    const told = tell(begin, check(1, down(true)), check(2, down(true)), check(3, down(true)));
    expect(validatorOf(told, "A")).toMatchObject({ delinquent: true, delinquentSince: timeAt(1) });
    const recovered = tell(begin, check(1, down(true)), check(2, down(false)));
    expect(validatorOf(recovered, "A")).toMatchObject({ delinquent: false, delinquentSince: null });
  });

  it("is not begun, not ended and not counted by a cluster incident", () => {
    const incident = check(2, [...crowd(9, { delinquent: true }), { name: "A", delinquent: false }]);
    const told = tell(begin, check(1, down(true)), incident, check(3, down(true)), check(60, down(true)));
    expect(validatorOf(told, "A")).toMatchObject({ delinquent: true, delinquentSince: timeAt(1) });
    expect(validatorOf(told, "crowd 0")).toMatchObject({ delinquent: false, delinquentSince: null });
    expect(dayOf(told, "A")).toEqual({ checks: 3, delinquent: 2 });
  });

  it("of exactly a third of the stake is no incident", () => {
    const thirds = (delinquent: boolean) => [{ name: "A", delinquent }, ...crowd(2)];
    expect(validatorOf(tell(snapshot(0, thirds(false)), check(1, thirds(true))), "A").delinquent).toBe(true);
  });
});

/* When it is the cluster that is down, and not its validators. */

const checksOf = (told: Told, name: string) =>
  told.ledger.uptime.checks.get(timeAt(0).slice(0, "YYYY-MM-DD".length))?.[validatorOf(told, name).ordinal] ?? 0;

describe("an incident of the cluster", () => {
  it("is over a third of the stake delinquent, also when it is under a half", () => {
    const down = (count: number): Fact[] => crowd(10).map((fact, index) => ({ ...fact, delinquent: index < count }));
    const isShownDown = (count: number) =>
      validatorOf(tell(snapshot(0, down(0)), check(1, down(count))), "crowd 0").delinquent;
    expect([3, 4, 5].map(isShownDown)).toEqual([true, false, false]);
  });

  it("is told by stake: many small ones make none, and one large one does", () => {
    const large = (delinquent: boolean) => [...rest, { name: "A", stake: 8_000_000_000n, delinquent }];
    const alone = tell(snapshot(0, large(false)), check(1, large(true)));
    expect(validatorOf(alone, "A").delinquent).toBe(false);
    const small = (delinquent: boolean) => [...crowd(9, { delinquent }), { name: "A", stake: 90_000_000_000n }];
    const many = tell(snapshot(0, small(false)), check(1, small(true)));
    expect(validatorOf(many, "crowd 0").delinquent).toBe(true);
  });

  it("is the check of its minute all the same: a later observation in it counts nothing", () => {
    const all = crowd(10, { delinquent: true });
    const told = tell(snapshot(0, crowd(10)), check(1, all), check(1.5, crowd(10)), check(60, crowd(10)));
    expect(checksOf(told, "crowd 0")).toBe(1);
  });
});

describe("who left the list", () => {
  it("has no checks until a snapshot lists it again, whatever a check shows", () => {
    const gone = { absent: [keyOf("A")] };
    const left = [snapshot(0, withA({})), snapshot(10, rest, gone), snapshot(20, rest, gone)];
    const told = tell(...left, check(30, withA({})), snapshot(40, withA({})), check(60, rest));
    expect(checksOf(told, "A")).toBe(2);
    expect(checksOf(told, "crowd 0")).toBe(5);
  });
});
