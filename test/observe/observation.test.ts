import { describe, expect, it } from "vitest";
import { checkEntrySchema } from "../../generator/entries/entry.ts";
import type { Methods } from "../rpc/rpc-server.ts";
import { EPOCH, EPOCH_INFO, SLOT, voteRow } from "./cluster.ts";
import { key } from "./fixtures.ts";
import { entryOf, fails, inTurn, observe, reasonOf, SMALL } from "./observing.ts";

it("a check is lean, and dated by its beginning and its newest vote", async () => {
  const { observer, nodes, clock } = await observe([{}]);
  const endpoint = `${nodes[0]!.url}#0`;
  const list = { slot: SLOT - 2, unreadableRows: 0, hasBasisPoints: true, lacks: [], rows: [] };
  const row = { basisPoints: 750, percent: 8, activeStake: 5_000_000_000n };
  const entry = entryOf(await observer.check());
  expect(entry).toEqual({
    ...{
      kind: "check",
      format: 1,
      network: "mainnet",
      time: new Date(clock.now()).toISOString(),
      endpoint,
    },
    ...{
      slot: SLOT - 2,
      epoch: EPOCH,
      slotIndex: 104_123,
      slotsInEpoch: 432_000,
      absoluteSlot: SLOT,
    },
    panel: [
      {
        endpoint,
        slot: SLOT,
        epoch: EPOCH,
        firstSlot: SLOT - 104_123,
        slotsInEpoch: 432_000,
        list,
        reason: null,
      },
    ],
    unreadableRows: 0,
    votes: [key(1), key(2)].sort().map((vote) => ({ vote, ...row, delinquent: vote === key(2) })),
    unclear: [],
    accounts: [],
  });
  expect(checkEntrySchema.parse(entry)).toEqual(entry);
});

