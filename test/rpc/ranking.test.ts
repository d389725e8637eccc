import { describe, expect, it } from "vitest";
import { NO_RANKING } from "../../generator/rpc/ranking.ts";
import { EPOCH_INFO, SLOT, voteRow, healthyNode } from "../observe/cluster.ts";
import { entryOf, fails, observe, observeHanging, servers, SMALL } from "../observe/observing.ts";
import { type Methods, startOrigin } from "./rpc-server.ts";
import type { PanelRow } from "../../generator/entries/entry.ts";
import { key } from "../observe/fixtures.ts";

const at = (absoluteSlot: number, fields: Methods = {}): Methods => ({
  getEpochInfo: { ...EPOCH_INFO, absoluteSlot },
  getVoteAccounts: { current: [voteRow(1, { lastVote: absoluteSlot - 2 })], delinquent: [] },
  ...fields,
});
const ahead = at(SLOT + 150, {
  getEpochInfo: { ...EPOCH_INFO, absoluteSlot: SLOT + 150, slotIndex: EPOCH_INFO.slotIndex + 150 },
});
const failing: Methods = { getVoteAccounts: fails(-32_000, "oops") };

async function readFrom(
  changes: Methods[],
  findClusterSlot = NO_RANKING.findClusterSlot,
): Promise<number> {
  const { observer } = await observe(changes);
  const { endpoint } = entryOf(await observer.check({ ranking: { findClusterSlot } }));
  return Number(endpoint.split("#")[1]);
}

describe("where the cluster is", () => {
  it.each<[string, Methods[], number]>([
    [
      "is where most are: one that is over 150 slots behind them comes last",
      [at(SLOT - 151), at(SLOT), at(SLOT)],
      1,
    ],
    [
      "is where most are: one that is far ahead of them comes last",
      [at(2 ** 52), at(SLOT), at(SLOT)],
      1,
    ],
    [
      "is where most are: two that are at odds with each other as well",
      [at(2 ** 52), at(SLOT), at(SLOT - 200_000)],
      1,
    ],
    ["is of two the upper slot, because who is behind is likelier", [at(SLOT - 151), at(SLOT)], 1],
    ["is where the first is whose newest vote is 150 slots behind", [at(SLOT - 148), at(SLOT)], 0],
    ["is where the first is that is 150 slots ahead", [ahead, at(SLOT), at(SLOT)], 0],
  ])("%s", async (_, changes, position) => {
    expect(await readFrom(changes)).toBe(position);
  });

  it("is what the ledger knows better", async () => {
    expect(await readFrom([at(SLOT), at(SLOT - 151)], () => SLOT - 151)).toBe(1);
    expect(await readFrom([at(SLOT), at(SLOT - 151)], () => null)).toBe(0);
  });

  it("is asked of the ledger with the slots of those that answered, one of each origin", async () => {
    const asked: number[][] = [];
    await readFrom(
      [at(SLOT - 3), at(SLOT, { getHealth: fails(-32_005, "behind") }), at(SLOT + 4)],
      (slots) => {
        asked.push(slots);
        return null;
      },
    );
    expect(asked).toEqual([[SLOT - 3, SLOT + 4]]);
  });
});

it("those elsewhere are read all the same when nobody else can be, the nearest first", async () => {
  expect(await readFrom([at(SLOT, failing), at(SLOT - 5_000), at(SLOT + 1_000)], () => SLOT)).toBe(
    2,
  );
  expect(
    await readFrom([at(SLOT, failing), at(SLOT - 5_000), at(SLOT + 1_000, failing)], () => SLOT),
  ).toBe(1);
});

const answersAt = (absoluteSlot: number): Methods => ({
  getEpochInfo: { ...EPOCH_INFO, absoluteSlot },
});
const behind: Methods = { getHealth: fails(-32_005, "Node is behind by 200 slots") };

