import { describe, expect, it } from "vitest";
import {
  check,
  crowd,
  keyOf,
  rest,
  snapshot,
  tell,
  timeAt,
  validatorOf,
  withA,
  type Fact,
  type Told,
} from "./story.ts";

/* When it is the cluster that is down, and not its validators (design §4, uptime). */

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