describe("the door", () => {
  const list = (...current: object[]) => ({ getVoteAccounts: { current, delinquent: [] } });
  const behind = { getHealth: fails(-32_005, "Node is behind") };
  const leapt = { ...EPOCH_INFO, epoch: EPOCH + 1, slotIndex: 0 };
  it.each<[string, () => Methods, RegExp]>([
    ["another cluster", () => ({ getGenesisHash: key(78) }), /#0: genesis hash is .*, not /],
    ["a late node", () => behind, /#0 getHealth: .*-32005: Node is behind/],
    [
      "an epoch's end",
      () => ({ getEpochInfo: inTurn(EPOCH_INFO, leapt) }),
      /#0: the epoch changed from 1053 to 1054/,
    ],
    [
      "an error for the list",
      () => ({ getVoteAccounts: fails(-32_000, "oops") }),
      /#0 getVoteAccounts: .*oops/,
    ],
    [
      "an unreadable list",
      () => ({ getVoteAccounts: { current: "none" } }),
      /#0 getVoteAccounts: unexpected shape/,
    ],
    ["an empty list", () => list(), /#0 getVoteAccounts: no vote account/],
    [
      "an old list",
      () => list(voteRow(1, { lastVote: SLOT - 151 })),
      /#0 getV.*: .* slot .* 150 slots before/,
    ],
    [
      "a list to come",
      () => list(voteRow(1, { lastVote: 2 ** 53 - 1 })),
      /#0: the answer is of slot 9007199254740991/,
    ],
    [
      "an unreadable epoch",
      () => ({ getEpochInfo: { epoch: -1 } }),
      /#0 getEpochInfo: unexpected shape/,
    ],
  ])("refuses %s, and the next endpoint is read", async (_, change, reason) => {
    const alone = await observe([change()]);
    expect(reasonOf(await alone.observer.check())).toMatch(reason);
    const { observer } = await observe([change(), {}]);
    expect(entryOf(await observer.check()).endpoint).toContain("#1");
  });

  it.each<[string, Methods[], boolean]>([
    ["every node is late", [behind, behind], false],
    [
      "one node is late, and the other of another cluster",
      [behind, { getGenesisHash: key(78) }],
      false,
    ],
    ["the epoch ends", [{ getEpochInfo: inTurn(EPOCH_INFO, leapt) }], false],
    ["every node is of another cluster", [{ getGenesisHash: key(78) }], true],
    ["every list fails", [{ getVoteAccounts: fails(-32_000, "oops") }], true],
  ])("says whether somebody must mend it: where %s", async (_, changes, isUnread) => {
    const { observer } = await observe(changes);
    expect(await observer.check()).toMatchObject({ passed: false, isUnread });
  });

  it.each([
    ["does not offer getHealth", fails(-32_601, "Method not found")],
    ["lets nobody ask for getHealth", fails(403, "Access forbidden")],
    ["knows getHealth by another name", fails(-32_000, "unsupported")],
    ["says it in other words", { status: "ok" }],
  ])("lets a node pass that %s", async (_, getHealth) => {
    const { observer } = await observe([{ getHealth }]);
    await expect(observer.check()).resolves.toMatchObject({ passed: true });
  });
});

describe("vote accounts without stake", () => {
  const getVoteAccounts = {
    current: [voteRow(1), voteRow(2, { activatedStake: 0 })],
    delinquent: [3, 4, 5].map((vote) =>
      voteRow(vote, { activatedStake: vote === 5 ? 1 : 0, lastVote: 9 }),
    ),
  };
  const keysOf = (votes: { vote: string }[]) => votes.map(({ vote }) => vote).sort();

  it("that are delinquent are left out unless they are expected; all others stay", async () => {
    const { observer, nodes } = await observe([{ getVoteAccounts }]);
    const living = [key(1), key(2), key(5)].sort();
    const expected = [key(4), key(6)];
    expect(keysOf(entryOf(await observer.check()).votes)).toEqual(living);
    expect(keysOf(entryOf(await observer.check({ expected })).votes)).toEqual(
      [...living, key(4)].sort(),
    );
    expect(keysOf(entryOf(await observer.snapshot(SMALL)).votes)).toEqual(living);
    const snapshot = entryOf(await observer.snapshot({ ...SMALL, expected }));
    expect(keysOf(snapshot.votes)).toEqual([...living, key(4)].sort());
    expect(snapshot.absent).toEqual([key(6)]);
    const lists = nodes[0]?.asked.filter(({ body }) => body?.method === "getVoteAccounts") ?? [];
    expect(lists).toHaveLength(4);
    for (const { body } of lists)
      expect(body?.params).toMatchObject([{ keepUnstakedDelinquents: true }]);
  });

  it("do not hide the others where somebody made more of them than can be read", async () => {
    const flooded = {
      current: getVoteAccounts.current,
      delinquent: Array<number>(500_000).fill(0),
    };
    const answer = ([options]: [object]) =>
      "keepUnstakedDelinquents" in options ? flooded : getVoteAccounts;
    const { observer } = await observe([{ getVoteAccounts: answer }]);
    expect(keysOf(entryOf(await observer.check()).votes)).toEqual([key(1), key(2), key(5)].sort());
  });

  it("are a list that cannot be read where there are no others", async () => {
    const unstaked = { current: [], delinquent: getVoteAccounts.delinquent.slice(0, 2) };
    const { observer } = await observe([{ getVoteAccounts: unstaked }]);
    expect(reasonOf(await observer.check())).toMatch(/no vote account in the list/);
  });
});

describe("with several endpoints", () => {
  it("one of another cluster, far ahead, makes no other look behind", async () => {
    const ahead = {
      getGenesisHash: key(78),
      getEpochInfo: { ...EPOCH_INFO, absoluteSlot: SLOT + 1_000_000 },
    };
    const { observer } = await observe([{}, ahead]);
    await expect(observer.check()).resolves.toMatchObject({ passed: true });
  });
});
