import { describe, expect, it } from "vitest";
import { checkEntrySchema } from "../../generator/entries/entry.ts";
import { readGenesis } from "../../generator/rpc/ranking.ts";
import { EPOCH, EPOCH_INFO, GENESIS, SLOT, voteRow } from "./cluster.ts";
import { key } from "./fixtures.ts";
import { entryOf, fails, observe, reasonOf } from "./observing.ts";
import { toExactJson, type Methods } from "../rpc/rpc-server.ts";

describe("a check", () => {
  it("is lean, and dated by its beginning and its newest vote", async () => {
    const { observer, nodes, clock } = await observe([{}]);
    const entry = entryOf(await observer.check());
    expect(entry).toEqual({
      kind: "check",
      format: 1,
      network: "mainnet",
      time: new Date(clock.now()).toISOString(),
      endpoint: `${nodes[0]?.url ?? ""}#0`,
      slot: SLOT - 2,
      epoch: EPOCH,
      slotIndex: 104_123,
      slotsInEpoch: 432_000,
      absoluteSlot: SLOT,
      panel: [{ endpoint: `${nodes[0]?.url ?? ""}#0`, slot: SLOT, reason: null }],
      unreadableRows: 0,
      votes: [
        { vote: key(1), basisPoints: 750, percent: 8, delinquent: false, activeStake: 5_000_000_000n },
        { vote: key(2), basisPoints: 750, percent: 8, delinquent: true, activeStake: 5_000_000_000n },
      ].sort((a, b) => (a.vote < b.vote ? -1 : 1)),
    });
    expect(checkEntrySchema.parse(entry)).toEqual(entry);
  });
});

/** Epoch readings, of which each call takes the next, and all later ones the last. */
function epochs(...infos: object[]) {
  let count = 0;
  return () => infos[Math.min(count++, infos.length - 1)];
}

