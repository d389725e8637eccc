import { describe, expect, it, afterAll, beforeAll } from "vitest";
import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import { makeCluster, parseExact, timeAt, ask, fail, openStage, type Stage } from "./story.ts";

interface Row {
  pubkey: string;
  account: { data: [string, string]; lamports: number | bigint; owner: string; rentEpoch: bigint; space: number };
}

const SLICE = { offset: 124, length: 56 };
const U64_MAX = 2n ** 64n - 1n;

function rowsAt(
  cluster: Cluster,
  position: number,
  filters: Parameters<Cluster["stakeProgram"]["rows"]>[2] = [],
): Row[] {
  const pieces = cluster.stakeProgram.rows(cluster.at(timeAt(position)).moment, SLICE, filters);
  return parseExact(`[${Buffer.concat([...pieces]).toString()}]`) as Row[];
}

function delegationOf({ account }: Row) {
  const data = Buffer.from(account.data[0], "base64");
  return {
    voter: encodePublicKey(data.subarray(0, 32)),
    stake: data.readBigUInt64LE(32),
    activation: data.readBigUInt64LE(40),
    deactivation: data.readBigUInt64LE(48),
  };
}

/** What each voter's delegations come to in an epoch, by the rule explorers use. */
function totalsAt(cluster: Cluster, position: number) {
  const { epoch } = cluster.at(timeAt(position)).moment;
  const now = BigInt(epoch);
  const totals = new Map<string, { active: bigint; activating: bigint; deactivating: bigint }>();
  for (const row of rowsAt(cluster, position)) {
    const { voter, stake, activation, deactivation } = delegationOf(row);
    const total = totals.get(voter) ?? { active: 0n, activating: 0n, deactivating: 0n };
    totals.set(voter, total);
    if (activation === deactivation && activation !== U64_MAX) continue;
    if (activation === now) total.activating += stake;
    else if ((activation < now || activation === U64_MAX) && deactivation >= now) total.active += stake;
    if (deactivation === now && activation < now) total.deactivating += stake;
  }
  return totals;
}

describe("the Stake program", () => {
  const cluster = makeCluster({ stakeAccounts: 1003 });

  it("has exactly as many accounts as asked for, each at its own address of 32 bytes", () => {
    const rows = rowsAt(cluster, 0.5);
    expect(rows.length).toBe(1003);
    expect(new Set(rows.map(({ pubkey }) => pubkey)).size).toBe(1003);
    for (const { account } of rows) expect(account).toMatchObject({ rentEpoch: U64_MAX, space: 200 });
  });

  it("adds up to the active stake of every validator in every epoch", () => {
    for (const position of [0.5, 1.5, 2.5, 3.5]) {
      const totals = totalsAt(cluster, position);
      for (const { votePubkey, activatedStake } of cluster.at(timeAt(position)).validators) {
        expect(totals.get(votePubkey)?.active).toBe(activatedStake);
      }
    }
  });

  it("becomes the next epoch's stake: what is active and joins, less what leaves", () => {
    const [now, next] = [totalsAt(cluster, 1.5), totalsAt(cluster, 2.5)];
    let moved = 0;
    for (const [voter, { active, activating, deactivating }] of now) {
      expect(next.get(voter)?.active).toBe(active + activating - deactivating);
      if (activating > 0n && deactivating > 0n) moved++;
    }
    expect(moved).toBeGreaterThan(20);
  });
});

const STAKE = "Stake11111111111111111111111111111111111111";
const CONFIG = "Config1111111111111111111111111111111111111";
const SLICED = { encoding: "base64", dataSlice: { offset: 124, length: 56 } };

interface Page {
  accounts: { pubkey: string; account: { data: [string, string] } }[];
  paginationKey: string | null;
}

const cluster = makeCluster();
let stage: Stage;

beforeAll(async () => {
  stage = await openStage([cluster]);
});
afterAll(() => stage.close());

/** All pages of a program. */
async function readPages(program: string, config: object): Promise<Page[]> {
  const pages: Page[] = [];
  for (let key: string | null = null; ;) {
    const page: Page = await ask(stage, "getProgramAccountsV2", [program, { ...config, paginationKey: key }]);
    pages.push(page);
    key = page.paginationKey;
    if (key === null) return pages;
  }
}

describe("getProgramAccountsV2", () => {
  it("gives page by page what the other method gives at once", async () => {
    const whole = await ask<Page["accounts"]>(stage, "getProgramAccounts", [STAKE, SLICED]);
    const pages = await readPages(STAKE, { ...SLICED, limit: 150 });
    expect(pages.map(({ accounts }) => accounts.length)).toEqual([150, 150, 100]);
    expect(pages.flatMap(({ accounts }) => accounts)).toEqual(whole);
    const infos = await ask<Page["accounts"]>(stage, "getProgramAccounts", [CONFIG, { encoding: "base64" }]);
    const infoPages = await readPages(CONFIG, { encoding: "base64", limit: 7 });
    expect(infoPages.length).toBeGreaterThan(2);
    expect(infoPages.flatMap(({ accounts }) => accounts)).toEqual(infos);
  });

  it("has short and empty pages where filters leave accounts out", async () => {
    const filters = [{ memcmp: { offset: 124, bytes: cluster.members[20]!.vote.address } }];
    const whole = await ask<Page["accounts"]>(stage, "getProgramAccounts", [STAKE, { ...SLICED, filters }]);
    const pages = await readPages(STAKE, { ...SLICED, filters, limit: 100 });
    expect(pages).toHaveLength(4);
    expect(pages.filter(({ accounts }) => accounts.length === 0).length).toBeGreaterThan(1);
    expect(pages.flatMap(({ accounts }) => accounts)).toEqual(whole);
    expect(whole.length).toBeGreaterThan(5);
  });

  it.each([{ limit: 0 }, { limit: 10_001 }, { paginationKey: "x" }, { paginationKey: 5 }])(
    "refuses %o",
    async (config) => {
      expect(await fail(stage, "getProgramAccountsV2", [STAKE, { ...SLICED, ...config }])).toMatchObject({
        code: -32602,
      });
    },
  );
});

describe("a cluster that refuses", () => {
  const filters = [{ memcmp: { offset: 124, bytes: "AQ==", encoding: "base64" } }];

  it.each([
    ["whole", "getProgramAccounts", SLICED, 410],
    ["by page", "getProgramAccountsV2", SLICED, -32601],
    ["by voter", "getProgramAccounts", { ...SLICED, filters }, -32010],
  ] as const)(
    "the stake accounts %s gives them in the other ways, and other programs",
    async (scan, method, config, code) => {
      const refusing = await openStage([makeCluster({ refusedStakeScans: [scan] })]);
      expect(await fail(refusing, method, [STAKE, config])).toMatchObject({ code });
      const questions = [
        ["getProgramAccounts", SLICED],
        ["getProgramAccountsV2", SLICED],
        ["getProgramAccounts", { ...SLICED, filters }],
      ] as const;
      const others = questions.filter(
        (one) => one[0] !== method || (one[1] !== config && "filters" in one[1] !== "filters" in config),
      );
      expect(others).toHaveLength(2);
      for (const [other, options] of others) await ask(refusing, other, [STAKE, options]);
      await ask(refusing, method, [CONFIG, SLICED]);
      await refusing.close();
    },
  );
});
