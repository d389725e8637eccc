import { describe, expect, it } from "vitest";
import { check, crowd, epochAt, FIRST_EPOCH, keyOf, snapshot, tell, timeAt, validatorOf } from "./story.ts";
import { getStake, getU16 } from "../../generator/ledger/columns.ts";

const rest = crowd(9);
const all = [...rest, { name: "A", stake: 2_000_000_000n }];
const gone = { absent: [keyOf("A")] };

describe("the list", () => {
  it("is by active stake, ties by vote account, ranked from 1", () => {
    const { ledger } = tell(snapshot(0, all));
    const byRank = [...ledger.validators].sort((a, b) => a.rank - b.rank);
    expect(byRank.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(byRank.map(({ vote }) => vote)).toEqual([keyOf("A"), ...rest.map(({ name }) => keyOf(name)).sort()]);
  });

  it("holds whoever was asked for by key and missed once", () => {
    const told = tell(snapshot(0, all), snapshot(10, rest, gone));
    expect(validatorOf(told, "A")).toMatchObject({ listed: true, activeStake: 2_000_000_000n, rank: 1 });
  });

  it("loses whoever was missed twice in a row, keeping the profile", () => {
    const told = tell(snapshot(0, all), snapshot(10, rest, gone), snapshot(20, rest, gone));
    expect(validatorOf(told, "A")).toMatchObject({
      listed: false,
      activeStake: 0n,
      delinquent: true,
      delinquentSince: timeAt(20),
      rank: 1,
      seen: { time: timeAt(0) },
    });
    expect(validatorOf(told, "crowd 0").rank).toBeLessThanOrEqual(9);
  });

  it("keeps the start of the delinquent run that went before", () => {
    const silent = [...rest, { name: "A", stake: 2_000_000_000n, delinquent: true }];
    const told = tell(snapshot(0, all), check(5, silent), snapshot(10, rest, gone), snapshot(20, rest, gone));
    expect(validatorOf(told, "A").delinquentSince).toBe(timeAt(5));
  });

  it("does not lose whoever came back in between, or was not asked for", () => {
    const back = tell(snapshot(0, all), snapshot(10, rest, gone), snapshot(20, all), snapshot(30, rest, gone));
    expect(validatorOf(back, "A").listed).toBe(true);
    const unasked = tell(snapshot(0, all), snapshot(10, rest), snapshot(20, rest), snapshot(30, rest));
    expect(validatorOf(unasked, "A").listed).toBe(true);
  });

  it("takes back whoever returns", () => {
    const told = tell(snapshot(0, all), snapshot(10, rest, gone), snapshot(20, rest, gone), snapshot(30, all));
    expect(validatorOf(told, "A")).toMatchObject({ listed: true, delinquent: false, delinquentSince: null, rank: 1 });
  });

  it("knows since which epoch it knows whom", () => {
    const told = tell(snapshot(0, rest), snapshot(130, all));
    expect(validatorOf(told, "A").firstEpoch).toBe(epochAt(130));
    expect(validatorOf(told, "crowd 0").firstEpoch).toBe(FIRST_EPOCH);
  });
});

describe("updatedAt", () => {
  it("moves with a field of the list, not with rank", () => {
    const told = tell(snapshot(0, all), snapshot(10, [...rest, { name: "A", stake: 1n }]), check(11, rest));
    expect(validatorOf(told, "A").updatedAt).toBe(timeAt(10));
    expect(validatorOf(told, "crowd 0").updatedAt).toBe(timeAt(0));
  });
});

describe("stake history", () => {
  it("is one point an epoch, from its first accepted observation, with the rank then", () => {
    const more = [...rest, { name: "A", stake: 3n }];
    const told = tell(snapshot(0, all), snapshot(10, more), check(120, more), snapshot(130, all));
    const { ordinal } = validatorOf(told, "A");
    expect(getStake(told.ledger.stakes, FIRST_EPOCH, ordinal)).toBe(2_000_000_000n);
    expect(getStake(told.ledger.stakes, FIRST_EPOCH + 1, ordinal)).toBe(3n);
    expect(getU16(told.ledger.ranks, FIRST_EPOCH, ordinal)).toBe(1);
    expect(getU16(told.ledger.ranks, FIRST_EPOCH + 1, ordinal)).toBe(10);
  });

  it("begins for a new validator in the middle of an epoch", () => {
    const told = tell(snapshot(0, rest), snapshot(10, all));
    expect(getStake(told.ledger.stakes, FIRST_EPOCH, validatorOf(told, "A").ordinal)).toBe(2_000_000_000n);
  });
});

describe("stake accounts", () => {
  const scan = (epoch: number) => ({
    stakeAccounts: { state: "ok", value: { epoch, asOf: timeAt(0), rows: [[keyOf("A"), 7n, 9n, 3]] } } as never,
  });

  it("are of the running epoch only", () => {
    const fresh = tell(snapshot(0, all, scan(FIRST_EPOCH)));
    expect(validatorOf(fresh, "A")).toMatchObject({
      activatingStake: 7n,
      deactivatingStake: 9n,
      stakeAccountCount: 3,
      stakeAccountsAsOf: timeAt(0),
    });
    const later = tell(snapshot(0, all, scan(FIRST_EPOCH)), check(121, all));
    expect(validatorOf(later, "A")).toMatchObject({
      activatingStake: 0n,
      deactivatingStake: 0n,
      stakeAccountCount: 0,
      stakeAccountsAsOf: null,
    });
  });

  it("of another epoch than the observation's say nothing", () => {
    expect(validatorOf(tell(snapshot(0, all, scan(FIRST_EPOCH - 1))), "A").stakeAccountsAsOf).toBeNull();
  });
});