describe("the door", () => {
  it.each<[string, Methods, RegExp]>([
    ["another cluster", { getGenesisHash: key(78) }, /#0: genesis hash is .*, not /],
    [
      "a node that says it is behind",
      { getHealth: fails(-32_005, "Node is behind by 200 slots") },
      /#0 getHealth: error -32005: Node is behind by 200 slots/,
    ],
    [
      "an epoch that ends meanwhile",
      { getEpochInfo: epochs(EPOCH_INFO, { ...EPOCH_INFO, epoch: EPOCH + 1, slotIndex: 0 }) },
      /#0: the epoch changed from 1053 to 1054/,
    ],
    ["an unreadable list", { getVoteAccounts: { current: "none" } }, /#0 getVoteAccounts: unexpected shape/],
    ["an empty list", { getVoteAccounts: { current: [], delinquent: [] } }, /#0 getVoteAccounts: no vote account/],
    [
      "a list from an old slot",
      { getVoteAccounts: { current: [voteRow(1, { lastVote: SLOT - 151 })], delinquent: [] } },
      /#0 getVoteAccounts: the answer is of slot .* 150 slots before/,
    ],
    [
      "a list from a slot to come",
      { getVoteAccounts: { current: [voteRow(1, { lastVote: 2 ** 53 - 1 })], delinquent: [] } },
      /#0: an answer of slot 9007199254740991/,
    ],
    ["an unreadable epoch", { getEpochInfo: { epoch: -1 } }, /#0 getEpochInfo: unexpected shape/],
  ])("refuses %s", async (_, change, reason) => {
    const { observer } = await observe([change]);
    expect(reasonOf(await observer.check())).toMatch(reason);
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

  it("keeps path and query of an address out of its reason and its entry", async () => {
    const { nodes } = await observe([{}]);
    const { observer } = await observe([], { endpoints: [`${nodes[0]?.url ?? ""}/hidden-path?key=hidden-key`] });
    expect(toExactJson(entryOf(await observer.check()))).not.toContain("hidden");
    await nodes[0]?.close();
    expect(reasonOf(await observer.check())).not.toContain("hidden");
  });
});

describe("vote accounts without stake", () => {
  const getVoteAccounts = {
    current: [voteRow(1), voteRow(2, { activatedStake: 0 })],
    delinquent: [3, 4, 5].map((vote) => voteRow(vote, { activatedStake: vote === 5 ? 1 : 0, lastVote: 9 })),
  };
  const request = { scanStakeAccounts: () => false, closedMev: () => null };
  const keysOf = (votes: { vote: string }[]) => votes.map(({ vote }) => vote).sort();

  it("that are delinquent are left out unless they are expected; all others stay", async () => {
    const { observer, nodes } = await observe([{ getVoteAccounts }]);
    const living = [key(1), key(2), key(5)];
    const expected = [key(4), key(6)];
    expect(keysOf(entryOf(await observer.check()).votes)).toEqual(living.sort());
    expect(keysOf(entryOf(await observer.check({ expected })).votes)).toEqual([...living, key(4)].sort());
    expect(keysOf(entryOf(await observer.snapshot({ ...request, expected: [] })).votes)).toEqual(living.sort());
    const snapshot = entryOf(await observer.snapshot({ ...request, expected }));
    expect(keysOf(snapshot.votes)).toEqual([...living, key(4)].sort());
    expect(snapshot.absent).toEqual([key(6)]);
    const lists = nodes[0]?.asked.filter(({ body }) => body?.method === "getVoteAccounts") ?? [];
    expect(lists).toHaveLength(4);
    for (const { body } of lists) expect(body?.params).toMatchObject([{ keepUnstakedDelinquents: true }]);
  });

  it("are a list that cannot be read where there are no others", async () => {
    const { observer } = await observe([
      { getVoteAccounts: { ...getVoteAccounts, current: [], delinquent: getVoteAccounts.delinquent.slice(0, 2) } },
    ]);
    expect(reasonOf(await observer.check())).toMatch(/no vote account in the list/);
  });
});

describe("with several endpoints", () => {
  it.each<[string, Methods]>([
    ["is of another cluster", { getGenesisHash: key(78) }],
    ["says it is behind", { getHealth: fails(-32_005, "Node is behind") }],
    ["fails at the list", { getVoteAccounts: fails(-32_000, "oops") }],
    ["gives an unreadable list", { getVoteAccounts: null }],
    [
      "tells of a vote to come",
      { getVoteAccounts: { current: [voteRow(1, { lastVote: 2 ** 53 - 1 })], delinquent: [] } },
    ],
    ["tells another epoch each time", { getEpochInfo: epochs(EPOCH_INFO, { ...EPOCH_INFO, epoch: EPOCH + 1 }) }],
  ])("the next one is read when the first %s", async (_, change) => {
    const { observer, nodes } = await observe([change, {}]);
    expect(entryOf(await observer.check()).endpoint).toBe(`${nodes[1]?.url ?? ""}#1`);
  });

  it("one of another cluster, far ahead, makes no other look behind", async () => {
    const ahead = { getGenesisHash: key(78), getEpochInfo: { ...EPOCH_INFO, absoluteSlot: SLOT + 1_000_000 } };
    const { observer } = await observe([{}, ahead]);
    await expect(observer.check()).resolves.toMatchObject({ passed: true });
  });

  it("the reason tells of each when none is left", async () => {
    const { observer } = await observe([{ getGenesisHash: key(78) }, { getHealth: fails(-32_005, "Node is behind") }]);
    expect(reasonOf(await observer.check())).toMatch(/#1 getHealth.*#0: genesis|#0: genesis.*#1 getHealth/);
  });

  it("an unknown genesis is learned from the first and kept", async () => {
    const { observer, nodes } = await observe([{}, { getGenesisHash: key(78) }], { genesis: null });
    expect(entryOf(await observer.check()).endpoint).toContain("#0");
    await nodes[0]?.close();
    expect(reasonOf(await observer.check())).toContain(`#1: genesis hash is ${key(78)}`);
  });

  it("the genesis of the first that answers can be asked for", async () => {
    const { nodes, clock } = await observe([{ getGenesisHash: fails(-32_000, "no genesis hash yet") }, {}]);
    const endpoints = nodes.map(({ url }) => url);
    await expect(
      readGenesis({ endpoints, now: clock.now, sleep: clock.sleep, deadline: clock.now() + 5_000 }),
    ).resolves.toBe(GENESIS);
  });
});
