import { describe, expect, it } from "vitest";
import type { Epoch } from "../../generator/contract/epoch.ts";
import type { Share } from "../../generator/contract/stats.ts";
import type { WalletAccount } from "../../generator/contract/wallets.ts";
import { DIMENSIONS, readDimension, toRanking } from "../../public/pages/concentration/ranking.ts";
import { toProgress } from "../../public/pages/now/Numbers.tsx";
import { toBars } from "../../public/pages/now/RugsPicture.tsx";
import { isIdle, toHeadline, toHoldings, toToDos } from "../../public/pages/wallet/holdings.ts";
import { toParts } from "../../public/pages/wallet/VerdictBar.tsx";

describe("Now", () => {
  const [START, HOUR] = [Date.parse("2026-11-20T00:00:00.000Z"), 3_600_000];
  const times = {
    epochStartedAt: new Date(START).toISOString(),
    epochEndsAt: new Date(START + 10 * HOUR).toISOString(),
  };
  const epoch = { ...times, progressPercent: 40 } as Epoch;

  it.each([
    ["between two readings", epoch, START + 5 * HOUR, 50],
    ["never beyond its end", epoch, START + 11 * HOUR, 100],
    ["never before its start", epoch, START - HOUR, 0],
    [
      "as it was read without its length",
      { ...epoch, epochStartedAt: null, epochEndsAt: null },
      START,
      40,
    ],
    ["as it was read without the time", epoch, null, 40],
  ])("tells how far the epoch is, %s", (_, of, now, percent) =>
    expect(toProgress(of, now)).toBe(percent),
  );

  it("stacks rugs with inflation below and MEV on top", () => {
    const rows = [
      { epoch: 7, commissionEvents: 3, mevEvents: 2, lamportsLost: "40" },
      { epoch: 8, commissionEvents: 1, mevEvents: 0, lamportsLost: null },
    ];
    expect(toBars(rows)).toEqual({
      step: 500,
      bars: [
        { row: rows[0], x: 230, width: 40, inflation: 60, mev: 40, lost: 100 },
        { row: rows[1], x: 730, width: 40, inflation: 20, mev: 0, lost: 0 },
      ],
    });
  });
});

describe("Concentration", () => {
  const toShares = (...lamports: string[]) =>
    lamports.map((name) => ({ name, activeStake: { lamports: name, sol: 0 } }) as Share);

  it.each([
    [
      "adds up to 100 % where rounded shares would not",
      ["1", "1", "1"],
      [33.3333, 66.6667, 100],
      [100, 100, 100],
    ],
    [
      "has bars as long as their share of the largest",
      ["400", "100", "0"],
      [80, 100, 100],
      [100, 25, 0],
    ],
    [
      "is exact beyond numbers",
      ["600000000000000000001", "600000000000000000000"],
      [50, 100],
      [100, 100],
    ],
    ["divides by no zero", ["0"], [0], [0]],
    ["is empty without shares", [], [], []],
  ])("ranks shares: %s", (_, lamports, together, bars) => {
    const ranking = toRanking(
      toShares(...lamports),
      lamports.reduce((sum, part) => sum + BigInt(part), 0n),
    );
    expect(ranking.map(({ rank }) => rank)).toEqual(lamports.map((_, index) => index + 1));
    expect(ranking.map(({ cumulativePercent }) => cumulativePercent)).toEqual(together);
    expect(ranking.map(({ barPercent }) => barPercent)).toEqual(bars);
  });

  it("is by country unless the address names something else", () => {
    expect([undefined, "__proto__"].map((by) => readDimension(by).by)).toEqual([
      "country",
      "country",
    ]);
    for (const { by } of DIMENSIONS) expect(readDimension(by).by).toBe(by);
  });
});

