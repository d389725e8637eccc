import { expect, test } from "vitest";
import { compareWithPublished, toDifferenceLine } from "../../generator/publish/compare.ts";
import { keyOf, makeStores, NETWORK, REFERENCES, renderAt, runAt } from "./site.ts";

const any = { expect: "any", contentType: "application/json" } as const;
const compareAt = (publicStore: ReturnType<typeof makeStores>["publicStore"], position: number) =>
  compareWithPublished({ publicStore, network: NETWORK, references: REFERENCES, render: renderAt(position) });

test("nothing differs after a publish, whatever the status says", async () => {
  const stores = makeStores();
  await runAt(stores, 2);
  await runAt(stores, 2);
  expect(await compareAt(stores.publicStore, 2)).toEqual([]);
});

test("each difference is named by its key, in order", async () => {
  const stores = makeStores();
  await runAt(stores, 3);
  const { publicStore } = stores;
  const [missing, different] = [keyOf(REFERENCES[9]!), keyOf(REFERENCES[1]!)];
  await publicStore.delete(missing);
  await publicStore.put(different, Buffer.from("{}"), any);
  await publicStore.put(`api/v1/${NETWORK}/notes.txt`, Buffer.from("x"), any);
  await publicStore.put("api/v1/testnet/events.json", Buffer.from("x"), any);
  const expected = [
    { key: missing, what: "missing" },
    { key: different, what: "different", where: { path: "key", published: null, expected: JSON.stringify(different) } },
    { key: `api/v1/${NETWORK}/notes.txt`, what: "unexpected" },
  ];
  expect(await compareAt(publicStore, 3)).toEqual(expected.toSorted((one, other) => (one.key < other.key ? -1 : 1)));
});

test("of a feed that is no JSON it is only said that it differs", async () => {
  const stores = makeStores();
  await runAt(stores, 0);
  const key = `feeds/${NETWORK}/rug.atom`;
  await stores.publicStore.put(key, Buffer.from("<feed/>"), any);
  const differences = await compareAt(stores.publicStore, 0);
  expect(differences).toEqual([{ key, what: "different" }]);
  expect(differences.map(toDifferenceLine)).toEqual([`different: ${key}`]);
});

test("a document that is no more is unexpected", async () => {
  const stores = makeStores();
  await runAt(stores, 3);
  await runAt(stores, 4);
  const key = keyOf({ kind: "epochEvents", names: { epoch: 1_000 } });
  expect(await compareAt(stores.publicStore, 4)).toEqual([{ key, what: "unexpected" }]);
});

test("against an empty store every document is missing", async () => {
  const differences = await compareAt(makeStores().publicStore, 0);
  expect(differences).toHaveLength(REFERENCES.length - 1);
  expect(new Set(differences.map(({ what }) => what))).toEqual(new Set(["missing"]));
});
