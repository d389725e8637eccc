import { describe, expect, it } from "vitest";
import { NO_RANKING } from "../../generator/rpc/ranking.ts";
import { EPOCH_INFO, SLOT, voteRow } from "./cluster.ts";
import { entryOf, fails, observe } from "./observing.ts";
import type { Methods } from "../rpc/rpc-server.ts";

/* Who is read first. Nobody is left out for what another endpoint says of its own slot. */

const at = (absoluteSlot: number, fields: Methods = {}): Methods => ({
  getEpochInfo: { ...EPOCH_INFO, absoluteSlot },
  getVoteAccounts: { current: [voteRow(1, { lastVote: absoluteSlot - 2 })], delinquent: [] },
  ...fields,
});
const failing: Methods = { getVoteAccounts: fails(-32_000, "oops") };

/** The position of the endpoint that a check is read from. */
async function readFrom(changes: Methods[], findClusterSlot = NO_RANKING.findClusterSlot): Promise<number> {
  const { observer } = await observe(changes);
  const { endpoint } = entryOf(await observer.check({ ranking: { ...NO_RANKING, findClusterSlot } }));
  return Number(endpoint.split("#")[1]);
}

describe("where the cluster is", () => {
  it.each<[string, Methods[], number]>([
    ["is told by most: one that is over 150 slots behind them comes last", [at(SLOT - 151), at(SLOT), at(SLOT)], 1],
    ["is told by most: one that is far ahead of them comes last", [at(2 ** 52), at(SLOT), at(SLOT)], 1],
    ["is told by most: two that are at odds with each other as well", [at(2 ** 52), at(SLOT), at(SLOT - 200_000)], 1],
    ["is of two the upper slot, because who is behind is likelier", [at(SLOT - 151), at(SLOT)], 1],
    ["is where the first is that is 150 slots behind", [at(SLOT - 150), at(SLOT)], 0],
    ["is where the first is that is 150 slots ahead", [at(SLOT + 150), at(SLOT), at(SLOT)], 0],
  ])("%s", async (_, changes, position) => {
    expect(await readFrom(changes)).toBe(position);
  });

  it("is what the ledger knows better", async () => {
    expect(await readFrom([at(SLOT), at(SLOT - 151)], () => SLOT - 151)).toBe(1);
    expect(await readFrom([at(SLOT), at(SLOT - 151)], () => null)).toBe(0);
  });

  it("is asked of the ledger with the slots of those that answered, one of each origin", async () => {
    const asked: number[][] = [];
    await readFrom([at(SLOT - 3), at(SLOT, { getHealth: fails(-32_005, "behind") }), at(SLOT + 4)], (slots) => {
      asked.push(slots);
      return null;
    });
    expect(asked).toEqual([[SLOT - 3, SLOT + 4]]);
  });
});

describe("those elsewhere", () => {
  it("are read all the same when nobody else can be, the nearest first", async () => {
    expect(await readFrom([at(SLOT, failing), at(SLOT - 5_000), at(SLOT + 1_000)], () => SLOT)).toBe(2);
    expect(await readFrom([at(SLOT, failing), at(SLOT - 5_000), at(SLOT + 1_000, failing)], () => SLOT)).toBe(1);
  });
});

describe("those where the cluster is", () => {
  it("are read in turns of their origins: who was never read, then who was read longest ago", async () => {
    const { observer, nodes } = await observe([{}, {}, {}]);
    const origins = nodes.map(({ url }) => url);
    const [first = "", second = "", third = ""] = origins;
    const readAfter = async (...turns: string[]) => {
      const { endpoint } = entryOf(await observer.check({ ranking: { ...NO_RANKING, turns } }));
      return origins.indexOf(endpoint.replace(/#\d$/, ""));
    };
    expect(await readAfter()).toBe(0);
    expect(await readAfter(first)).toBe(1);
    expect(await readAfter(first, second)).toBe(2);
    expect(await readAfter(first, second, third)).toBe(0);
    expect(await readAfter(third, first, second)).toBe(2);
  });

  it("come before those elsewhere, whoever was never read", async () => {
    const { observer, nodes } = await observe([at(SLOT - 151), {}, {}]);
    const turns = nodes.slice(1).map(({ url }) => url);
    expect(entryOf(await observer.check({ ranking: { ...NO_RANKING, turns } })).endpoint).toContain("#1");
  });

  it("come before who is no witness, which is read when none of them can be", async () => {
    const { observer, nodes } = await observe([{}, {}, {}, {}, {}]);
    const ranking = { ...NO_RANKING, turns: nodes.slice(0, 4).map(({ url }) => url) };
    expect(entryOf(await observer.check({ ranking })).endpoint).toContain("#0");
    const { observer: other } = await observe([failing, failing, failing, failing, {}]);
    expect(entryOf(await other.check({ ranking })).endpoint).toContain("#4");
  });
});
