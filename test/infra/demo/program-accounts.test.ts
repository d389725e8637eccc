import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, fail, makeCluster, openStage, type Stage } from "./story.ts";

const STAKE = "Stake11111111111111111111111111111111111111";
const CONFIG = "Config1111111111111111111111111111111111111";
const SLICE = { encoding: "base64", dataSlice: { offset: 124, length: 56 } };

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
    const whole = await ask<Page["accounts"]>(stage, "getProgramAccounts", [STAKE, SLICE]);
    const pages = await readPages(STAKE, { ...SLICE, limit: 150 });
    expect(pages.map(({ accounts }) => accounts.length)).toEqual([150, 150, 100]);
    expect(pages.flatMap(({ accounts }) => accounts)).toEqual(whole);
    const infos = await ask<Page["accounts"]>(stage, "getProgramAccounts", [CONFIG, { encoding: "base64" }]);
    const infoPages = await readPages(CONFIG, { encoding: "base64", limit: 7 });
    expect(infoPages.length).toBeGreaterThan(2);
    expect(infoPages.flatMap(({ accounts }) => accounts)).toEqual(infos);
  });

  it("has short and empty pages where filters leave accounts out", async () => {
    const filters = [{ memcmp: { offset: 124, bytes: cluster.members[20]!.vote.address } }];
    const whole = await ask<Page["accounts"]>(stage, "getProgramAccounts", [STAKE, { ...SLICE, filters }]);
    const pages = await readPages(STAKE, { ...SLICE, filters, limit: 100 });
    expect(pages).toHaveLength(4);
    expect(pages.filter(({ accounts }) => accounts.length === 0).length).toBeGreaterThan(1);
    expect(pages.flatMap(({ accounts }) => accounts)).toEqual(whole);
    expect(whole.length).toBeGreaterThan(5);
  });

  it("answers in a context when asked to", async () => {
    const config = { ...SLICE, limit: 1, withContext: true };
    const answer = await ask<{ context: { slot: number }; value: Page }>(stage, "getProgramAccountsV2", [
      STAKE,
      config,
    ]);
    expect(answer.context.slot).toBe(await ask(stage, "getSlot"));
    expect(answer.value).toMatchObject({ accounts: { length: 1 }, paginationKey: "1" });
  });

  it.each([{ limit: 0 }, { limit: 10_001 }, { paginationKey: "x" }, { paginationKey: 5 }])(
    "refuses %o",
    async (config) => {
      expect(await fail(stage, "getProgramAccountsV2", [STAKE, { ...SLICE, ...config }])).toMatchObject({
        code: -32602,
      });
    },
  );
});

describe("a cluster that refuses", () => {
  const filters = [{ memcmp: { offset: 124, bytes: "AQ==", encoding: "base64" } }];

  it.each([
    ["whole", "getProgramAccounts", SLICE, 410],
    ["by page", "getProgramAccountsV2", SLICE, -32601],
    ["by voter", "getProgramAccounts", { ...SLICE, filters }, -32010],
  ] as const)(
    "the stake accounts %s gives them in the other ways, and other programs",
    async (scan, method, config, code) => {
      const refusing = await openStage([makeCluster({ refusedStakeScans: [scan] })]);
      expect(await fail(refusing, method, [STAKE, config])).toMatchObject({ code });
      const questions = [
        ["getProgramAccounts", SLICE],
        ["getProgramAccountsV2", SLICE],
        ["getProgramAccounts", { ...SLICE, filters }],
      ] as const;
      const others = questions.filter(
        (one) => one[0] !== method || (one[1] !== config && "filters" in one[1] !== "filters" in config),
      );
      expect(others).toHaveLength(2);
      for (const [other, options] of others) await ask(refusing, other, [STAKE, options]);
      await ask(refusing, method, [CONFIG, SLICE]);
      await refusing.close();
    },
  );
});
