import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import { OBJECTS, type ObjectReference } from "../../generator/contract/objects.ts";
import { allReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import { compareWithPublished } from "../../generator/publish/compare.ts";
import { deferredDigests } from "../../generator/publish/deferred.ts";
import { readManifest } from "../../generator/publish/manifest.ts";
import { publishDocuments } from "../../generator/publish/publish.ts";
import { toSha256 } from "../../generator/publish/upload.ts";
import { EPOCH, ledgerOf, recordStake, voteOf } from "../documents/fixtures.ts";
import { readCsvExport } from "../documents/read-exports.ts";
import { dieAt } from "./dying.ts";
import { makeStores, recordPuts, requestAt, type Stores } from "./site.ts";
import { SOAK } from "../soak/soak.ts";

const network = "mainnet";
const LIST = toObjectKey(network, "exports", {});
const STATUS = toObjectKey(network, "status", {});
const INDEX = toObjectKey(network, "index", {});
const ofEpoch = (epoch: number) =>
  ["csv", "parquet"].map((format) => `exports/mainnet/history/${epoch}.${format}`);
const OF_ONE_FILE = ["events", "costs", "rugs", "validators", "locations", "epochs"].flatMap(
  (table) => [`exports/mainnet/${table}.csv`, `exports/mainnet/${table}.parquet`],
);
const CLOSED = [EPOCH - 4, EPOCH - 3, EPOCH - 2, EPOCH - 1];
const OF_EPOCHS = CLOSED.toReversed().flatMap(ofEpoch);
const ALL = [...OF_ONE_FILE, ...OF_EPOCHS];

let world: ReturnType<typeof makeWorld>;
beforeEach(() => {
  world = makeWorld();
});

/** Stores, a ledger of a validator's four closed epochs, and its publisher. */
function makeWorld() {
  const epochs = [...CLOSED, EPOCH];
  const ledger = ledgerOf({
    validators: [{ name: "one" }],
    events: [{ of: "one", epoch: EPOCH - 2 }],
    epochs,
  });
  for (const epoch of CLOSED)
    recordStake(ledger, "one", { epoch, lamports: BigInt(epoch), rank: 1 });
  const [stores, puts] = [makeStores(), [] as string[]];
  const recorded = { ...stores, publicStore: recordPuts(stores.publicStore, puts) };
  let turn = 0;
  return {
    ...{ ledger, stores, puts },
    /** Each later than a dead process's lease. */
    publish: (
      references = allReferences(ledger),
      exportsMax?: number,
      { publicStore, stateStore }: Stores = recorded,
    ) => {
      const now = (turn += 1) * 120_001;
      const request = {
        ...requestAt(0),
        publicStore,
        stateStore,
        references,
        ...createRenderer(ledger),
        now: () => now,
      };
      return publishDocuments({
        ...request,
        holder: `generator ${turn}`,
        ...(exportsMax !== undefined && { exportsMax }),
      });
    },
  };
}

async function deferredBy({ stateStore }: Stores): Promise<string[]> {
  return (await readManifest(stateStore, network)).manifest?.deferred ?? [];
}

/** What shows the stakes of epochs: one reason of a verdict is that stake left. */
function touchedBy(epochs: Iterable<number>): ObjectReference[] {
  const names = { votePubkey: voteOf("one") };
  const ofEpochs = (["epochs", "epochsCsv", "epochsParquet"] as const).map(
    (kind): ObjectReference => ({ kind, names: {} }),
  );
  const ofValidator = (["validator", "stakeHistory"] as const).map((kind): ObjectReference => ({
    kind,
    names,
  }));
  const files = [...epochs].flatMap((epoch): ObjectReference[] => [
    { kind: "historyCsv", names: { epoch } },
    { kind: "historyParquet", names: { epoch } },
  ]);
  return [...ofValidator, ...ofEpochs, ...files, { kind: "exports", names: {} }];
}

/** What a verification names, with deferred exports left out or not. */
async function differencesOf(stores: Stores, ledger: Ledger, isDeferredLeftOut = false) {
  const { manifest } = await readManifest(stores.stateStore, network);
  const deferred = deferredDigests(isDeferredLeftOut ? manifest : null);
  return compareWithPublished({
    ...stores,
    network,
    references: allReferences(ledger),
    ...createRenderer(ledger),
    deferred,
  });
}

async function expectListToBeTrue({ publicStore }: Stores): Promise<string[]> {
  const list = await publicStore.get(LIST);
  const { data } = OBJECTS.exports.schema.parse(JSON.parse(new TextDecoder().decode(list?.body)));
  for (const { path, table, format, rows, bytes, sha256 } of data) {
    const body = (await publicStore.get(path.slice(1)))?.body ?? new Uint8Array();
    expect([path, bytes, sha256]).toEqual([path, body.byteLength, toSha256(body)]);
    if (format === "csv") expect([path, rows]).toEqual([path, readCsvExport(table, body).length]);
  }
  return data.map(({ path }) => path.slice(1));
}

test("exports are put after what is new, their list after them, and it gives the rows, size and hash of each", async () => {
  const { stores, puts } = world;
  await world.publish();
  expect(await expectListToBeTrue(stores)).toEqual(ALL);
  const afterIndex = puts.slice(puts.indexOf(INDEX) + 1);
  expect(afterIndex.slice(0, -2).toSorted()).toEqual(ALL.toSorted());
  expect(afterIndex.slice(-2)).toEqual([LIST, STATUS]);
});

test("files are put with the content type of their format", async () => {
  const types = new Map<string, string>();
  const { publicStore, stateStore } = world.stores;
  const put: typeof publicStore.put = (key, body, options) => {
    types.set(key, options.contentType);
    return publicStore.put(key, body, options);
  };
  await world.publish(undefined, undefined, { publicStore: { ...publicStore, put }, stateStore });
  const [csv, parquet] = OF_ONE_FILE as [string, string];
  expect(types.get(csv)).toBe("text/csv; charset=utf-8; header=present");
  expect(types.get(parquet)).toBe("application/vnd.apache.parquet");
});

test("what is learnt of one closed epoch puts its files and the list anew, and no other export", async () => {
  const { ledger, puts } = world;
  await world.publish();
  puts.length = 0;
  recordStake(ledger, "one", { epoch: EPOCH - 2, lamports: 7n, rank: 1 });
  const isExport = ({ kind }: ObjectReference) => kind === "exports" || kind.startsWith("history");
  await world.publish(touchedBy([EPOCH - 2]).filter(isExport));
  expect(puts).toEqual([...ofEpoch(EPOCH - 2), LIST, STATUS]);
  await expectListToBeTrue(world.stores);
});

test("a comparison with the journal names only a file that was changed; a cut one is damage, a whole one of another writer is not", async () => {
  const { ledger, stores } = world;
  await world.publish();
  expect(await differencesOf(stores, ledger)).toEqual([]);
  const [csv, parquet] = ofEpoch(EPOCH - 1) as [string, string];
  const other = (await stores.publicStore.get(ofEpoch(EPOCH - 2)[1]!))!.body;
  const options = { expect: "any", contentType: "text/csv" } as const;
  await stores.publicStore.put(parquet, other, options);
  expect(await differencesOf(stores, ledger)).toEqual([{ key: parquet, what: "different" }]);
  await stores.publicStore.put(csv, new TextEncoder().encode("epoch,votePubkey"), options);
  const { damaged, documents } = await world.publish([]);
  expect(damaged).toEqual([{ object: csv, reason: "it could not be read and was put again" }]);
  expect(documents.written).toBe(2);
  expect(await differencesOf(stores, ledger)).toEqual([]);
});

test("of the exports of epochs so many are put, the newest first; later runs put the others", async () => {
  const { ledger, stores, puts } = world;
  expect((await world.publish(undefined, 2)).deferred).toBe(6);
  const first = [...OF_ONE_FILE, ...OF_EPOCHS.slice(0, 2)];
  expect(puts.filter((key) => key.startsWith("exports/")).toSorted()).toEqual(first.toSorted());
  expect(await expectListToBeTrue(stores)).toEqual(first);
  expect(await deferredBy(stores)).toEqual(OF_EPOCHS.slice(2));
  for (const [due, deferred] of [
    [OF_EPOCHS.slice(2, 6), 2],
    [OF_EPOCHS.slice(6), 0],
  ] as const) {
    puts.length = 0;
    expect((await world.publish([], 4)).deferred).toBe(deferred);
    expect(puts).toEqual([...due, LIST, STATUS]);
  }
  expect(await expectListToBeTrue(stores)).toEqual(ALL);
  expect(await differencesOf(stores, ledger)).toEqual([]);
});

test("what is deferred and turns out to be as it was is no longer deferred, and costs no put but the manifest's", async () => {
  const { stores, puts } = world;
  await world.publish();
  expect((await world.publish(undefined, 2)).deferred).toBe(6);
  expect(await deferredBy(stores)).toHaveLength(6);
  puts.length = 0;
  expect((await world.publish([], 8)).deferred).toBe(0);
  expect(puts).toEqual([STATUS]);
  expect(await deferredBy(stores)).toEqual([]);
});

test("an export that is gone is put again at once, however few there may be", async () => {
  const { ledger, stores } = world;
  await world.publish();
  for (const key of CLOSED.flatMap(ofEpoch)) await stores.publicStore.delete(key);
  expect(await world.publish([], 1)).toMatchObject({ deferred: 0, documents: { written: 8 } });
  expect(await differencesOf(stores, ledger)).toEqual([]);
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
      const { stores, ledger, publish: publishSome } = makeWorld();
      await publishSome();
      const touched = new Set<number>();
      for (const [index, { epochs, exportsMax, diesAt, isDone }] of steps.entries()) {
        for (const epoch of epochs) {
          recordStake(ledger, "one", { epoch, lamports: BigInt(index), rank: 1 });
          touched.add(epoch);
        }
        const dying = diesAt === null ? stores : dieAt(stores, diesAt, { isDone });
        const report = await publishSome(touchedBy(touched), exportsMax, dying).catch(() => null);
        if (report === null || report.skipped !== null) {
          deaths += 1;
          continue;
        }
        touched.clear();
        if (report.deferred > 0) deferring += 1;
        await expectListToBeTrue(stores);
        expect(await differencesOf(stores, ledger, true)).toEqual([]);
      }
      let { deferred } = await publishSome(touchedBy(touched), 1);
      for (let runs = 0; deferred > 0 && runs < 10; runs += 1)
        ({ deferred } = await publishSome([], 1));
      expect(await differencesOf(stores, ledger)).toEqual([]);
    }),
    { numRuns: 8 * SOAK },
  );
  expect(deaths).toBeGreaterThan(8);
  expect(deferring).toBeGreaterThan(8);
});
