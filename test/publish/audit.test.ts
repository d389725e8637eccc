import { beforeEach, describe, expect, test } from "vitest";
import { readManifest } from "../../generator/publish/manifest.ts";
import { expectedSite, keyOf, makeStores, NETWORK, readSite, REFERENCES, runAt, type Stores } from "./site.ts";

let stores: Stores;
beforeEach(() => {
  stores = makeStores();
});

const any = { expect: "any", contentType: "application/json" } as const;

describe("the audit", () => {
  const key = keyOf(REFERENCES[8]!);

  test.each([
    ["was put over", () => stores.publicStore.put(key, Buffer.from("old"), any)],
    [
      "was put over with the same length",
      async () => {
        const { size } = (await stores.publicStore.head(key))!;
        await stores.publicStore.put(key, new Uint8Array(size), any);
      },
    ],
    ["is gone", () => stores.publicStore.delete(key)],
  ])("puts again what %s, although its bytes did not change", async (_, spoil) => {
    await runAt(stores, 0);
    await spoil();
    expect((await runAt(stores, 0, { audit: false })).documents.written).toBe(0);
    expect((await runAt(stores, 0)).documents).toEqual({ rendered: 1, written: 1, unchanged: 0 });
    expect(await readSite(stores.publicStore)).toEqual(expectedSite(0));
    expect((await runAt(stores, 0)).documents.written).toBe(0);
  });

  test("looks at what lies outside of the API's folder too", async () => {
    await runAt(stores, 0);
    const feed = `feeds/${NETWORK}/rug.atom`;
    await stores.publicStore.delete(feed);
    await stores.publicStore.put(`feeds/${NETWORK}/notes.txt`, Buffer.from("x"), any);
    const { documents, damaged } = await runAt(stores, 0);
    expect(documents).toEqual({ rendered: 1, written: 1, unchanged: 0 });
    expect(damaged.map(({ object }) => object)).toEqual([feed, `feeds/${NETWORK}/notes.txt`]);
  });

  test("leaves alone what the manifest does not name", async () => {
    await runAt(stores, 0);
    await stores.publicStore.put(`api/v1/${NETWORK}/epochs/7/events.json`, Buffer.from("x"), any);
    await stores.publicStore.put(`api/v1/${NETWORK}/notes.txt`, Buffer.from("x"), any);
    expect((await runAt(stores, 0)).documents.rendered).toBe(0);
  });

  test.each(["", "no zstd", "\x28\xb5\x2f\xfd cut"])(
    "a manifest that cannot be read (%j) is as good as none",
    async (body) => {
      await runAt(stores, 0);
      await stores.stateStore.put(`manifest/${NETWORK}.json.zst`, Buffer.from(body, "latin1"), any);
      const reading = await readManifest(stores.stateStore, NETWORK);
      expect(reading).toMatchObject({ manifest: null, reason: expect.any(String) as string });
      expect((await runAt(stores, 1)).documents.written).toBe(26);
      expect(await readSite(stores.publicStore)).toEqual(expectedSite(1));
    },
  );
});
