import { describe, expect, it } from "vitest";
import { observe, snapshot } from "../../../generator/service/observing.ts";
import { rebuild } from "../../../generator/service/rebuild.ts";
import { createReport } from "../../../generator/service/report.ts";
import { openWalletIndex } from "../../../generator/service/wallets/wallet-index.ts";
import { decompress } from "../../../generator/store/zstd.ts";
import { timeAt } from "../../story/clock.ts";
import { snapshot as snapshotEntry } from "../../story/observations.ts";
import { crowd } from "../../story/validators.ts";
import { readDocument } from "../documents.ts";
import { MINUTE, timeAt as storyTime, openOwnStage } from "../harness.ts";
import { append, makeStation, makeStores } from "../offline.ts";
import { recordsOf } from "./stake-accounts.ts";
import { FIRST_EPOCH } from "../../cluster/options.ts";

describe("what a snapshot scanned", () => {
  async function observeAfterTwenty(validators: number, { publicStoreIsDown = false } = {}) {
    const stores = makeStores();
    const station = makeStation({ ...stores, now: Date.parse(timeAt(11)), holder: "one" });
    await append(station, [snapshotEntry(0, crowd(20))]);
    const asked: boolean[] = [];
    const entry = snapshotEntry(11, crowd(validators));
    const report = createReport("snapshot", "mainnet");
    let wallets = openWalletIndex({ ...station, ...stores });
    if (publicStoreIsDown) {
      const { network, epoch, slot, time: asOf } = entry;
      wallets.hold(recordsOf([{ account: 1, wallet: 2 }]), { network, epoch, slot, asOf });
      await wallets.write(report);
      const list = () => {
        throw new Error("the public store is down");
      };
      wallets = openWalletIndex({
        ...station,
        ...stores,
        publicStore: { ...stores.publicStore, list },
      });
    }
    station.observer.snapshot = ({ sides }) => {
      const { onStakeRecords: take } = sides(entry.epoch, []);
      asked.push(take !== null);
      take?.(recordsOf([{ account: 1, wallet: 2 }]));
      return Promise.resolve({ passed: true, entry });
    };
    await observe({ ...station, wallets }, "snapshot", report);
    await wallets.write(report);
    return { accepted: report.accepted, asked, upkeep: report.upkeep };
  }

  it("becomes the index when the fold has accepted it", async () => {
    const upkeep = [expect.stringMatching(/: 1 stake account of 1 wallet in 1 object$/) as string];
    expect(await observeAfterTwenty(20)).toEqual({ accepted: true, asked: [true], upkeep });
  });

  it("is forgotten when the fold has refused it", async () => {
    expect(await observeAfterTwenty(10)).toEqual({ accepted: false, asked: [true], upkeep: [] });
  });

  it("counts although nobody can look for the index of the last process", async () => {
    const upkeep = [
      expect.stringContaining("1 stake account") as string,
      "the wallet index could not be examined: the public store is down",
    ];
    const found = await observeAfterTwenty(20, { publicStoreIsDown: true });
    expect(found).toEqual({ accepted: true, asked: [false], upkeep });
  });
});

it("run writes an index once an epoch, of every delegated account, and a rebuild leaves it alone", async () => {
  const stage = await openOwnStage({ validators: 20 });
  const cadence = { checkMilliseconds: 20 * MINUTE, snapshotMilliseconds: 40 * MINUTE };
  const lines = (await stage.play({ until: storyTime(1) + 50 * MINUTE, cadence })).flatMap(
    ({ upkeep }) => upkeep,
  );
  expect(lines.map((line) => line.slice(0, 28))).toEqual(
    [FIRST_EPOCH, FIRST_EPOCH + 1].map((epoch) => `wallet index of epoch ${epoch}: `),
  );
  const index = await readDocument(stage, "wallets", {});
  expect(index.data).toMatchObject({ epoch: FIRST_EPOCH + 1, stakeAccounts: 120, shards: 1 });
  const { data } = await readDocument(stage, "walletShard", { shard: "1-0" });
  expect(index.data.wallets).toBe(data.wallets.length);
  const rows = data.stakeAccounts;
  const { data: validators } = await readDocument(stage, "validators", {});
  for (const state of ["activating", "active", "deactivating", "inactive"])
    expect(rows.some((row) => row[4] === state)).toBe(true);
  const [largest] = validators;
  const place = data.votePubkeys.indexOf(largest?.votePubkey ?? "");
  const earning = rows.filter(
    ([, , vote, , state]) => vote === place && /^(?:active|deactivating)$/.test(state),
  );
  const earns = earning.reduce((sum, [, , , lamports]) => sum + BigInt(lamports), 0n);
  expect(String(earns)).toBe(largest?.activeStake.lamports);

  const options = {
    ...stage.command,
    prune: false,
    onDifference: () => undefined,
    onProgress: () => undefined,
  };
  expect((await rebuild({ ...options, verify: true })).differences).toBe(0);
  const former = "api/v1/mainnet/wallets/64-17.json";
  await stage.publicStore.put(former, new Uint8Array(1), {
    expect: "any",
    contentType: "application/json",
  });
  const report = await rebuild({ ...options, verify: false, prune: true });
  expect(report.upkeep).toEqual([
    "1 object deleted of wallet indexes with another number of shards",
  ]);
  expect(await stage.publicStore.head(former)).toBeNull();
  expect(await readDocument(stage, "wallets", {})).toEqual(index);
  expect((await snapshot(stage.command)).upkeep).toEqual([]);

  // The journal holds nothing of the accounts.
  const account = rows[0]?.[0] ?? "";
  const decoder = new TextDecoder();
  for await (const { key } of stage.stateStore.list("journal/")) {
    const body = (await stage.stateStore.get(key))?.body ?? new Uint8Array();
    expect(decoder.decode(decompress(body, { bytesMax: 2 ** 26 }))).not.toContain(account);
  }
});
