import { join } from "node:path";
import { mkdir, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSystemClock } from "../../../generator/service/context.ts";
import { readDemoSettings } from "../../../generator/settings/settings.ts";
import { NETWORKS } from "../../../generator/contract/networks.ts";
import { demo, type Ready } from "../../../infra/demo/demo.ts";
import { readSettings } from "../../../proxy/settings.ts";
import { makeDirectory } from "../../store/directory.ts";

type Items = Record<string, unknown>[];

/** Ends with the tests. */
async function start(changes: Partial<Parameters<typeof demo>[0]> = {}) {
  const { directory, remove } = await makeDirectory();
  const stopping = new AbortController();
  const { promise: ready, resolve: onReady } = Promise.withResolvers<Ready>();
  const { promise: observed, resolve: onObserved } = Promise.withResolvers<undefined>();
  const awaited = new Set<string>(NETWORKS);
  const ended = demo({
    settings: readDemoSettings(directory, {}),
    proxySettings: readSettings({ PORT: "0", HOST: "127.0.0.1" }),
    directory,
    site: Promise.resolve(null),
    clock: createSystemClock(),
    signal: stopping.signal,
    onProxyLog: () => undefined,
    onReplay: () => undefined,
    onReady,
    onReport({ network }) {
      awaited.delete(network);
      if (awaited.size === 0) onObserved(undefined);
    },
    onError(error) {
      throw error;
    },
    ...changes,
  });
  const stop = async () => {
    stopping.abort(new Error("the test is over"));
    await ended;
    await remove();
  };
  return { ready, observed, ended, stop };
}

describe("the demo", () => {
  let [running, url, wallet]: [Awaited<ReturnType<typeof start>> | null, string, string] = [
    null,
    "",
    "",
  ];
  beforeAll(async () => {
    running = await start();
    const { url: origin, mainnet } = await Promise.race([
      running.ready,
      running.ended.then(() => Promise.reject(new Error("the demo ended"))),
    ]);
    [url, wallet] = [`${origin}/api/v1`, mainnet.cluster.stakeProgram.walletAt(8)];
    await running.observed;
  });
  afterAll(() => running?.stop());

  async function read<Data = Items>(path: string): Promise<Data> {
    const response = await fetch(`${url}/${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    return ((await response.json()) as { data: Data }).data;
  }

  it.each([
    ["a rug", "events?severity=RUG", {}],
    ["a rise worth a caution", "events?severity=CAUTION", {}],
    [
      "a flipper",
      "events",
      { pattern: expect.objectContaining({ kind: "serial_flip" }) as object },
    ],
    ["a change of MEV", "events", { source: "MEV" }],
    ["MEV switched off", "events", { source: "MEV", toDisabled: true }],
    [
      "a proof",
      "events",
      { transaction: expect.objectContaining({ verified: "signature" }) as object },
    ],
    [
      "a cost",
      "events",
      {
        cost: expect.objectContaining({
          lamportsPerEpoch: expect.stringMatching(/^\d+$/) as string,
        }) as object,
      },
    ],
    ["a good verdict", "validators?limit=100", { verdict: "good" }],
    ["a bad one", "validators?limit=100", { verdict: "bad" }],
    ["one between", "validators?limit=100", { verdict: "caution" }],
    ["a rug of testnet", "events?severity=RUG&network=testnet", {}],
    ["a rug of alpenglow", "events?severity=RUG&network=alpenglow", {}],
  ])("shows %s", async (_, path, shows) => {
    expect(await read(path)).toContainEqual(expect.objectContaining(shows));
  });

  it("shows a wallet of several accounts", async () => {
    const accounts = await read(`wallets/${wallet}`);
    expect(accounts.length).toBeGreaterThan(1);
    expect(accounts).toContainEqual(expect.objectContaining({ state: "active" }));
  });

  it("shows a dispute, and where everybody stands", async () => {
    const { pending } = await read<{ pending: { disputed: boolean; witnesses: object[] }[] }>(
      "status",
    );
    expect(
      pending.filter(({ disputed }) => disputed).map(({ witnesses }) => witnesses.length),
    ).toEqual([3]);
  });

  it("shows what the operator answered to who disputes a rug", async () => {
    const { rulings } = await read<{ rulings: { subject: string }[] }>("status");
    expect(rulings).toMatchObject([{ of: "event", verdict: "accept" }]);
    expect(await read("events?severity=RUG&limit=100")).toContainEqual(
      expect.objectContaining({ id: rulings[0]?.subject }),
    );
  });

  it.each(NETWORKS)("tells where %s's stake is, and its live epoch", async (network) => {
    const { summary } = await read<{ summary: { geoCoveragePercent: number } }>(
      `stats/stake-concentration?network=${network}`,
    );
    expect(summary.geoCoveragePercent).toBeGreaterThan(80);
    expect(await read(`epoch?network=${network}`)).toMatchObject({ live: true, epoch: 1072 });
  });

  it("knows the past of a validator, epoch by epoch and day by day", async () => {
    const [largest] = await read<{ votePubkey: string }[]>("validators?limit=1");
    const [commissions, stakes, days] = await Promise.all(
      ["commission-history", "stake-history", "uptime"].map((path) =>
        read(`validators/${largest?.votePubkey}/${path}`),
      ),
    );
    expect([commissions!.length, stakes!.length]).toEqual([13, 13]);
    expect(days!.length).toBeGreaterThan(1);
  });
});

it("a demo whose store holds something deletes nothing, and says what to do", async () => {
  const { directory, remove } = await makeDirectory();
  await mkdir(join(directory, "kept"));
  await writeFile(join(directory, "kept/mine"), "");
  const settings = readDemoSettings(directory, { RUGWATCH_STATE: `file:${directory}/kept` });
  const { ended } = await start({ settings });
  await expect(ended).rejects.toThrow(
    `file:${directory}/kept holds mine, but each demo begins anew. Name an empty store, or none.`,
  );
  await remove();
});
