import { describe, expect, it } from "vitest";
import { confirmEntrySchema, snapshotEntrySchema } from "../../generator/entries/entry.ts";
import type { Methods } from "../rpc/rpc-server.ts";
import { EPOCH_INFO, SLOT, voteAccount, voteRow } from "./cluster.ts";
import { key } from "./fixtures.ts";
import { entryOf, failed, fails, observe, observeHanging, reasonOf, SMALL } from "./observing.ts";

const votes = Array.from({ length: 101 }, (_, index) => key(index + 1));
const [first = ""] = votes;

/** Answers at the slot given for a key, else at the newest. */
const atSlots = (slots: Record<string, number>) => ({
  getMultipleAccounts: ([keys]: [string[]]) => ({
    context: { slot: keys.map((one) => slots[one]).find((slot) => slot !== undefined) ?? SLOT },
    value: keys.map((one) => (votes.includes(one) ? voteAccount(10_000) : null)),
  }),
});
const oops: Methods = { getMultipleAccounts: fails(-32_000, "oops") };

const holding = (rates: Record<string, number>, slot = SLOT): Methods => ({
  getMultipleAccounts: ([keys]: [string[]]) => ({
    context: { slot },
    value: keys.map((one) => (rates[one] === undefined ? null : voteAccount(rates[one]))),
  }),
});

const listing = (rates: Record<string, number>, lastVote = SLOT): Methods => ({
  getVoteAccounts: {
    current: Object.entries(rates).map(([votePubkey, bps]) =>
      voteRow(1, { votePubkey, inflationRewardsCommissionBps: bps, lastVote }),
    ),
    delinquent: [],
  },
});

describe("a second reading", () => {
  it("is of each witness's own list and of the accounts, in the order asked", async () => {
    const witnesses = [
      { ...listing({ [key(1)]: 10_000 }, SLOT - 9), ...holding({ [key(1)]: 10_000 }, SLOT - 7) },
      { ...listing({ [key(1)]: 500 }, SLOT + 2), ...holding({ [key(1)]: 900 }, SLOT + 3) },
    ];
    const { observer, nodes, clock } = await observe(witnesses);
    const entry = entryOf(await observer.confirm({ votes: [key(2), key(1)] }));
    expect(confirmEntrySchema.parse(entry)).toEqual(entry);
    const answer = (witness: number, listed: [number, number], held: [number, number]) => ({
      endpoint: `${nodes[witness]!.url}#${witness}`,
      list: { state: "ok", slot: listed[0], rows: [null, [listed[1], 8]] },
      accounts: { state: "ok", slot: held[0], rows: [null, [held[1], null, key(0), 10_000]] },
    });
    expect(entry).toEqual({
      ...{ kind: "confirm", format: 1, network: "mainnet", time: new Date(clock.now()).toISOString() },
      votes: [key(2), key(1)],
      answers: [answer(0, [SLOT - 9, 10_000], [SLOT - 7, 10_000]), answer(1, [SLOT + 2, 500], [SLOT + 3, 900])],
    });
  });

  it("asks those as well that are elsewhere: the fold judges what they say", async () => {
    const getEpochInfo = { ...EPOCH_INFO, absoluteSlot: SLOT + 5_000 };
    const ahead = { getEpochInfo, ...atSlots({ [first]: SLOT + 5_000 }) };
    const { observer } = await observe([{}, ahead]);
    const { answers } = entryOf(await observer.confirm({ votes: [first] }));
    expect(answers.map(({ accounts }) => accounts)).toMatchObject([{ slot: SLOT }, { slot: SLOT + 5_000 }]);
  });

  it("keeps what can be read where the rest cannot", async () => {
    const { observer } = await observe([{ getVoteAccounts: fails(-32_000, "no list") }, oops]);
    const { answers } = entryOf(await observer.confirm({ votes: [first] }));
    expect(answers).toMatchObject([
      { list: { state: "failed", reason: expect.stringContaining("no list") as string }, accounts: { state: "ok" } },
      { list: { state: "ok" }, accounts: { state: "failed", reason: expect.stringContaining("oops") as string } },
    ]);
  });

  it.each<[string, Record<string, number>]>([
    ["first", { [first]: SLOT - 150 }],
    ["last", { [votes.at(-1) ?? ""]: SLOT - 150 }],
  ])(
    "of many is of the slot of its %s call, where that is the lowest, up to 150 before the one told",
    async (_, slots) => {
      const { observer } = await observe([atSlots(slots)]);
      const { answers } = entryOf(await observer.confirm({ votes }));
      expect(answers).toMatchObject([{ accounts: { state: "ok", slot: SLOT - 150 } }]);
    },
  );
});

