import { describe, expect, it } from "vitest";
import type { PanelRow } from "../../generator/entries/entry.ts";
import type { SnapshotRequest } from "../../generator/observe/snapshot.ts";
import { EPOCH_INFO, healthyNode, SLOT } from "./cluster.ts";
import { key } from "./fixtures.ts";
import { entryOf, fails, observe, servers } from "./observing.ts";
import { startOrigin, type Methods } from "../rpc/rpc-server.ts";

/* Who is held against whom: a witness is an origin, the first four of them are the panel. */

const SMALL: SnapshotRequest = { expected: [], scanStakeAccounts: () => false, closedMev: () => null };
const at = (absoluteSlot: number): Methods => ({ getEpochInfo: { ...EPOCH_INFO, absoluteSlot } });
const behind: Methods = { getHealth: fails(-32_005, "Node is behind by 200 slots") };

const unlabelled = (rows: PanelRow[] | undefined) =>
  rows?.map(({ endpoint, slot, reason }) => ({ position: endpoint.replace(/^.*#/, "#"), slot, reason }));

describe("the panel", () => {
  it("has a row of each witness: the slot that it told, or why it told none", async () => {
    const another: Methods = { getGenesisHash: key(78) };
    const { observer } = await observe([at(SLOT - 40), behind, another]);
    const { panel } = entryOf(await observer.check());
    expect(unlabelled(panel)).toEqual([
      { position: "#0", slot: SLOT - 40, reason: null },
      { position: "#1", slot: null, reason: expect.stringContaining("Node is behind by 200 slots") as string },
      { position: "#2", slot: null, reason: expect.stringContaining(`genesis hash is ${key(78)}`) as string },
    ]);
  });

  it("is the same in a snapshot, whoever is read", async () => {
    const { observer } = await observe([{ getVoteAccounts: fails(-32_000, "oops") }, at(SLOT + 3)]);
    const { endpoint, panel } = entryOf(await observer.snapshot(SMALL));
    expect(endpoint).toContain("#1");
    expect(unlabelled(panel)).toEqual([
      { position: "#0", slot: SLOT, reason: null },
      { position: "#1", slot: SLOT + 3, reason: null },
    ]);
  });

  it("keeps the word of one that is nowhere near the others", async () => {
    const { observer } = await observe([{}, at(2 ** 52), {}]);
    const { endpoint, panel } = entryOf(await observer.check());
    expect(endpoint).toContain("#0");
    expect(panel?.map(({ slot }) => slot)).toEqual([SLOT, 2 ** 52, SLOT]);
  });

  it("has four witnesses at most, the first", async () => {
    const { observer } = await observe([{}, {}, {}, {}, {}]);
    const { panel } = entryOf(await observer.check());
    expect(unlabelled(panel)?.map(({ position }) => position)).toEqual(["#0", "#1", "#2", "#3"]);
    const { answers } = entryOf(await observer.confirm({ votes: [key(1)], tips: [] }));
    expect(answers.map(({ endpoint }) => endpoint)).toEqual(panel?.map(({ endpoint }) => endpoint));
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
    const other = nodes[0]?.url ?? "";
    return { ...(await observe([], { endpoints: [`${origin.url}/0`, `${origin.url}/1`, other] })), origin };
  }

  it("are one witness, told by the first of them that can be used", async () => {
    const { observer } = await observeOrigin({}, {});
    const positions = async () => unlabelled(entryOf(await observer.check()).panel)?.map(({ position }) => position);
    expect(await positions()).toEqual(["#0", "#2"]);
    const { observer: other } = await observeOrigin(behind, at(SLOT + 5));
    expect(unlabelled(entryOf(await other.check()).panel)).toEqual([
      { position: "#1", slot: SLOT + 5, reason: null },
      { position: "#2", slot: SLOT, reason: null },
    ]);
  });

  it("tell both why, when neither can be used", async () => {
    const { observer } = await observeOrigin(behind, { getGenesisHash: key(78) });
    const [row] = entryOf(await observer.check()).panel ?? [];
    expect(row).toMatchObject({
      slot: null,
      reason: expect.stringMatching(/#0 getHealth: .*; .*#1: genesis/) as string,
    });
  });

  it("have one voice in a second reading, that of the first that answers", async () => {
    const { observer, origin } = await observeOrigin({ getMultipleAccounts: fails(-32_000, "oops") }, {});
    const { answers } = entryOf(await observer.confirm({ votes: [key(1)], tips: [] }));
    expect(answers.map(({ state, endpoint }) => `${state} ${endpoint.replace(/^.*#/, "#")}`)).toEqual([
      "ok #1",
      "ok #2",
    ]);
    expect(answers[0]?.endpoint).toBe(`${origin.url}#1`);
  });
});
