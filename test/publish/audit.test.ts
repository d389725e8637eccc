import { beforeEach, describe, expect, test } from "vitest";
import { compareWithPublished, toDifferenceLine } from "../../generator/publish/compare.ts";
import { readManifest } from "../../generator/publish/manifest.ts";
import {
  any,
  expectedSite,
  keyOf,
  makeStores,
  NETWORK,
  readSite,
  REFERENCES,
  renderAt,
  runAt,
  type Stores,
} from "./site.ts";

let stores: Stores;
beforeEach(() => {
  stores = makeStores();
});

const put = (key: string, body: string | Uint8Array) =>
  stores.publicStore.put(key, Buffer.from(body), any);
const FEED = `feeds/${NETWORK}/rug.atom`;

describe("the audit", () => {
  const key = keyOf(REFERENCES[8]!);

  test.each([
    ["was put over", () => put(key, "old")],
    [
      "was put over at the same length",
      async () => put(key, Buffer.alloc((await stores.publicStore.head(key))!.size)),
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

  test("looks at what lies outside of the API's folder too, and leaves alone what the manifest does not name", async () => {
    await runAt(stores, 0);
    await stores.publicStore.delete(FEED);
    await put(`feeds/${NETWORK}/notes.txt`, "x");
    await put(`api/v1/${NETWORK}/epochs/7/events.json`, "x");
    const { documents, damaged } = await runAt(stores, 0);
    expect(documents).toEqual({ rendered: 1, written: 1, unchanged: 0 });
    expect(damaged.map(({ object }) => object)).toEqual([FEED, `feeds/${NETWORK}/notes.txt`]);
  });

  test.each(["", "no zstd", "\x28\xb5\x2f\xfd cut"])(
    "takes a manifest that cannot be read (%j) for as good as none",
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

describe("a comparison with what is published", () => {
  const compareAt = (position: number) =>
    compareWithPublished({
      ...stores,
      network: NETWORK,
      references: REFERENCES,
      render: renderAt(position),
      countRows: () => null,
    });

  test("finds nothing after a publish, whatever the status says; and every document missing in an empty store", async () => {
    const missing = await compareAt(2);
    expect(missing).toHaveLength(REFERENCES.length);
    expect(new Set(missing.map(({ what }) => what))).toEqual(new Set(["missing"]));
    await runAt(stores, 2);
    await runAt(stores, 2);
    expect(await compareAt(2)).toEqual([]);
  });

  test("names each difference by its key, in order; of a feed that is no JSON only that it differs", async () => {
    await runAt(stores, 3);
    const [missing, different] = [keyOf(REFERENCES[9]!), keyOf(REFERENCES[1]!)];
    await stores.publicStore.delete(missing);
    await put(different, "{}");
    await put(FEED, "<feed/>");
    await put(`api/v1/${NETWORK}/notes.txt`, "x");
    await put("api/v1/testnet/events.json", "x");
    const where = { path: "key", published: null, expected: JSON.stringify(different) };
    const expected = [
      { key: missing, what: "missing" },
      { key: different, what: "different", where },
      { key: FEED, what: "different" },
      { key: `api/v1/${NETWORK}/notes.txt`, what: "unexpected" },
    ];
    const differences = await compareAt(3);
    expect(differences).toEqual(expected.toSorted((one, other) => (one.key < other.key ? -1 : 1)));
    expect(differences.map(toDifferenceLine)).toContain(`different: ${FEED}`);
  });

  test("finds a document that is no more unexpected", async () => {
    await runAt(stores, 3);
    await runAt(stores, 4);
    const key = keyOf({ kind: "epochEvents", names: { epoch: 1_000 } });
    expect(await compareAt(4)).toEqual([{ key, what: "unexpected" }]);
  });
});