const unlabelled = (rows: PanelRow[]) =>
  rows.map(({ endpoint, slot, reason }) => ({
    position: endpoint.replace(/^.*#/, "#"),
    slot,
    reason,
  }));

describe("the panel", () => {
  it("has a row of each witness: the slot that it answered, or why it gave none", async () => {
    const another: Methods = { getGenesisHash: key(78) };
    const { observer } = await observe([answersAt(SLOT - 40), behind, another]);
    const { panel } = entryOf(await observer.check());
    expect(unlabelled(panel)).toEqual([
      { position: "#0", slot: SLOT - 40, reason: null },
      {
        position: "#1",
        slot: null,
        reason: expect.stringContaining("Node is behind by 200 slots") as string,
      },
      {
        position: "#2",
        slot: null,
        reason: expect.stringContaining(`genesis hash is ${key(78)}`) as string,
      },
    ]);
  });

  it("is the same in a snapshot, whoever is read, and keeps the answer of one that is nowhere near the others", async () => {
    const { observer } = await observe([failing, answersAt(2 ** 52), {}]);
    const { endpoint, panel } = entryOf(await observer.snapshot(SMALL));
    expect(endpoint).toContain("#2");
    expect(panel).toMatchObject([{ slot: SLOT }, { slot: 2 ** 52 }, { slot: SLOT }]);
  });

  it("has four witnesses at most, the first", async () => {
    const { observer } = await observe([{}, {}, {}, {}, {}]);
    const { panel } = entryOf(await observer.check());
    expect(unlabelled(panel).map(({ position }) => position)).toEqual(["#0", "#1", "#2", "#3"]);
    const { accounts } = entryOf(await observer.snapshot(SMALL));
    expect(accounts).toHaveLength(4);
  });
});

describe("two addresses at one origin", () => {
  async function observeOrigin(first: Methods, second: Methods) {
    const origin = await startOrigin([
      { ...healthyNode(), ...first },
      { ...healthyNode(), ...second },
    ]);
    servers.push(origin);
    const { nodes } = await observe([{}]);
    return {
      ...(await observe([], { endpoints: [`${origin.url}/0`, `${origin.url}/1`, nodes[0]!.url] })),
      origin,
    };
  }

  it("are one witness, which the first of them that can be used answers for", async () => {
    const { observer } = await observeOrigin({}, {});
    const positions = async () =>
      unlabelled(entryOf(await observer.check()).panel).map(({ position }) => position);
    expect(await positions()).toEqual(["#0", "#2"]);
    const { observer: other } = await observeOrigin(behind, answersAt(SLOT + 5));
    expect(unlabelled(entryOf(await other.check()).panel)).toEqual([
      { position: "#1", slot: SLOT + 5, reason: null },
      { position: "#2", slot: SLOT, reason: null },
    ]);
  });

  it("name both reasons, when neither can be used", async () => {
    const { observer } = await observeOrigin(behind, { getGenesisHash: key(78) });
    const [row] = entryOf(await observer.check()).panel;
    expect(row?.slot).toBeNull();
    expect(row?.reason).toMatch(/#0 getHealth: .*; .*#1: genesis/);
  });

  it("have one voice, of each part that of the first that answers", async () => {
    const failingBoth = { getMultipleAccounts: fails(-32_000, "oops") };
    const { observer, origin } = await observeOrigin({ ...failing, ...failingBoth }, {});
    const { panel, accounts } = entryOf(await observer.snapshot(SMALL));
    const second = expect.stringMatching(new RegExp(`^${origin.url}#1$`)) as string;
    const other = expect.stringContaining("#2") as string;
    expect(panel).toMatchObject([
      { endpoint: second, list: { rows: [] } },
      { endpoint: other, list: { rows: [] } },
    ]);
    expect(accounts).toMatchObject([
      { endpoint: second, state: "ok" },
      { endpoint: other, state: "ok" },
    ]);
  });

  it("leave each other time", async () => {
    const origin = await startOrigin([healthyNode(), healthyNode()]);
    servers.push(origin);
    const hangs = (at: number, method: string) => at === 0 && method === "getVoteAccounts";
    const { observer } = await observeHanging([{}], { hangs }, [
      `${origin.url}/0`,
      `${origin.url}/1`,
    ]);
    const { panel } = entryOf(await observer.check());
    expect(unlabelled(panel).map(({ position, reason }) => [position, reason])).toEqual([
      ["#1", null],
      ["#2", null],
    ]);
  });
});
