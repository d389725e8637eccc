import { describe, expect, it } from "vitest";
import {
  checkEntrySchema,
  snapshotEntrySchema,
  type PanelRow,
} from "../../generator/entries/entry.ts";
import { findUnclear, type ListedRate } from "../../generator/observe/unclear-rates.ts";
import type { Methods } from "../rpc/rpc-server.ts";
import { SLOT, voteAccount, voteRow } from "./cluster.ts";
import { key } from "./fixtures.ts";
import { entryOf, fails, failed, observe, observeHanging, SMALL } from "./observing.ts";

/** As for a ledger that knows no rate: percent alone says too little. */
const isClear = ({ basisPoints }: ListedRate) => basisPoints !== null;
const inPercent = (vote: number) => voteRow(vote, { inflationRewardsCommissionBps: null });
const list = (...current: object[]): Methods => ({ getVoteAccounts: { current, delinquent: [] } });

const holding = (rates: Record<string, number>, slot = SLOT): Methods => ({
  getMultipleAccounts: ([keys]: [string[]]) => ({
    context: { slot },
    value: keys.map((one) => (rates[one] === undefined ? null : voteAccount(rates[one]))),
  }),
});

const accountOf = (bps: number) => [bps, null, key(0), 10_000];

describe("the vote accounts of a check", () => {
  it("are not asked for where every list is clear, or everything counts as clear", async () => {
    const { observer, nodes } = await observe([list(voteRow(1)), list(voteRow(1))]);
    expect(entryOf(await observer.check({ isClear }))).toMatchObject({ unclear: [], accounts: [] });
    const { observer: other } = await observe([list(inPercent(1))]);
    expect(entryOf(await other.check())).toMatchObject({ unclear: [], accounts: [] });
    const methods = nodes.flatMap(({ asked }) => asked.map(({ body }) => body?.method));
    expect(methods).not.toContain("getMultipleAccounts");
  });

  it("are those that any witness's list leaves unclear, in the order of their keys, by every witness", async () => {
    const witnesses = [
      { ...list(voteRow(1), voteRow(2)), ...holding({ [key(1)]: 700, [key(3)]: 900 }, SLOT - 7) },
      { ...list(voteRow(1), voteRow(2)), ...holding({ [key(1)]: 10_000 }, SLOT + 3) },
      {
        ...list(inPercent(1), voteRow(2), inPercent(3)),
        getMultipleAccounts: fails(-32_000, "oops"),
      },
    ];
    const { observer, nodes } = await observe(witnesses);
    const entry = entryOf(await observer.check({ isClear }));
    expect(checkEntrySchema.parse(entry)).toEqual(entry);
    expect(entry.unclear).toEqual([key(1), key(3)].sort());
    const rowsOf = (rates: Record<string, number>) =>
      entry.unclear.map((vote) => (rates[vote] === undefined ? null : accountOf(rates[vote])));
    const [first = "", second = "", third = ""] = nodes.map(({ url }, index) => `${url}#${index}`);
    expect(entry.accounts).toEqual([
      {
        state: "ok",
        endpoint: first,
        slot: SLOT - 7,
        rows: rowsOf({ [key(1)]: 700, [key(3)]: 900 }),
      },
      { state: "ok", endpoint: second, slot: SLOT + 3, rows: rowsOf({ [key(1)]: 10_000 }) },
      { ...failed("#2 getMultipleAccounts: error -32000: oops"), endpoint: third },
    ]);
  });

  it.each<[string, Methods, string]>([
    [
      "of too few accounts",
      { getMultipleAccounts: { context: { slot: SLOT }, value: [] } },
      "0 accounts for 1 keys",
    ],
    [
      "of more accounts than can be asked for",
      { getMultipleAccounts: { context: { slot: SLOT }, value: Array(101).fill({}) } },
      "<=100 items",
    ],
    ["that is too old", holding({}, SLOT - 151), "the answer is of slot 454999972, over 150 slots"],
    ["but an error", { getMultipleAccounts: fails(-32_000, "oops") }, "error -32000: oops"],
  ])("have a reason where a witness has no answer %s", async (_, change, reason) => {
    const { observer } = await observe([
      { ...list(inPercent(1)), ...holding({}) },
      { ...list(inPercent(1)), ...change },
    ]);
    const { accounts } = entryOf(await observer.check({ isClear }));
    expect(accounts).toMatchObject([{ state: "ok" }, failed(reason)]);
  });

  it("are waited for twelve seconds at a witness that hangs beside others", async () => {
    const { observer, clock } = await observeHanging([list(inPercent(1)), list(inPercent(1))], {
      hangs: (position, method) => position === 1 && method === "getMultipleAccounts",
    });
    const startedAt = clock.now();
    const { accounts } = entryOf(await observer.check({ isClear }));
    expect(accounts).toMatchObject([
      { state: "ok" },
      failed("#1 getMultipleAccounts: no answer in time"),
    ]);
    expect(clock.now() - startedAt).toBe(12_000);
  });

  const votes = Array.from({ length: 101 }, (_, index) => index + 1);
  const sorted = votes.map(key).sort();
  it.each<[string, string]>([
    ["first", sorted[0]!],
    ["last", sorted.at(-1)!],
  ])("are of the slot of the %s call, where that is the lowest", async (_, early) => {
    const getMultipleAccounts = ([keys]: [string[]]) => ({
      context: { slot: keys.includes(early) ? SLOT - 150 : SLOT },
      value: keys.map(() => voteAccount(500)),
    });
    const { observer } = await observe([{ ...list(...votes.map(inPercent)), getMultipleAccounts }]);
    const { accounts } = entryOf(await observer.check({ isClear }));
    expect(accounts).toMatchObject([{ state: "ok", slot: SLOT - 150, rows: { length: 101 } }]);
  });
});

