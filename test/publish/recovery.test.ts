import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { auditPublished } from "../../generator/publish/audit.ts";
import { toSha256 } from "../../generator/publish/upload.ts";
import { readManifest } from "../../generator/publish/manifest.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { dieAt } from "./dying.ts";
import {
  expectedSite,
  makeStores,
  NETWORK,
  NOW,
  readSite,
  REFERENCES,
  runAt,
  STATUS_KEY,
  type Stores,
} from "./site.ts";

const LATER = { now: () => NOW + 121_000, holder: "generator-2" };

/** After an undisturbed run: every object is right, and the manifest fits. */
async function expectWhole(stores: Stores, position: number): Promise<void> {
  expect(await readSite(stores.publicStore)).toMatchObject(expectedSite(position));
  const { manifest } = await readManifest(stores.stateStore, NETWORK);
  expect(manifest).not.toBeNull();
  expect((await auditPublished(stores.publicStore, manifest!)).stale).toEqual([]);
  for (const [key, { sha256 }] of Object.entries(manifest!.documents)) {
    expect(sha256, key).toBe(toSha256((await stores.publicStore.get(key))!.body));
  }
  const keys = Object.keys(expectedSite(position)).filter((key) => key !== STATUS_KEY);
  expect(Object.keys(manifest!.documents)).toEqual(keys.toSorted());
}

describe("a run that dies anywhere is repaired by the next one", () => {
  const deaths = [false, true].flatMap((isDone) =>
    ["the first run", "a later run"].map((which) => ({ which, isDone })),
  );

  test.each(deaths)("$which, its last operation done: $isDone", async ({ which, isDone }) => {
    let k = 1;
    for (let hasDied = true; hasDied; k += 1) {
      const stores = makeStores();
      if (which === "a later run") await runAt(stores, 0);
      const dying = dieAt(stores, k, { isDone });
      hasDied = await runAt(dying, 2).then(
        () => dying.operations() >= k,
        () => true,
      );
      // Position 3 changes only a part: the run must find what the dead one left.
      await runAt(stores, 3, LATER);
      await expectWhole(stores, 3);
    }
    expect(k).toBeGreaterThan(12);
  });

  test("also when the next run is of a ledger that never had what the dead one published", async () => {
    for (let k = 1; k < 40; k += 1) {
      const stores = makeStores();
      await runAt(stores, 1);
      await runAt(dieAt(stores, k, { isDone: true }), 5).catch(() => null);
      // A late entry changes the digest: all documents are looked at.
      await runAt(stores, 2, { ...LATER, references: REFERENCES });
      await expectWhole(stores, 2);
    }
  });
});

describe("two generators that publish at once", () => {
  /** Runs operations in an order by fast-check. */
  function interleave(stores: Stores, scheduler: fc.Scheduler): Stores {
    const wrap = (store: ObjectStore): ObjectStore => ({
      ...store,
      put: scheduler.scheduleFunction((...asked: Parameters<typeof store.put>) => store.put(...asked)),
      get: scheduler.scheduleFunction((...asked: Parameters<typeof store.get>) => store.get(...asked)),
      head: scheduler.scheduleFunction((...asked: Parameters<typeof store.head>) => store.head(...asked)),
      delete: scheduler.scheduleFunction((...asked: Parameters<typeof store.delete>) => store.delete(...asked)),
    });
    return { publicStore: wrap(stores.publicStore), stateStore: wrap(stores.stateStore) };
  }

  test.each([
    ["with the lease between them", "generator-2"],
    // Both think they hold it: what remains must hold without a lease.
    ["without a lease that works", "generator-1"],
  ])("%s, are repaired by the next run, whatever the order", async (_, holder) => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.nat(6), fc.nat(6), fc.nat(6), async (scheduler, first, second, more) => {
        const stores = makeStores();
        await runAt(stores, 2);
        const both = Promise.allSettled([
          runAt(interleave(stores, scheduler), first),
          runAt(interleave(stores, scheduler), second, { holder }),
        ]);
        await scheduler.waitFor(both);
        const last = Math.max(2, first, second) + more;
        await runAt(stores, last, LATER);
        await expectWhole(stores, last);
      }),
      { numRuns: 100 },
    );
  });
});