describe("the stake of a wallet", () => {
  const account = (
    votePubkey: string,
    lamports: bigint,
    state: WalletAccount["state"] = "active",
  ): WalletAccount => ({
    stakeAccount: `${votePubkey} ${lamports} ${state}`,
    withdrawAuthority: "wallet",
    votePubkey,
    lamports: String(lamports),
    sol: Number(lamports) / 1e9,
    stake: { lamports: String(lamports), sol: Number(lamports) / 1e9 },
    state,
    validator: null,
  });

  it("is summed by validator and state, exactly, largest first, what earns nothing last", () => {
    const holdings = toHoldings([
      account("small", 1n),
      account("idle", 2n ** 60n, "inactive"),
      account("large", 2n ** 53n),
      account("large", 1n),
      account("large", 5n, "deactivating"),
      account("next", 3n, "activating"),
    ]);
    expect(holdings.map(({ votePubkey, lamports }) => [votePubkey, lamports])).toEqual([
      ["large", 2n ** 53n + 6n],
      ["next", 3n],
      ["small", 1n],
      ["idle", 2n ** 60n],
    ]);
    expect([...(holdings[0]?.byState ?? [])]).toEqual([
      ["active", 2n ** 53n + 1n],
      ["deactivating", 5n],
    ]);
    expect(holdings.map(isIdle)).toEqual([false, false, false, true]);
  });

  it("is a list of things to do: what costs most first, and nothing for what leaves already", () => {
    const of = (votePubkey: string, state: WalletAccount["state"], announced: number) => ({
      ...account(votePubkey, 1_000_000_000n, state),
      validator: {
        delinquent: false,
        appliedCommissions: [5, 15, 5],
        appliedCommission: 5,
        nextAppliedCommission: 5,
        commission: announced,
        verdict: "bad",
      } as WalletAccount["validator"],
    });
    const holdings = toHoldings([
      of("some", "active", 25),
      of("leaves", "deactivating", 100),
      of("most", "activating", 100),
      of("stays", "active", 5),
      of("idle", "inactive", 100),
    ]);
    const toDos = toToDos(holdings, { epoch: 7, perLamport: 0.001, since: 0 });
    expect(
      toDos.map(({ holding, asks, lossPerEpoch }) => [holding.votePubkey, asks, lossPerEpoch]),
    ).toEqual([
      ["most", "action", 950_000n],
      ["some", "action", 200_000n],
      ["stays", "look", null],
      ["leaves", "nothing", null],
    ]);
    expect(toDos.map(({ lost }) => lost)).toEqual(Array(4).fill(100_000n));
    const later = toToDos(holdings, { epoch: 7, perLamport: 0.001, since: 7 });
    expect(later.map(({ lost }) => lost)).toEqual(Array(4).fill(0n));
    expect(toParts(holdings)).toEqual([
      { level: "bad", lamports: 5_000_000_000n, x: 0, width: 1_000 },
    ]);
  });

  describe("in a headline that says what the rows below it ask", () => {
    const of = (votePubkey: string, verdict: string, announced = 0) => ({
      ...account(votePubkey, 300n),
      validator: {
        delinquent: false,
        appliedCommissions: [90, 0],
        appliedCommission: 0,
        nextAppliedCommission: 0,
        commission: announced,
        verdict,
      } as WalletAccount["validator"],
    });
    const [fine, bad, worse] = [of("fine", "good"), of("bad", "bad"), of("worse", "bad")];
    const rises = of("rises", "bad", 95);
    const left = account("left", 1n, "inactive");

    it.each([
      ["The validator you stake with needs no action now.", [fine, left], []],
      [
        "None of the 2 validators you stake with needs action now.",
        [fine, of("new", "unknown")],
        [],
      ],
      [
        "The validator you stake with has a bad verdict: look at it. We know of no deadline.",
        [bad],
        ["look"],
      ],
      [
        "1 of the 2 validators you stake with has a bad verdict: look at it. We know of no deadline.",
        [fine, bad],
        ["look"],
      ],
      [
        "2 of the 3 validators you stake with have a bad verdict: look at them. We know of no deadline.",
        [fine, bad, worse],
        ["look", "look"],
      ],
      ["The validator you stake with needs action.", [rises], ["action"]],
      ["1 of the 2 validators you stake with needs action.", [fine, rises], ["action"]],
      [
        "1 of the 3 validators you stake with needs action. 1 more has a bad verdict: look at it.",
        [fine, rises, bad],
        ["action", "look"],
      ],
      [
        "1 of the 3 validators you stake with needs action. 2 more have a bad verdict: look at them.",
        [rises, bad, worse],
        ["action", "look", "look"],
      ],
    ])("%s", (headline, accounts, rows) => {
      const known = { epoch: 7, perLamport: null, since: 0 };
      const toDos = toToDos(toHoldings(accounts), known);
      const asked = toDos.map(({ asks }) => asks);
      expect(asked.filter((asks) => asks !== "nothing")).toEqual(rows);
      expect(toHeadline(toDos)).toBe(headline);
    });
  });

  it("of a validator is not idle where all is withdrawn but some still earns", () => {
    const [holding] = toHoldings([account("one", 9n, "inactive"), account("one", 1n)]);
    expect(holding && isIdle(holding)).toBe(false);
  });
});
