import { describe, expect, it } from "vitest";
import { getStake, getU16 } from "../../generator/ledger/columns.ts";
import { FIRST_EPOCH, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { validatorOf } from "../story/outcome.ts";
import { panelSnapshot } from "../story/panels.ts";
import { keyOf, rest, withA } from "../story/validators.ts";

const all = withA({ stake: 2_000_000_000n });
const first = snapshot(0, all);
const without = (minute: number) => snapshot(minute, rest, { absent: [keyOf("A")] });

describe("the list", () => {
  it("is by active stake, ties by vote account, ranked from 1", () => {
    const byRank = [...foldStory(first).ledger.validators].sort((a, b) => a.rank - b.rank);
    const keys = rest.map(({ name }) => keyOf(name)).sort();
    expect(byRank.map(({ rank, vote }) => [rank, vote])).toEqual(
      [keyOf("A"), ...keys].map((key, at) => [at + 1, key]),
    );
  });

  it.each([
    ["holds who was missed once", [without(10)], true],
    ["loses who was missed twice in a row", [without(10), without(20)], false],
    ["not who came back in between", [without(10), snapshot(20, all), without(30)], true],
    ["nor who was not asked for", [10, 20, 30].map((minute) => snapshot(minute, rest)), true],
    ["takes back who returns", [without(10), without(20), snapshot(30, all)], true],
  ])("%s", (_, entries, listed) => {
    const outcome = foldStory(first, ...entries);
    const kept = {
      listed: true,
      activeStake: 2_000_000_000n,
      delinquent: false,
      delinquentSince: null,
    };
    const lost = {
      listed: false,
      activeStake: 0n,
      delinquent: true,
      delinquentSince: timeAt(20),
      seen: { time: timeAt(0) },
    };
    expect(validatorOf(outcome, "A")).toMatchObject({ rank: 1, ...(listed ? kept : lost) });
    expect(validatorOf(outcome, "crowd 0").rank).toBeLessThanOrEqual(listed ? 10 : 9);
  });

  it.each([
    ["never holds whom three of four witnesses find no account of", [null, null, null, 500], false],
    ["holds whom two do", [null, null, 500, 500], true],
    ["holds whom the others did not look for", [null, "silent", "silent", 500], true],
    ["holds whom one of two finds", [null, 500], true],
  ] as const)("%s", (_, held, listed) => {
    const outcome = foldStory(
      panelSnapshot(0, rest, { of: held.length }),
      panelSnapshot(10, all, { of: held.length, by: held.length - 1, accounts: [...held] }),
    );
    expect(outcome.ledger.validatorIndexes.has(keyOf("A"))).toBe(listed);
  });

  it("keeps the start of the delinquent run of who then leaves", () => {
    const outcome = foldStory(
      first,
      check(5, withA({ delinquent: true })),
      without(10),
      without(20),
    );
    expect(validatorOf(outcome, "A").delinquentSince).toBe(timeAt(5));
  });

  it("knows since which epoch it knows whom, and when a field other than the rank changed", () => {
    const outcome = foldStory(
      snapshot(0, rest),
      snapshot(130, all),
      snapshot(140, withA({ stake: 1n })),
      check(141, rest),
    );
    expect(validatorOf(outcome, "A")).toMatchObject({
      firstEpoch: FIRST_EPOCH + 1,
      updatedAt: timeAt(140),
    });
    expect(validatorOf(outcome, "crowd 0")).toMatchObject({
      firstEpoch: FIRST_EPOCH,
      updatedAt: timeAt(0),
    });
  });
});

it("the stake history has a point an epoch, of its first accepted observation, with the rank then", () => {
  const less = withA({ stake: 3n });
  const outcome = foldStory(
    snapshot(0, rest),
    snapshot(1, all),
    snapshot(10, less),
    check(120, less),
    snapshot(130, all),
  );
  const { validatorIndex } = validatorOf(outcome, "A");
  const { stakes, ranks } = outcome.ledger;
  const points = [FIRST_EPOCH, FIRST_EPOCH + 1].map((epoch) => [
    getStake(stakes, epoch, validatorIndex),
    getU16(ranks, epoch, validatorIndex),
  ]);
  expect(points).toEqual([
    [2_000_000_000n, 1],
    [3n, 10],
  ]);
});

const scan = (minute: number, activating: bigint, epoch = FIRST_EPOCH) => {
  const rows: [string, bigint, bigint, number][] = [[keyOf("A"), activating, 9n, 3]];
  return snapshot(minute, all, {
    stakeAccounts: { state: "ok", value: { epoch, asOf: timeAt(minute), rows } },
  });
};
const reason = "whole: refused; by page: refused";
const failed = (minute: number) =>
  snapshot(minute, all, { stakeAccounts: { state: "failed", reason } });
const nothing = {
  activatingStake: 0n,
  deactivatingStake: 0n,
  stakeAccountCount: 0,
  stakeAccountsAsOf: null,
};
const known = {
  activatingStake: 7n,
  deactivatingStake: 9n,
  stakeAccountCount: 3,
  stakeAccountsAsOf: timeAt(0),
};
const degraded = { state: "degraded", lastSuccessAt: timeAt(0), reason };

it.each([
  ["is shown", [scan(0, 7n)], known, { state: "ok", reason: null }],
  ["is kept while the next fails", [scan(0, 7n), failed(60)], known, degraded],
  ["is of its epoch only", [scan(0, 7n), failed(60), failed(121)], nothing, degraded],
  ["says nothing of another epoch", [scan(0, 7n, FIRST_EPOCH - 1)], nothing, {}],
  [
    "that fails first leaves nothing known",
    [failed(0)],
    nothing,
    { state: "failed", lastSuccessAt: null },
  ],
])("a scan of the stake accounts %s", (_, entries, shown, source) => {
  const outcome = foldStory(...entries);
  expect(validatorOf(outcome, "A")).toMatchObject(shown);
  expect(outcome.ledger.sources.stakeAccounts).toMatchObject(source);
});

it.each([2, 3, 4])("one liar of %i, whose list is the entry's, lets nobody vanish", (of) => {
  const facts = [rest, ...Array.from({ length: of - 1 }, () => undefined)];
  const lie = (minute: number) =>
    panelSnapshot(minute, all, { of, facts, by: 0 }, { absent: [keyOf("A")] });
  const outcome = foldStory(panelSnapshot(0, all, { of }), lie(10), lie(20));
  expect(validatorOf(outcome, "A")).toMatchObject({ listed: true, delinquent: false });
});

it("one of two lets a validator vanish once the other is silent for three minutes", () => {
  const facts = [rest, undefined];
  const alone = (minute: number) =>
    panelSnapshot(minute, all, { of: 2, facts, ahead: [0, null] }, { absent: [keyOf("A")] });
  const entries = [panelSnapshot(0, all, { of: 2 }), ...[10, 12, 20, 30].map(alone)];
  const isListed = entries.map((_, index) => {
    const outcome = foldStory(...entries.slice(0, index + 1));
    return validatorOf(outcome, "A").listed;
  });
  expect(isListed).toEqual([true, true, true, true, false]);
});