describe("unclear rates", () => {
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => {
      const vote = String(from + index).padStart(5, "0");
      const rate = { basisPoints: null, percent: 5 };
      return {
        vote,
        identity: vote,
        ...rate,
        delinquent: false,
        activeStake: 0n,
        inValidatorSet: true,
      };
    });
  const giving = (lacks: string[], own: ReturnType<typeof rows>): PanelRow => ({
    ...{
      endpoint: "https://a.example#0",
      slot: SLOT,
      epoch: 1,
      firstSlot: 0,
      slotsInEpoch: 432_000,
      reason: null,
    },
    list: { slot: SLOT, unreadableRows: 0, hasBasisPoints: true, lacks, rows: own },
  });

  it("that a liar lists by the thousand displace none that others show, whoever's list is the base", () => {
    const [invented, real] = [rows(0, 3_000), rows(8_000, 8_900)];
    const keys = (some: typeof real) => some.map(({ vote }) => vote);
    const honest = giving([], []);
    const found = findUnclear(real, [honest, honest, giving([], invented)], isClear);
    expect(found).toEqual([...keys(invented.slice(0, 100)), ...keys(real)]);
    const without = giving(keys(invented), []);
    expect(findUnclear([...invented, ...real], [honest, without, without], isClear)).toEqual(found);
  });
});

describe("the vote accounts of a snapshot", () => {
  it("are those of its rows, in their order, by every witness at its own slot", async () => {
    const rates = [{ [key(1)]: 700, [key(2)]: 800 }, { [key(1)]: 10_000 }] as Record<
      string,
      number
    >[];
    const slots = [SLOT - 4, SLOT + 2];
    const { observer, nodes } = await observe(
      rates.map((own, witness) => holding(own, slots[witness])),
    );
    const entry = entryOf(await observer.snapshot(SMALL));
    expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
    expect(entry.accounts).toEqual(
      nodes.map(({ url }, witness) => {
        const read = entry.votes.map(({ vote }) => rates[witness]![vote]);
        const rows = read.map((rate) => (rate === undefined ? null : accountOf(rate)));
        return { state: "ok", endpoint: `${url}#${witness}`, slot: slots[witness], rows };
      }),
    );
  });

  it("are asked for a hundred at a time, and are of the lowest slot of the answers", async () => {
    const current = Array.from({ length: 150 }, (_, index) =>
      voteRow(index + 1, { nodePubkey: key(200) }),
    );
    const isOfVotes = (keys: string[]) => current.some(({ votePubkey }) => votePubkey === keys[0]);
    const getMultipleAccounts = ([keys]: [string[]]) => ({
      context: { slot: isOfVotes(keys) && keys.length < 100 ? SLOT - 2 : SLOT + 9 },
      value: keys.map(() => null),
    });
    const { observer, nodes } = await observe([
      { getVoteAccounts: { current, delinquent: [] }, getMultipleAccounts },
    ]);
    const { accounts, votes } = entryOf(await observer.snapshot(SMALL));
    const asked =
      nodes[0]?.asked.filter(({ body }) => body?.method === "getMultipleAccounts") ?? [];
    const keys = asked.map(({ body }) => (body?.params as [string[]])[0]).filter(isOfVotes);
    expect(keys.map(({ length }) => length).sort()).toEqual([100, 50]);
    expect(accounts).toMatchObject([{ state: "ok", slot: SLOT - 2, rows: votes.map(() => null) }]);
  });
});
