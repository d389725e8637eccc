import { describe, expect, it } from "vitest";
import { ask, call, makeCluster } from "./_cluster.ts";

const cluster = makeCluster();
const STAKE = "Stake11111111111111111111111111111111111111";
const CONFIG = "Config1111111111111111111111111111111111111";
const WHOLE = { encoding: "base64" };
const SLICED = { ...WHOLE, dataSlice: { offset: 124, length: 56 } };

type Rows = { pubkey: string; account: { data: [string, string]; owner: string } }[];

/** All pages of a program. */
function readPages(program: string, config: object): Rows[] {
  const pages: Rows[] = [];
  for (let paginationKey: string | null = null; ;) {
    const params = [program, { ...config, paginationKey }];
    const page: { accounts: Rows; paginationKey: string | null } = ask(
      cluster,
      "getProgramAccountsV2",
      params,
    );
    pages.push(page.accounts);
    paginationKey = page.paginationKey;
    if (paginationKey === null) return pages;
  }
}

it("getProgramAccounts gives the Config program raw and the Stake program in slices", () => {
  const marker = { memcmp: { offset: 1, bytes: "Va1idator1nfo111111111111111111111111111111" } };
  const infos = ask<Rows>(cluster, "getProgramAccounts", [CONFIG, { ...WHOLE, filters: [marker] }]);
  expect(infos.length).toBe(cluster.accounts.info.length);
  expect(new Set(infos.map(({ account }) => account.owner))).toEqual(new Set([CONFIG]));
  const filters = [
    { dataSize: 200 },
    { memcmp: { offset: 0, bytes: "AgAAAA==", encoding: "base64" } },
  ];
  const config = { ...SLICED, withContext: true, filters };
  const stake = ask<{ context: { slot: number }; value: Rows }>(cluster, "getProgramAccounts", [
    STAKE,
    config,
  ]);
  expect(stake.value.length).toBe(400);
  expect(
    stake.value.every(({ account }) => Buffer.from(account.data[0], "base64").length === 56),
  ).toBe(true);
  expect(stake.context.slot).toBe(ask(cluster, "getSlot"));
});

describe("getProgramAccountsV2", () => {
  const voter = { memcmp: { offset: 124, bytes: cluster.members[20]!.vote.address } };

  it.each([
    ["of the Stake program", STAKE, SLICED, 150, [150, 150, 100]],
    ["of the Config program", CONFIG, WHOLE, 7, null],
    ["that filters leave short and empty", STAKE, { ...SLICED, filters: [voter] }, 100, null],
  ])(
    "gives pages %s that are together what the other method gives at once",
    (_, program, config, limit, sizes) => {
      const pages = readPages(program, { ...config, limit });
      const whole = ask<Rows>(cluster, "getProgramAccounts", [program, config]);
      expect(pages.flat()).toEqual(whole);
      expect(whole.length).toBeGreaterThan(5);
      expect(pages.length).toBeGreaterThan(1);
      if (sizes !== null) expect(pages.map(({ length }) => length)).toEqual(sizes);
      if ("filters" in config)
        expect(pages.filter(({ length }) => length === 0).length).toBeGreaterThan(1);
    },
  );
});

const WRONG = [{ limit: 0 }, { limit: 10_001 }, { paginationKey: "x" }, { paginationKey: 5 }];
it.each(WRONG)("getProgramAccountsV2 refuses %o", (config) => {
  const { error } = call(cluster, "getProgramAccountsV2", [STAKE, { ...SLICED, ...config }]);
  expect(error?.code).toBe(-32602);
});

describe("a cluster that refuses", () => {
  const filters = [{ memcmp: { offset: 124, bytes: "AQ==", encoding: "base64" } }];
  const WAYS = [
    ["whole", "getProgramAccounts", SLICED, 410],
    ["by page", "getProgramAccountsV2", SLICED, -32601],
    ["by voter", "getProgramAccounts", { ...SLICED, filters }, -32010],
  ] as const;

  it.each(WAYS)(
    "the stake accounts %s gives them in the other ways, and other programs",
    (refused, method) => {
      const refusing = makeCluster({ refusedStakeScans: [refused] });
      const codes = WAYS.map(([, way, config]) => call(refusing, way, [STAKE, config]).error?.code);
      expect(codes).toEqual(WAYS.map(([scan, , , code]) => (scan === refused ? code : undefined)));
      expect(call(refusing, method, [CONFIG, SLICED]).error).toBeUndefined();
    },
  );
});
