import { beforeEach, describe, expect, test } from "vitest";
import { publishDocuments } from "../../generator/publish/publish.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import {
  any,
  expectedSite,
  makeStores,
  manifestOf,
  NETWORK,
  readSite,
  recordPuts,
  REFERENCES,
  requestAt,
  runAt,
  STATUS_KEY,
  touchedBetween,
  type Stores,
} from "./site.ts";

let stores: Stores;
beforeEach(() => {
  stores = makeStores();
});

/** A state store in which something happens just before the first put of a key. */
function interrupt(beginning: string, happen: () => Promise<unknown>): ObjectStore {
  let isFirst = true;
  return {
    ...stores.stateStore,
    async put(key, ...rest) {
      if (key.startsWith(beginning) && isFirst) {
        isFirst = false;
        await happen();
      }
      return stores.stateStore.put(key, ...rest);
    },
  };
}

describe("another generator is left alone", () => {
  const NEWER = { versions: { fold: 2, render: 1 } };

  test.each([
    ["fold", NEWER, "a newer version publishes"],
    ["render", { versions: { fold: 1, render: 2 } }, "a newer version publishes"],
    ["series", { series: 2 }, "a newer series publishes"],
  ])("that has a newer %s", async (_, change, skipped) => {
    await runAt(stores, 0, change);
    const documents = { rendered: 0, written: 0, unchanged: 0 };
    expect(await runAt(stores, 3)).toEqual({
      documents,
      skipped,
      journal: null,
      deferred: 0,
      damaged: [],
    });
    expect(await readSite(stores.publicStore)).toEqual(expectedSite(0));
  });

  test("that holds the lease", async () => {
    const lease = { holder: "generator-2", until: "2026-11-20T15:31:00.000Z" };
    await stores.stateStore.put(`lease/${NETWORK}.json`, Buffer.from(JSON.stringify(lease)), any);
    const skipped = "another generator is publishing: lease held by generator-2";
    expect((await runAt(stores, 0)).skipped).toBe(skipped);
    expect(await readSite(stores.publicStore)).toEqual({});
    expect((await runAt(stores, 0, { now: () => Date.parse(lease.until) })).skipped).toBeNull();
    expect(await readSite(stores.publicStore)).toEqual(expectedSite(0));
  });

  test.each([
    ["", 5, {}, "another generator has just published"],
    [" a newer version", 0, NEWER, "a newer version publishes"],
  ])(
    "that published%s between the reading of the manifest and the lease",
    async (_, position, change, skipped) => {
      await runAt(stores, 0);
      const stateStore = interrupt("lease/", () =>
        runAt(stores, position, { ...change, holder: "generator-2" }),
      );
      const report = await runAt({ ...stores, stateStore }, 6);
      expect(report).toMatchObject({ documents: { written: 0 }, skipped });
      expect(await readSite(stores.publicStore)).toMatchObject(expectedSite(position));
    },
  );

  test("that put back older documents since the references were counted", async () => {
    await runAt(stores, 4);
    const since = (await manifestOf(stores))!.journal;
    await runAt(stores, 1, { references: REFERENCES, holder: "generator-2" });
    const report = await runAt(stores, 5, { references: touchedBetween(4, 5), since });
    expect(report.skipped).toBe("another generator has just published");
    await runAt(stores, 5);
    expect(await readSite(stores.publicStore)).toMatchObject(expectedSite(5));
  });

  test("unless all documents are looked at: then it does not matter what it published", async () => {
    await runAt(stores, 0);
    const stateStore = interrupt("lease/", () => runAt(stores, 5, { holder: "generator-2" }));
    expect((await publishDocuments({ ...requestAt(6), ...stores, stateStore })).skipped).toBeNull();
    expect(await readSite(stores.publicStore)).toMatchObject(expectedSite(6));
    const puts: string[] = [];
    const publicStore = recordPuts(stores.publicStore, puts);
    await publishDocuments({ ...requestAt(6), ...stores, publicStore });
    expect(puts).toEqual([STATUS_KEY]);
  });
});
