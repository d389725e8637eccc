import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { OBJECTS, toObjectKey, type ObjectReference } from "../../generator/contract/objects.ts";
import { allReferences, ofClosedEpoch } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import { compareWithPublished, type Difference } from "../../generator/publish/compare.ts";
import { toSha256 } from "../../generator/publish/upload.ts";
import { readManifest, toManifestKey } from "../../generator/publish/manifest.ts";
import { deferredDigests } from "../../generator/publish/deferred.ts";
import { publish, type PublishReport } from "../../generator/publish/publish.ts";
import { EPOCH, ledgerOf, recordStake, voteOf } from "../documents/fixtures.ts";
import { dieAt } from "./dying.ts";
import { makeStores, recordPuts, type Stores } from "./site.ts";

const network = "mainnet";
const LIST = toObjectKey(network, "exports", {});
const STATUS = toObjectKey(network, "status", {});
const INDEX = toObjectKey(network, "index", {});
const ofEpoch = (epoch: number) => ["csv", "parquet"].map((format) => `exports/mainnet/history/${epoch}.${format}`);
const OF_EVENTS = ["exports/mainnet/events.csv", "exports/mainnet/events.parquet"];

const CLOSED = [EPOCH - 4, EPOCH - 3, EPOCH - 2, EPOCH - 1];
const LEASE_MILLISECONDS = 120_000;

function toldLedger(): Ledger {
  const ledger = ledgerOf({
    validators: [{ name: "one" }],
    events: [{ of: "one", epoch: EPOCH - 2 }],
    epochs: [...CLOSED, EPOCH],
  });
  for (const epoch of CLOSED) recordStake(ledger, "one", { epoch, lamports: BigInt(epoch), rank: 1 });
  return ledger;
}

/** Publishes a ledger, each time later than the lease of a process that died lasts. */
function createPublisher(ledger: Ledger) {
  let turn = 0;
  return (stores: Stores, references: ObjectReference[], exportsMax?: number): Promise<PublishReport> => {
    const now = (turn += 1) * (LEASE_MILLISECONDS + 1);
    return publish({
      ...stores,
      network,
      series: 1,
      versions: { fold: 1, render: 1 },
      siteUrl: "http://localhost:8080",
      journal: { through: "2026-11-20/100000000-check-0123456789abcdef", digest: "digest" },
      references,
      render: createRenderer(ledger).render,
      status: () => new TextEncoder().encode("{}"),
      audit: true,
      now: () => now,
      holder: `generator ${turn}`,
      ...(exportsMax !== undefined && { exportsMax }),
    });
  };
}

async function deferredBy({ stateStore }: Stores): Promise<string[]> {
  return (await readManifest(stateStore, network)).manifest?.deferred ?? [];
}

/** What shows the stakes of epochs. */
function touchedBy(epochs: ReadonlySet<number>): ObjectReference[] {
  const stakes: ObjectReference = { kind: "stakeHistory", names: { votePubkey: voteOf("one") } };
  return [stakes, ...[...epochs].flatMap(ofClosedEpoch), { kind: "exports", names: {} }];
}

/** What a verification names: with what is deferred left out, or not. */
async function differencesOf(stores: Stores, ledger: Ledger, isDeferredLeftOut: boolean): Promise<Difference[]> {
  const { manifest } = await readManifest(stores.stateStore, network);
  const { render } = createRenderer(ledger);
  const deferred = deferredDigests(isDeferredLeftOut ? manifest : null);
  return compareWithPublished({ ...stores, network, references: allReferences(ledger), render, deferred });
}

/** Every file that the list of exports names lies there with its size and hash. */
async function expectListToBeTrue({ publicStore }: Stores): Promise<string[]> {
  const list = await publicStore.get(LIST);
  const { data } = OBJECTS.exports.schema.parse(JSON.parse(new TextDecoder().decode(list?.body)));
  for (const { path, bytes, sha256 } of data) {
    const body = (await publicStore.get(path.slice(1)))?.body ?? new Uint8Array();
    expect([path, bytes, sha256]).toEqual([path, body.byteLength, toSha256(body)]);
  }
  return data.map(({ path }) => path.slice(1));
}

test("of many exports so many are put, the tables of events and the newest epochs first; later runs put the others", async () => {
  const [stores, ledger, puts] = [makeStores(), toldLedger(), [] as string[]];
  const publishSome = createPublisher(ledger);
  const recorded = { ...stores, publicStore: recordPuts(stores.publicStore, puts) };
  expect((await publishSome(recorded, allReferences(ledger), 4)).deferred).toBe(6);
  const [first, second, third] = [
    [...OF_EVENTS, ...ofEpoch(EPOCH - 1)],
    [...ofEpoch(EPOCH - 2), ...ofEpoch(EPOCH - 3)],
    ofEpoch(EPOCH - 4),
  ];
  expect(puts.filter((key) => key.startsWith("exports/")).toSorted()).toEqual(first);
  expect(await expectListToBeTrue(stores)).toEqual(first);
  expect(await deferredBy(stores)).toEqual([...second, ...third]);
  for (const [due, deferred] of [
    [second, 2],
    [third, 0],
  ] as const) {
    puts.length = 0;
    expect((await publishSome(recorded, [], 4)).deferred).toBe(deferred);
    expect(puts).toEqual([...due, LIST, STATUS]);
  }
  expect(await expectListToBeTrue(stores)).toEqual([...first, ...second, ...third]);
  expect(await differencesOf(stores, ledger, false)).toEqual([]);
});