describe("a witness without an answer", () => {
  const accounts = (count: number) => ({
    getMultipleAccounts: { context: { slot: SLOT }, value: Array.from({ length: count }, () => ({})) },
  });

  it.each<[string, Methods, "list" | "accounts", RegExp]>([
    ["of too few accounts", accounts(0), "accounts", /0 accounts for 1 keys/],
    ["of more accounts than can be asked for", accounts(101), "accounts", /<=100 items/],
    [
      "of a list that is too old",
      listing({ [key(1)]: 500 }, SLOT - 151),
      "list",
      /#1 getVoteAccounts: .*over 150 slots/,
    ],
    ["too old", atSlots({ [first]: SLOT - 151 }), "accounts", /#1 getM.* of slot 454999972, over 150 slots/],
    ["but an error", oops, "accounts", /#1 getMultipleAccounts: error -32000: oops/],
    ["because it says that it is behind", { getHealth: fails(-32_005, "is behind") }, "list", /is behind/],
  ])("%s is told so, and costs the others nothing", async (_, change, part, reason) => {
    const { observer, nodes } = await observe([atSlots({}), change]);
    const entry = entryOf(await observer.confirm({ votes: [first] }));
    expect(confirmEntrySchema.parse(entry)).toEqual(entry);
    const failure = { state: "failed", reason: expect.stringMatching(reason) as string };
    expect(entry.answers).toMatchObject([
      { [part]: { state: "ok" } },
      { endpoint: `${nodes[1]?.url ?? ""}#1`, [part]: failure },
    ]);
  });

  it("leaves a refusal that tells of each, where none has one", async () => {
    const silent = (text: string) => ({ getMultipleAccounts: fails(-32_000, text), getVoteAccounts: null });
    const { observer } = await observe([silent("oops"), silent("no")]);
    const observed = await observer.confirm({ votes: [first] });
    expect(reasonOf(observed)).toMatch(/#0 getMultipleAccounts: error -32000: oops; .*#1 .*error -32000: no/);
  });

  it("that hangs is waited for twelve seconds, and no longer", async () => {
    const { observer, clock } = await observeHanging([atSlots({}), {}], {
      hangs: (position, method) => position === 1 && method === "getMultipleAccounts",
    });
    const startedAt = clock.now();
    const { answers } = entryOf(await observer.confirm({ votes: [first] }));
    expect(answers.map((answer) => answer.accounts)).toMatchObject([
      { state: "ok" },
      failed("#1 getMultipleAccounts: no answer in time"),
    ]);
    expect(clock.now() - startedAt).toBe(12_000);
  });
});

const isRead = async (lastVote: number) => {
  const { observer } = await observe([{ getVoteAccounts: { current: [voteRow(1, { lastVote })], delinquent: [] } }]);
  return (await observer.check()).passed;
};

it("a list of vote accounts may lie 150 slots before or after the slot that the endpoint told, and no more", async () => {
  await expect(Promise.all([SLOT - 150, SLOT + 150].map(isRead))).resolves.toEqual([true, true]);
  await expect(Promise.all([SLOT - 151, SLOT + 151].map(isRead))).resolves.toEqual([false, false]);
});

describe("the vote accounts of a snapshot", () => {
  it("are those of its rows, in their order, by every witness at its own slot", async () => {
    const rates = [{ [key(1)]: 700, [key(2)]: 800 }, { [key(1)]: 10_000 }] as Record<string, number>[];
    const slots = [SLOT - 4, SLOT + 2];
    const { observer, nodes } = await observe(rates.map((held, witness) => holding(held, slots[witness])));
    const entry = entryOf(await observer.snapshot(SMALL));
    expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
    expect(entry.accounts).toEqual(
      nodes.map(({ url }, witness) => {
        const held = entry.votes.map(({ vote }) => rates[witness]![vote]);
        const rows = held.map((rate) => (rate === undefined ? null : [rate, null, key(0), 10_000]));
        return { state: "ok", endpoint: `${url}#${witness}`, slot: slots[witness], rows };
      }),
    );
  });

  it("are asked for a hundred at a time, and are of the lowest slot of the answers", async () => {
    const current = Array.from({ length: 150 }, (_, index) => voteRow(index + 1, { nodePubkey: key(200) }));
    const isOfVotes = (keys: string[]) => current.some(({ votePubkey }) => votePubkey === keys[0]);
    const getMultipleAccounts = ([keys]: [string[]]) => ({
      context: { slot: isOfVotes(keys) && keys.length < 100 ? SLOT - 2 : SLOT + 9 },
      value: keys.map(() => null),
    });
    const { observer, nodes } = await observe([{ getVoteAccounts: { current, delinquent: [] }, getMultipleAccounts }]);
    const { accounts, votes } = entryOf(await observer.snapshot(SMALL));
    const asked = nodes[0]?.asked.filter(({ body }) => body?.method === "getMultipleAccounts") ?? [];
    const keys = asked.map(({ body }) => (body?.params as [string[]])[0]).filter(isOfVotes);
    expect(keys.map(({ length }) => length).sort()).toEqual([100, 50]);
    expect(accounts).toMatchObject([{ state: "ok", slot: SLOT - 2, rows: votes.map(() => null) }]);
  });
});
