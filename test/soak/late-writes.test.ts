import "./at-once.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { toObjectKey } from "../../generator/contract/objects.ts";
import { auditPublished } from "../../generator/publish/audit.ts";
import { readManifest, toManifestKey, writeManifest } from "../../generator/publish/manifest.ts";
import { findDifferences } from "./differences.ts";
import { forkStores, type Stores } from "./forked-store.ts";
import { startTeller, tellStory, type Story } from "./story.ts";

// What a dead or slower writer leaves behind is repaired by the next run with an audit.

const any = { expect: "any", contentType: "application/octet-stream" } as const;
const STATUS_KEY = toObjectKey("mainnet", "status", {});

let story: Story;
beforeAll(async () => {
  story = await tellStory();
});

const storesAt = (index: number): Stores => forkStores(story.before.at(index)!);
const isWritten = (key: string) => key.startsWith("api/") || key.startsWith("manifest/");

/** Every object of a store as it lay there before a tick is put over what lies there before the last one. */
async function putBack(
  stores: Stores,
  index: number,
  which: "publicStore" | "stateStore",
  keys: string[],
): Promise<void> {
  const old = storesAt(index);
  for (const key of keys) {
    const object = await old[which].get(key);
    if (object !== null) await stores[which].put(key, object.body, any);
  }
}

async function runLast(stores: Stores): Promise<string[]> {
  const last = story.ticks.at(-1)!;
  const report = await (await startTeller(story.world, stores, last)).tick(last);
  expect(report.skipped).toBeNull();
  return findDifferences(stores, storesAt(-1));
}

describe("before the last run of the story come back", () => {
  const ticks = [1, 5, 9, 14, 18];

  it.each(ticks)("all documents as they were before tick %i", async (tick) => {
    const stores = storesAt(-2);
    const keys = [...stores.publicStore.etags().keys()];
    await putBack(stores, tick, "publicStore", keys);
    const { manifest } = await readManifest(stores.stateStore, "mainnet");
    expect((await auditPublished(stores.publicStore, manifest!)).stale).not.toEqual([]);
    expect(await runLast(stores)).toEqual([]);
  });

  it.each(ticks)("the manifest as it was before tick %i", async (tick) => {
    const stores = storesAt(-2);
    await putBack(stores, tick, "stateStore", [toManifestKey("mainnet")]);
    expect(await runLast(stores)).toEqual([]);
  });

  it.each(ticks)("the manifest and each second document as they were before tick %i", async (tick) => {
    const stores = storesAt(-2);
    const keys = [...stores.publicStore.etags().keys()].filter((_, index) => index % 2 === 0);
    await putBack(stores, tick, "publicStore", keys);
    await putBack(stores, tick, "stateStore", [toManifestKey("mainnet")]);
    expect(await runLast(stores)).toEqual([]);
  });

  it("a status of long ago, although nothing else is to be done", async () => {
    const stores = storesAt(-1);
    await putBack(stores, 3, "publicStore", [STATUS_KEY]);
    // The same run a second time does the next piece of upkeep.
    expect((await runLast(stores)).filter(isWritten)).toEqual([]);
  });

  it("a lease of long ago: it has run out", async () => {
    const stores = storesAt(-2);
    const until = new Date(story.ticks[3]!.at).toISOString();
    await stores.stateStore.put("lease/mainnet.json", Buffer.from(JSON.stringify({ holder: "dead", until })), any);
    expect(await runLast(stores)).toEqual([]);
  });

  it("every object that a dead process wrote and no manifest tells of", async () => {
    const stores = storesAt(-2);
    const later = storesAt(-1);
    for (const object of later.publicStore.objects()) await stores.publicStore.put(object.key, object.body, any);
    expect(await runLast(stores)).toEqual([]);
  });
});

describe("an older generator", () => {
  it.each(["foldVersion", "renderVersion"] as const)(
    "journals what it sees and publishes nothing where the manifest has a newer %s",
    async (version) => {
      const stores = storesAt(-2);
      const { manifest } = await readManifest(stores.stateStore, "mainnet");
      await writeManifest(stores.stateStore, { ...manifest!, [version]: manifest![version] + 1 });
      const before = storesAt(-2);
      before.stateStore.become(stores.stateStore.fork());
      const last = story.ticks.at(-1)!;
      const teller = await startTeller(story.world, stores, last);
      const report = await teller.tick(last);
      expect(report).toMatchObject({ accepted: true, skipped: "a newer version publishes" });
      expect(teller.appended.some((name) => name.includes("-snapshot-"))).toBe(true);
      expect((await findDifferences(stores, before)).filter(isWritten)).toEqual([]);
      expect(await teller.publish()).toMatchObject({ skipped: "a newer version publishes" });
      expect((await findDifferences(stores, before)).filter(isWritten)).toEqual([]);
    },
  );
});

describe("three generators that run at the same time", () => {
  it("all end well, and who does not publish says why", async () => {
    const stores = storesAt(-2);
    const last = story.ticks.at(-1)!;
    const tellers = await Promise.all([1, 2, 3].map(() => startTeller(story.world, stores, last)));
    const reports = await Promise.all(tellers.map((teller) => teller.tick(last)));
    expect(reports.map(({ accepted }) => accepted)).toEqual([true, true, true]);
    const skipped = reports.flatMap((report) => report.skipped ?? []);
    expect(skipped.length).toBeLessThan(3);
    for (const reason of skipped)
      expect(reason).toMatch(
        /^another generator is publishing just now: lease held by process \d+$|^another generator has just published$/,
      );
    // One pack more may have been made than by one alone.
    expect((await runLast(stores)).filter(isWritten)).toEqual([]);
  });
});