test("no export is put before what is new: they come after the index, and their list after them", async () => {
  const puts: string[] = [];
  const stores = makeStores();
  const ledger = toldLedger();
  const recorded = { ...stores, publicStore: recordPuts(stores.publicStore, puts) };
  await createPublisher(ledger)(recorded, allReferences(ledger));
  const exports = [...OF_EVENTS, ...CLOSED.flatMap(ofEpoch)];
  expect(puts.slice(puts.indexOf(INDEX) + 1).toSorted()).toEqual([...exports, LIST, STATUS].toSorted());
  expect(puts.slice(-2)).toEqual([LIST, STATUS]);
});

test("what is deferred and turns out to be as it was is no longer deferred, and costs no put but the manifest's", async () => {
  const [stores, ledger, puts] = [makeStores(), toldLedger(), [] as string[]];
  const publishSome = createPublisher(ledger);
  await publishSome(stores, allReferences(ledger));
  expect((await publishSome(stores, allReferences(ledger), 2)).deferred).toBe(8);
  expect(await deferredBy(stores)).toHaveLength(8);
  const recorded = { ...stores, publicStore: recordPuts(stores.publicStore, puts) };
  expect((await publishSome(recorded, [], 8)).deferred).toBe(0);
  expect(puts).toEqual([STATUS]);
  expect(await deferredBy(stores)).toEqual([]);
});

test("what a manifest of an older version calls owed is deferred", async () => {
  const [stores, ledger] = [makeStores(), toldLedger()];
  const publishSome = createPublisher(ledger);
  await publishSome(stores, allReferences(ledger));
  const { manifest } = await readManifest(stores.stateStore, network);
  const { deferred, ...older } = manifest!;
  expect(deferred).toEqual([]);
  const body = zstdCompressSync(JSON.stringify({ ...older, format: 1, owed: OF_EVENTS }));
  await stores.stateStore.put(toManifestKey(network), body, { expect: "any", contentType: "application/zstd" });
  expect(await deferredBy(stores)).toEqual(OF_EVENTS);
});

test("an export that is gone is put again at once, however few there may be", async () => {
  const [stores, ledger] = [makeStores(), toldLedger()];
  const publishSome = createPublisher(ledger);
  await publishSome(stores, allReferences(ledger));
  for (const epoch of CLOSED) for (const key of ofEpoch(epoch)) await stores.publicStore.delete(key);
  expect(await publishSome(stores, [], 1)).toMatchObject({ deferred: 0, documents: { written: 8 } });
  expect(await differencesOf(stores, ledger, false)).toEqual([]);
});

test("however few exports are put at a time and wherever runs die, the list is true and in the end nothing differs", async () => {
  const step = fc.record({
    epochs: fc.subarray(CLOSED),
    exportsMax: fc.integer({ min: 0, max: 3 }),
    diesAt: fc.option(fc.integer({ min: 1, max: 16 }), { freq: 2 }),
    isDone: fc.boolean(),
  });
  let [deaths, deferring] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      const [stores, ledger] = [makeStores(), toldLedger()];
      const publishSome = createPublisher(ledger);
      await publishSome(stores, allReferences(ledger));
      const touched = new Set<number>();
      for (const [index, { epochs, exportsMax, diesAt, isDone }] of steps.entries()) {
        for (const epoch of epochs) {
          recordStake(ledger, "one", { epoch, lamports: BigInt(index), rank: 1 });
          touched.add(epoch);
        }
        const dying = diesAt === null ? stores : dieAt(stores, diesAt, { isDone });
        const report = await publishSome(dying, touchedBy(touched), exportsMax).catch(() => null);
        if (report === null || report.skipped !== null) {
          deaths += 1;
          continue;
        }
        touched.clear();
        if (report.deferred > 0) deferring += 1;
        await expectListToBeTrue(stores);
        expect(await differencesOf(stores, ledger, true)).toEqual([]);
      }
      let { deferred } = await publishSome(stores, touchedBy(touched), 1);
      for (let runs = 0; deferred > 0 && runs < 10; runs += 1) ({ deferred } = await publishSome(stores, [], 1));
      expect(await differencesOf(stores, ledger, false)).toEqual([]);
    }),
    { numRuns: 25 },
  );
  expect(deaths).toBeGreaterThan(8);
  expect(deferring).toBeGreaterThan(8);
});
