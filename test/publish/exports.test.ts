import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { OBJECTS, toObjectKey, type ObjectReference } from "../../generator/contract/objects.ts";
import { allReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import { compareWithPublished } from "../../generator/publish/compare.ts";
import { publish, type PublishReport } from "../../generator/publish/publish.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { EPOCH, ledgerOf, recordStake } from "../documents/fixtures.ts";

const network = "mainnet";
const LIST = toObjectKey(network, "exports", {});
const ofEpoch = (epoch: number) => `exports/mainnet/history/${epoch}`;

let publicStore: ObjectStore;
let stateStore: ObjectStore;
let puts: { key: string; contentType: string }[];

beforeEach(() => {
  const memory = openMemoryStore();
  puts = [];
  stateStore = openMemoryStore();
  publicStore = {
    ...memory,
    put(key, body, options) {
      puts.push({ key, contentType: options.contentType });
      return memory.put(key, body, options);
    },
  };
});

function toldLedger(): Ledger {
  const ledger = ledgerOf({
    validators: [{ name: "one" }],
    events: [{ of: "one", epoch: EPOCH - 2 }],
    epochs: [EPOCH - 2, EPOCH - 1, EPOCH],
  });
  for (const epoch of [EPOCH - 2, EPOCH - 1, EPOCH])
    recordStake(ledger, "one", { epoch, lamports: BigInt(epoch), rank: 1 });
  return ledger;
}

function publishAll(ledger: Ledger, references: ObjectReference[] = allReferences(ledger)): Promise<PublishReport> {
  return publish({
    publicStore,
    stateStore,
    network,
    series: 1,
    versions: { fold: 1, render: 1 },
    siteUrl: "http://localhost:8080",
    journal: { through: "2026-11-20/100000000-check-0123456789abcdef", digest: "digest" },
    references,
    render: createRenderer(ledger).render,
    status: () => new TextEncoder().encode("{}"),
    audit: true,
    now: () => 0,
    holder: "generator-1",
  });
}

async function bodyOf(key: string): Promise<Uint8Array> {
  const object = await publicStore.get(key);
  if (object === null) throw new Error(`${key} is not published`);
  return object.body;
}

async function readList() {
  return OBJECTS.exports.schema.parse(JSON.parse(new TextDecoder().decode(await bodyOf(LIST)))).data;
}

test("the list tells the size and the hash of each file as it lies in the store, and is put after all of them", async () => {
  await publishAll(toldLedger());
  const files = await readList();
  expect(files.map(({ path }) => path.slice(1))).toEqual([
    "exports/mainnet/events.csv",
    "exports/mainnet/events.parquet",
    ...[EPOCH - 1, EPOCH - 2].flatMap((epoch) => [`${ofEpoch(epoch)}.csv`, `${ofEpoch(epoch)}.parquet`]),
  ]);
  for (const { path, bytes, sha256 } of files) {
    const body = await bodyOf(path.slice(1));
    expect([bytes, sha256]).toEqual([body.byteLength, createHash("sha256").update(body).digest("hex")]);
  }
  const order = puts.map(({ key }) => key);
  for (const { path } of files) expect(order.indexOf(path.slice(1))).toBeLessThan(order.indexOf(LIST));
});

test("files are put with the content type of their format", async () => {
  await publishAll(toldLedger());
  const typeOf = (key: string) => puts.find((put) => put.key === key)?.contentType;
  expect(typeOf("exports/mainnet/events.csv")).toBe("text/csv; charset=utf-8; header=present");
  expect(typeOf(`${ofEpoch(EPOCH - 1)}.parquet`)).toBe("application/vnd.apache.parquet");
});

test("what is learnt of one closed epoch puts its files and the list anew, and no other export", async () => {
  const ledger = toldLedger();
  await publishAll(ledger);
  const before = await readList();
  puts = [];
  recordStake(ledger, "one", { epoch: EPOCH - 2, lamports: 7n, rank: 1 });
  const names = { epoch: EPOCH - 2 };
  await publishAll(ledger, [
    { kind: "historyCsv", names },
    { kind: "historyParquet", names },
    { kind: "exports", names: {} },
  ]);
  const status = toObjectKey(network, "status", {});
  const changed = [`${ofEpoch(EPOCH - 2)}.csv`, `${ofEpoch(EPOCH - 2)}.parquet`];
  expect(puts.map(({ key }) => key)).toEqual([...changed, LIST, status]);
  const differing = (await readList()).filter(({ sha256 }) => before.every((file) => file.sha256 !== sha256));
  expect(differing.map(({ path }) => path.slice(1))).toEqual(changed);
});

test("a comparison with the journal finds no difference, and then only the file that was changed", async () => {
  const ledger = toldLedger();
  await publishAll(ledger);
  const compare = () => {
    const { render } = createRenderer(ledger);
    return compareWithPublished({ publicStore, network, references: allReferences(ledger), render });
  };
  expect(await compare()).toEqual([]);
  const key = `${ofEpoch(EPOCH - 1)}.parquet`;
  await publicStore.put(key, new TextEncoder().encode("PAR1 of another PAR1"), {
    expect: "any",
    contentType: "application/vnd.apache.parquet",
  });
  expect(await compare()).toEqual([{ key, what: "different" }]);
  await publishAll(ledger, []);
  expect(await compare()).toEqual([]);
});

test("a cut file is damage and is put again, a whole one of another writer only put again", async () => {
  const ledger = toldLedger();
  await publishAll(ledger);
  const csv = `${ofEpoch(EPOCH - 1)}.csv`;
  const parquet = `${ofEpoch(EPOCH - 1)}.parquet`;
  const cut = new TextEncoder().encode("epoch,votePubkey");
  await publicStore.put(csv, cut, { expect: "any", contentType: "text/csv" });
  const other = await bodyOf(`${ofEpoch(EPOCH - 2)}.parquet`);
  await publicStore.put(parquet, other, { expect: "any", contentType: "text/csv" });
  const { damaged, documents } = await publishAll(ledger, []);
  expect(damaged).toEqual([{ object: csv, reason: "it could not be read: put again" }]);
  expect(documents.written).toBe(2);
});
