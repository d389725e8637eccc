import { beforeEach, describe, expect, test } from "vitest";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { FOLDERS, FORMS } from "../../generator/contract/forms.ts";
import { CONTENT_TYPE } from "../../generator/contract/objects.ts";
import { countOperations } from "../../generator/store/counting.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import {
  any,
  expectedSite,
  keyOf,
  makeStores,
  manifestOf,
  nameAt,
  NETWORK,
  readSite,
  recordPuts,
  REFERENCES,
  renderAt,
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

describe("publishing", () => {
  test("puts all documents the first time, the manifest names each as it lies there, and the lease is given back", async () => {
    const count = REFERENCES.length - 1;
    expect(await runAt(stores, 0)).toEqual({
      documents: { rendered: count, written: count, unchanged: 0 },
      ...{ skipped: null, journal: requestAt(0).journal, deferred: 0, damaged: [] },
    });
    expect(await readSite(stores.publicStore)).toEqual(expectedSite(0));
    const manifest = await manifestOf(stores);
    expect(manifest).toMatchObject({
      network: NETWORK,
      series: 1,
      foldVersion: 1,
      renderVersion: 1,
    });
    expect(manifest?.journal).toEqual({ through: nameAt(0), digest: "digest-0" });
    const listed = (await Array.fromAsync(stores.publicStore.list(""))).filter(
      ({ key }) => key !== STATUS_KEY,
    );
    const etags = Object.fromEntries(
      listed.map(({ key, etag }) => [key, expect.objectContaining({ etag }) as unknown]),
    );
    expect(manifest?.documents).toEqual(etags);
    expect(await stores.stateStore.get(`lease/${NETWORK}.json`)).toBeNull();
  });

  test("ends at once where the lease cannot be extended: another may have it by then", async () => {
    const puts: string[] = [];
    const { stateStore, publicStore } = stores;
    const refusing: ObjectStore = {
      ...stateStore,
      put: (key, body, options) =>
        key.startsWith("lease/") && puts.length > 0
          ? Promise.reject(new Error("the lease cannot be written"))
          : stateStore.put(key, body, options),
    };
    let now = requestAt(0).now();
    const late = { now: () => (now += puts.length > 0 ? 3_600_000 : 0), concurrency: 1 };
    const publishing = runAt(
      { publicStore: recordPuts(publicStore, puts), stateStore: refusing },
      0,
      late,
    );
    await expect(publishing).rejects.toThrow("the lease cannot be written");
    expect(puts).toHaveLength(1);
  });

  test("puts leaves before lists, then the index, the manifest and last the status", async () => {
    const puts: string[] = [];
    const { publicStore, stateStore } = stores;
    await runAt(
      { publicStore: recordPuts(publicStore, puts), stateStore: recordPuts(stateStore, puts) },
      0,
    );
    const stageOf = (key: string) => {
      if (key === `lease/${NETWORK}.json`) return 0;
      if (key.includes("/validators/")) return 1;
      if (key.endsWith("/index.json")) return 3;
      if (key === `manifest/${NETWORK}.json.zst`) return 4;
      return key === STATUS_KEY ? 5 : 2;
    };
    const stages = puts.map(stageOf);
    expect(stages).toEqual(stages.toSorted());
    expect(new Set(stages)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  });

  test("puts only what changed since, and names the rest as before", async () => {
    await runAt(stores, 0);
    const before = await manifestOf(stores);
    const puts: string[] = [];
    const publicStore = recordPuts(stores.publicStore, puts);
    const report = await runAt({ ...stores, publicStore }, 1);
    const changed = touchedBetween(0, 1).map(keyOf);
    expect(changed.length).toBeGreaterThan(2);
    expect(puts.toSorted()).toEqual([...changed, STATUS_KEY].toSorted());
    expect(report.documents).toEqual({
      rendered: changed.length,
      written: changed.length,
      unchanged: 0,
    });
    expect(await readSite(stores.publicStore)).toEqual(expectedSite(1));
    const after = await manifestOf(stores);
    const kept = Object.keys(before!.documents).filter((key) => !changed.includes(key));
    for (const key of kept) expect(after?.documents[key]).toEqual(before?.documents[key]);
  });

  test("puts the status and nothing else when nothing changed, and takes no lease", async () => {
    await runAt(stores, 1);
    const publicSide = countOperations(stores.publicStore);
    const stateSide = countOperations(stores.stateStore);
    const again = { publicStore: publicSide.store, stateStore: stateSide.store };
    const report = await runAt(again, 1, { references: REFERENCES });
    expect(report.documents).toEqual({ rendered: 26, written: 0, unchanged: 26 });
    expect(publicSide.counts).toMatchObject({ puts: 1, lists: FOLDERS.length, deletes: 0 });
    expect(stateSide.counts).toMatchObject({ puts: 0, deletes: 0 });
  });

  test("renders each changed document only when it is its turn, so that few are in memory", async () => {
    let [alive, most] = [0, 0];
    const put: ObjectStore["put"] = async (...asked) => {
      const result = await stores.publicStore.put(...asked);
      alive -= 1;
      return result;
    };
    const render = (reference: (typeof REFERENCES)[number]) => {
      const body = renderAt(0)(reference);
      if (body !== null) alive += 1;
      most = Math.max(most, alive);
      return body;
    };
    await runAt({ ...stores, publicStore: { ...stores.publicStore, put } }, 0, { render });
    expect(most).toBeLessThanOrEqual(4);
  });

  test("puts every document with the headers of its kind", async () => {
    const headers: Record<string, unknown> = {};
    const put: ObjectStore["put"] = (key, body, { contentType, cacheControl }) => {
      headers[key] = { contentType, cacheControl };
      return stores.publicStore.put(key, body, { ...any, contentType });
    };
    await runAt({ ...stores, publicStore: { ...stores.publicStore, put } }, 0);
    expect(Object.keys(headers)).toHaveLength(REFERENCES.length);
    expect(headers).toMatchObject({
      [`api/v1/${NETWORK}/events.json`]: {
        contentType: CONTENT_TYPE,
        cacheControl: CACHE_CLASSES.events,
      },
      [`api/v1/${NETWORK}/validators.json`]: {
        contentType: CONTENT_TYPE,
        cacheControl: CACHE_CLASSES.snapshot,
      },
      [STATUS_KEY]: { contentType: CONTENT_TYPE, cacheControl: CACHE_CLASSES.status },
      [`feeds/${NETWORK}/rug.atom`]: {
        contentType: FORMS.atomFeed.contentType,
        cacheControl: CACHE_CLASSES.events,
      },
      [`feeds/${NETWORK}/rug.json`]: { contentType: FORMS.jsonFeed.contentType },
    });
  });

  test("forgets a document that is no more, but deletes nothing", async () => {
    await runAt(stores, 3);
    const key = keyOf({ kind: "epochEvents", names: { epoch: 1_000 } });
    expect((await manifestOf(stores))?.documents).toHaveProperty([key]);
    await runAt(stores, 4);
    expect((await manifestOf(stores))?.documents).not.toHaveProperty([key]);
    expect(await stores.publicStore.head(key)).not.toBeNull();
  });
});

describe("the manifest is written without any changed document", () => {
  test.each([
    [
      "not for a position less than an hour on",
      nameAt(59),
      { through: nameAt(0), digest: "digest-0" },
    ],
    ["for a position an hour on", nameAt(60), { through: nameAt(60) }],
    ["for another past of the same position", nameAt(0), { through: nameAt(0), digest: "x" }],
  ])("%s", async (_, through, journal) => {
    await runAt(stores, 0);
    await runAt(stores, 5, {
      render: renderAt(0),
      references: REFERENCES,
      journal: { through, digest: "x" },
    });
    expect(await manifestOf(stores)).toMatchObject({ journal });
  });

  test("for another address of the site, which compares all documents until a publication says so", async () => {
    await runAt(stores, 0);
    const moved = { siteUrl: "https://moved.example" };
    const { documents } = await runAt(stores, 0, moved);
    expect(documents).toEqual({ rendered: 26, written: 0, unchanged: 26 });
    expect(await manifestOf(stores)).toMatchObject(moved);
    expect((await runAt(stores, 0, moved)).documents.rendered).toBe(0);
  });

  test("for new versions and for a new series", async () => {
    await runAt(stores, 0);
    await runAt(stores, 0, { versions: { fold: 1, render: 2 } });
    expect(await manifestOf(stores)).toMatchObject({ foldVersion: 1, renderVersion: 2, series: 1 });
    await runAt(stores, 0, { versions: { fold: 1, render: 2 }, series: 2 });
    expect(await manifestOf(stores)).toMatchObject({ renderVersion: 2, series: 2 });
  });
});

test("a failed put stops the run, is thrown, and nothing goes on afterwards", async () => {
  const puts: string[] = [];
  let isOver = false;
  const publicStore: ObjectStore = {
    ...stores.publicStore,
    async put(key, ...rest) {
      expect(isOver).toBe(false);
      puts.push(key);
      if (puts.length === 5) throw new Error("no space left");
      return stores.publicStore.put(key, ...rest);
    },
  };
  await expect(runAt({ ...stores, publicStore }, 0)).rejects.toThrow("no space left");
  isOver = true;
  const count = puts.length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(puts).toHaveLength(count);
  expect(count).toBeLessThan(9);
  expect(await manifestOf(stores)).toBeNull();
  expect(await stores.stateStore.get(`lease/${NETWORK}.json`)).toBeNull();
});
