import { beforeEach, expect, it } from "vitest";
import { toObjectKey } from "../../generator/contract/objects.ts";
import { DamagedObjectError, type ObjectStore } from "../../generator/store/store.ts";
import { check, snapshot, timeAt, withA } from "../ledger/story.ts";
import { readTimeless } from "./documents.ts";
import { append, makeStation, makeStores, publish, type Stores } from "./offline.ts";

/*
 * A server that keeps checksums does not give an object whose bytes changed on its disk: it answers with an error each time.
 * That object is set aside and named like one whose bytes came, and all else goes on.
 */

const STORY = Array.from({ length: 18 }, (_, index) =>
  (index % 3 === 0 ? snapshot : check)(index * 10, withA({ bps: index < 9 ? 500 : 700 })),
);

let stores: Stores;
const stationAt = (minute: number, of: Stores = stores) =>
  makeStation({ ...of, now: Date.parse(timeAt(minute)), holder: `at ${minute}` });
const site = () => readTimeless({ ...stores, network: "mainnet" });

beforeEach(async () => {
  stores = makeStores();
  await append(stationAt(171), STORY);
  for (const minute of [171, 172]) await publish(stationAt(minute));
});

/** The stores as the server of one damaged object lets them be seen, until the object is put anew. */
function damage(key: string): Stores {
  let isDamaged = true;
  const wrap = (store: ObjectStore): ObjectStore => ({
    ...store,
    get: (asked) =>
      isDamaged && asked === key
        ? Promise.reject(new DamagedObjectError(store.name, "get", asked, "the bytes do not fit their checksum"))
        : store.get(asked),
    put(put, ...rest) {
      if (put === key) isDamaged = false;
      return store.put(put, ...rest);
    },
  });
  return { publicStore: wrap(stores.publicStore), stateStore: wrap(stores.stateStore) };
}

async function keyBelow(prefix: string): Promise<string> {
  const keys = await Array.fromAsync(stores.stateStore.list(prefix), ({ key }) => key);
  return keys.at(-1) ?? "";
}

it("an entry is left out and named, by each run", async () => {
  const key = await keyBelow("journal/");
  const [, name] = /0001\/(.*)\.json\.zst$/.exec(key) ?? [];
  const damaged = damage(key);
  for (const minute of [180, 190]) {
    const { skipped, quarantined } = await publish(stationAt(minute, damaged));
    expect({ skipped, quarantined }).toMatchObject({ skipped: null, quarantined: [{ object: name }] });
    expect(quarantined[0]?.reason).toContain("checksum");
  }
});

it.each([
  ["a checkpoint", () => keyBelow("checkpoints/")],
  ["the manifest", () => keyBelow("manifest/")],
])("%s is named, and what it stood for is made anew", async (_, find) => {
  const key = await find();
  const before = await site();
  const report = await publish(stationAt(180, damage(key)));
  expect(report).toMatchObject({ skipped: null, quarantined: [{ object: key }] });
  expect(await site()).toEqual(before);
});

it("a document that is put again is named", async () => {
  const key = toObjectKey("mainnet", "events", {});
  const before = await site();
  const etag = '"of other bytes"';
  const publicStore: ObjectStore = {
    ...damage(key).publicStore,
    async *list(prefix, options) {
      for await (const head of stores.publicStore.list(prefix, options))
        yield head.key === key ? { ...head, etag } : head;
    },
  };
  const report = await publish(stationAt(180, { ...stores, publicStore }));
  expect(report).toMatchObject({ skipped: null, quarantined: [{ object: key }] });
  expect(await site()).toEqual(before);
});

it("a lease holds nobody back", async () => {
  await append(stationAt(180), [snapshot(180, withA({ bps: 800 }))]);
  await stores.stateStore.put("lease/mainnet.json", Buffer.from("{}"), {
    expect: "any",
    contentType: "application/json",
  });
  expect((await publish(stationAt(190, damage("lease/mainnet.json")))).skipped).toBeNull();
});
