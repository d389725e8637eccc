import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fromObjectKey } from "../../../generator/contract/object-keys.ts";
import { findWallet, toWalletShard } from "../../../generator/contract/wallets.ts";
import { STAKE_RECORDS_MAX } from "../../../generator/observe/stakes/stake-records.ts";
import { createReport } from "../../../generator/service/report.ts";
import { pruneWalletShards } from "../../../generator/service/wallets/pruning.ts";
import { openWalletIndex } from "../../../generator/service/wallets/wallet-index.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import { readDocument } from "../documents.ts";
import { keyOf, recordsOf, type StakeAccount } from "./stake-accounts.ts";

const put = ({ publicStore }: Scene, key: string, body: string) =>
  publicStore.put(`api/v1/mainnet/${key}.json`, Buffer.from(body), ANY);
const ANY = { expect: "any", contentType: "application/json" } as const;
const EPOCH = 1060;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const toHead = (epoch: number) =>
  ({ network: "mainnet", epoch, slot: epoch * 432_000, asOf: "2026-11-20T00:00:00.000Z" }) as const;
/** In 64 shards. */
const ACCOUNTS: StakeAccount[] = Array.from({ length: 1_200 }, (_, account) => ({
  account,
  wallet: account % 300,
}));
const FAILED = "the wallet index was not written and is tried again: the network is down";
const DONE = `wallet index of epoch ${EPOCH}: 1200 stake accounts of 300 wallets in 64 objects`;

function makeScene() {
  const publicStore = openMemoryStore();
  const stateStore = openMemoryStore();
  let time = 0;
  const open = (changes: { publicStore?: ObjectStore; series?: number } = {}) => {
    const index = openWalletIndex({
      network: "mainnet",
      series: 1,
      publicStore,
      stateStore,
      clock: { now: () => time, timer: () => time },
      holder: randomUUID(),
      ...changes,
    });
    return {
      ...index,
      isMissing: async (epoch: number) => (await index.findMissing())(epoch),
      write: async (most?: { milliseconds: number }) => {
        const report = createReport("run", "mainnet");
        await index.write(report, most);
        return report.upkeep;
      },
    };
  };
  return {
    publicStore,
    stateStore,
    open,
    pass: (milliseconds: number) => void (time += milliseconds),
    read: (key: string) =>
      readDocument({ publicStore, network: "mainnet" }, "walletShard", {
        shard: toWalletShard(key, 64),
      }),
    readWhole: () => readDocument({ publicStore, network: "mainnet" }, "wallets", {}),
  };
}

type Scene = ReturnType<typeof makeScene>;

/** A process that has scanned the accounts of an epoch. */
function scan(
  { open, publicStore: own }: Scene,
  { epoch = EPOCH, accounts = ACCOUNTS, publicStore = own } = {},
) {
  const index = open({ publicStore });
  index.hold(recordsOf(accounts), toHead(epoch));
  return index;
}

const publishEpoch = (scene: Scene, epoch: number, accounts = ACCOUNTS) =>
  scan(scene, { epoch, accounts }).write();

function failingAfter(store: ObjectStore, puts: number): ObjectStore {
  let left = puts;
  return {
    ...store,
    put: (...put) =>
      left-- > 0 ? store.put(...put) : Promise.reject(new Error("the network is down")),
  };
}

describe("the wallet index", () => {
  it("is missing until it was written, and then again in the next epoch", async () => {
    const scene = makeScene();
    const index = scene.open();
    expect(await index.isMissing(EPOCH)).toBe(true);
    index.hold(recordsOf(ACCOUNTS), toHead(EPOCH));
    expect([await index.isMissing(EPOCH), await index.isMissing(EPOCH + 1)]).toEqual([false, true]);
    expect(await index.write()).toEqual([DONE]);
    expect(await index.write()).toEqual([]);
    for (const one of [index, scene.open()])
      expect([await one.isMissing(EPOCH), await one.isMissing(EPOCH + 1)]).toEqual([false, true]);
    const { network, ...asOf } = toHead(EPOCH);
    expect(await scene.readWhole()).toEqual({
      data: { ...asOf, stakeAccounts: 1_200, wallets: 300, shards: 64 },
      meta: { network },
    });
    const keys = (await Array.fromAsync(scene.publicStore.list(""))).map(({ key }) => key);
    expect(keys.map((key) => fromObjectKey("mainnet", key)?.kind)).toEqual([
      "wallets",
      ...Array<string>(64).fill("walletShard"),
    ]);
  });

  it("of a later epoch says nothing of what is gone", async () => {
    const scene = makeScene();
    await publishEpoch(scene, EPOCH);
    await publishEpoch(scene, EPOCH + 1, ACCOUNTS.slice(100));
    const shard = await scene.read(keyOf("account", 5));
    expect(shard.data.epoch).toBe(EPOCH + 1);
    expect(findWallet(shard, keyOf("account", 5))).toBeNull();
  });

  it("goes on where its time was over, and is whole only then", async () => {
    const scene = makeScene();
    const slow: ObjectStore = {
      ...scene.publicStore,
      put: (...asked) => (scene.pass(1), scene.publicStore.put(...asked)),
    };
    const index = scan(scene, { publicStore: slow });
    const some = expect.stringMatching(
      /^wallet index of epoch 1060: \d\d? of 64 objects written so far$/,
    ) as string;
    expect(await index.write({ milliseconds: 10 })).toEqual([some]);
    expect([await scene.open().isMissing(EPOCH), await index.isMissing(EPOCH)]).toEqual([
      true,
      false,
    ]);
    for (let calls = 0; calls < 10 && (await scene.open().isMissing(EPOCH)); calls += 1)
      await index.write({ milliseconds: 10 });
    expect(await scene.open().isMissing(EPOCH)).toBe(false);
    expect((await scene.readWhole()).data.wallets).toBe(300);
  });

  it.each([0, 1, 30, 64])(
    "is written by the next run after a death at put %d, the last one stays until then",
    async (puts) => {
      const scene = makeScene();
      await publishEpoch(scene, EPOCH);
      const dying = scan(scene, {
        epoch: EPOCH + 1,
        publicStore: failingAfter(scene.publicStore, puts),
      });
      expect(await dying.write()).toEqual([FAILED]);
      // Each shard names its epoch; the head is still the old one.
      expect((await scene.readWhole()).data.epoch).toBe(EPOCH);
      const shards = await Promise.all(
        ACCOUNTS.map(({ account }) => scene.read(keyOf("account", account))),
      );
      expect(shards.some(({ data }) => data.epoch === EPOCH + 1)).toBe(puts > 0);
      expect(await scene.open().isMissing(EPOCH + 1)).toBe(true);
      scene.pass(3 * MINUTE);
      await publishEpoch(scene, EPOCH + 1);
      expect(await scene.open().isMissing(EPOCH + 1)).toBe(false);
      expect((await scene.readWhole()).data.epoch).toBe(EPOCH + 1);
    },
  );

  it("that gets another number of shards answers by the last one until it is whole, and longer", async () => {
    const scene = makeScene();
    await publishEpoch(scene, EPOCH, ACCOUNTS.slice(0, 900));
    const find = async ({ account }: StakeAccount) => {
      const { shards } = (await scene.readWhole()).data;
      const shard = toWalletShard(keyOf("account", account), shards);
      const document = await readDocument({ ...scene, network: "mainnet" }, "walletShard", {
        shard,
      });
      return [shards, findWallet(document, keyOf("account", account))?.meta.epoch];
    };
    await scan(scene, {
      epoch: EPOCH + 1,
      publicStore: failingAfter(scene.publicStore, 30),
    }).write();
    for (const one of ACCOUNTS.slice(0, 900)) expect(await find(one)).toEqual([1, EPOCH]);
    scene.pass(3 * MINUTE);
    await publishEpoch(scene, EPOCH + 1);
    for (const one of ACCOUNTS) expect(await find(one)).toEqual([64, EPOCH + 1]);
    expect(await scene.publicStore.head("api/v1/mainnet/wallets/1-0.json")).not.toBeNull();
  });

  it("is tried again by the same run when a store failed", async () => {
    const scene = makeScene();
    const store = failingAfter(scene.publicStore, 30);
    const index = scan(scene, { publicStore: store });
    await index.write();
    store.put = scene.publicStore.put.bind(scene.publicStore);
    expect(await index.write()).toEqual([DONE]);
    expect(await scene.open().isMissing(EPOCH)).toBe(false);
  });

  it.each<[string, (scene: Scene) => Promise<unknown>]>([
    ["was deleted", ({ publicStore }) => publicStore.delete("api/v1/mainnet/wallets/64-7.json")],
    ["was replaced by a slower writer", (scene) => put(scene, "wallets/64-7", "x")],
    [
      "as a whole was deleted",
      ({ publicStore }) => publicStore.delete("api/v1/mainnet/wallets.json"),
    ],
    [
      "has no record of it any more",
      ({ stateStore }) => stateStore.delete("wallets/mainnet.json.zst"),
    ],
    [
      "has a damaged record",
      ({ stateStore }) => stateStore.put("wallets/mainnet.json.zst", Buffer.from("x"), ANY),
    ],
  ])("is missing for every process within an hour when a part of it %s", async (_, harm) => {
    const scene = makeScene();
    await publishEpoch(scene, EPOCH);
    const running = scene.open();
    expect(await running.isMissing(EPOCH)).toBe(false);
    await harm(scene);
    expect([await running.isMissing(EPOCH), await scene.open().isMissing(EPOCH)]).toEqual([
      false,
      true,
    ]);
    scene.pass(HOUR);
    expect(await running.isMissing(EPOCH)).toBe(true);
  });

  describe("that two scanned at once", () => {
    it("is written by one of them", async () => {
      const scene = makeScene();
      const [one, two] = [scan(scene), scan(scene)];
      const progress = expect.stringContaining("0 of 64 objects written so far") as string;
      expect([await one.write({ milliseconds: 0 }), await two.write()]).toEqual([[progress], []]);
      expect([await one.write(), await two.write()]).toEqual([[DONE], []]);
      const late = scan(scene);
      expect(await late.write()).toEqual([]);
      for (const index of [one, two, late, scene.open()])
        expect(await index.isMissing(EPOCH)).toBe(false);
    });

    it("is written by the other when the one that began dies", async () => {
      const scene = makeScene();
      const [one, two] = [
        scan(scene, { publicStore: failingAfter(scene.publicStore, 10) }),
        scan(scene),
      ];
      expect([await one.write(), await two.write()]).toEqual([[FAILED], []]);
      scene.pass(3 * MINUTE);
      expect(await two.write()).toEqual([DONE]);
      expect(await scene.open().isMissing(EPOCH)).toBe(false);
    });
  });

  it("of another series of the cluster is none", async () => {
    const scene = makeScene();
    await publishEpoch(scene, EPOCH);
    expect(await scene.open({ series: 2 }).isMissing(EPOCH)).toBe(true);
  });
});

it("more accounts than fit into memory leave the last index as it is, and are not scanned again in that epoch", async () => {
  const scene = makeScene();
  await publishEpoch(scene, EPOCH);
  const index = scene.open();
  index.hold({ ...recordsOf([]), count: () => STAKE_RECORDS_MAX + 1 }, toHead(EPOCH + 1));
  expect(await index.write()).toEqual([]);
  expect((await scene.readWhole()).data).toMatchObject({ epoch: EPOCH, wallets: 300 });
  expect(await Promise.all([EPOCH + 1, EPOCH + 2].map(index.isMissing))).toEqual([false, true]);
});

describe("pruning", () => {
  const shardsOf = async ({ publicStore }: Scene) =>
    (await Array.fromAsync(publicStore.list("api/v1/mainnet/wallets/"))).map(({ key }) =>
      key.slice(23, -5),
    );
  it("deletes the shards of every other number, and nothing else", async () => {
    const scene = makeScene();
    await publishEpoch(scene, EPOCH, ACCOUNTS.slice(0, 900));
    await publishEpoch(scene, EPOCH + 1);
    for (const shard of ["2048-0", "2048-2047", "2048-5"])
      await put(scene, `wallets/${shard}`, "x");
    expect(await pruneWalletShards(scene.publicStore, "mainnet")).toBe(4);
    const left = await shardsOf(scene);
    expect(left).toHaveLength(64);
    expect(left.every((shard) => shard.startsWith("64-"))).toBe(true);
    expect(await scene.open().isMissing(EPOCH + 1)).toBe(false);
  });

  it.each<[string, (scene: Scene) => Promise<unknown>]>([
    ["there is no index", ({ publicStore }) => publicStore.delete("api/v1/mainnet/wallets.json")],
    ["the index cannot be read", (scene) => put(scene, "wallets", "{")],
  ])("deletes nothing where %s", async (_, harm) => {
    const scene = makeScene();
    await publishEpoch(scene, EPOCH);
    await harm(scene);
    expect(await pruneWalletShards(scene.publicStore, "mainnet")).toBe(0);
    expect(await shardsOf(scene)).toHaveLength(64);
  });
});
