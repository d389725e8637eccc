import { randomBytes } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import type { Report } from "../../generator/service/report.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { toObjectKey } from "../../generator/contract/objects.ts";
import { toEntryKey } from "../../generator/journal/names.ts";
import { readSeries } from "../../generator/journal/series.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { FOLD_VERSION } from "../../generator/ledger/ledger.ts";
import { toManifestKey } from "../../generator/publish/manifest.ts";
import { check, snapshot, timeAt, withA } from "../ledger/story.ts";
import { readDocument, readTimeless } from "../service/documents.ts";
import { append, makeStation, makeStores, publish, type Stores } from "../service/offline.ts";
import { verify as verifyStores } from "./verification.ts";

/*
 * Each kind of object of both stores, damaged in each way: it is named in the report and in the status, it is not used and
 * its bytes are not lost, all else is published, and later runs and a rebuild go on.
 */

/** A snapshot or check each ten minutes, in which A once asks for more. */
const storyOf = (network: Network): Entry[] =>
  Array.from({ length: 18 }, (_, index) => {
    const facts = withA({ bps: index < 9 ? 500 : 700 });
    return { ...(index % 3 === 0 ? snapshot(index * 10, facts) : check(index * 10, facts)), network };
  });
const STORY = storyOf("mainnet");
const LAST_MINUTE = 170;

const bytes = (text: string) => new TextEncoder().encode(text);

/** Damages that any object can come to. */
const DAMAGES: [string, (whole: Uint8Array) => Uint8Array][] = [
  ["cut in half", (whole) => whole.subarray(0, whole.length >> 1)],
  ["empty", () => new Uint8Array()],
  // The first bit of the first byte: no JSON and no zstd begins so.
  ["with a flipped bit", (whole) => whole.with(0, (whole[0] ?? 0) ^ 1)],
  ["foreign JSON", () => bytes('{"hello":["world"]}')],
  ["foreign JSON, compressed", () => zstdCompressSync('{"hello":["world"]}')],
  ["foreign bytes", () => randomBytes(1000)],
  ["a bomb that unpacks to 80 MB", () => zstdCompressSync(Buffer.alloc(80 * 1024 * 1024, 32))],
];

let stores: Stores;

beforeEach(async () => {
  stores = makeStores();
  await tell(stores, STORY, "mainnet");
});

const stationAt = (minute: number, { holder = `at ${minute}`, ...of }: Partial<Stores> & { holder?: string } = {}) =>
  makeStation({ ...stores, ...of, now: Date.parse(timeAt(minute)), holder });

/** Journals a story and publishes it twice: the second time with a checkpoint to begin from. */
async function tell(into: Stores, story: readonly Entry[], network: Network): Promise<void> {
  for (const minute of [LAST_MINUTE + 1, LAST_MINUTE + 2]) {
    const context = makeStation({ ...into, network, now: Date.parse(timeAt(minute)), holder: `${network} ${minute}` });
    if (minute === LAST_MINUTE + 1) await append(context, story);
    await publish(context);
  }
}

/** What would be published of a journal that never had some of the entries. */
async function siteOf(story: readonly Entry[]): Promise<Map<string, string>> {
  const others = makeStores();
  await tell(others, story, "mainnet");
  return readTimeless({ ...others, network: "mainnet" });
}

const site = () => readTimeless({ ...stores, network: "mainnet" });
const bodyOf = async (key: string, store = stores.stateStore) => (await store.get(key))?.body ?? new Uint8Array();
const plant = (key: string, body: Uint8Array, store = stores.stateStore) =>
  store.put(key, body, { expect: "any", contentType: "application/octet-stream" });

async function firstKey(prefix: string, from: Stores = stores): Promise<string> {
  for await (const { key } of from.stateStore.list(prefix)) return key;
  throw new Error(`nothing below ${prefix}`);
}

const verify = () => verifyStores(stores, Date.parse(timeAt(LAST_MINUTE + 200)));
const WELL = { differences: [], quarantined: [] };

async function namedInStatus(): Promise<string[]> {
  const { data } = await readDocument({ ...stores, network: "mainnet" }, "status", {});
  return data.quarantined.map(({ object }) => object);
}

const namedIn = ({ quarantined }: Report) => quarantined.map(({ object }) => object);

async function expectNamed(report: Report, objects: string[]): Promise<void> {
  expect(namedIn(report)).toEqual(objects);
  for (const { reason } of report.quarantined) expect(reason).toMatch(/^.{3,200}$/);
  expect(await namedInStatus()).toEqual(objects);
}

/** The same object of another network, as a wrong copy would bring it. */
async function fromTestnet(prefix: string): Promise<Uint8Array> {
  const others = makeStores();
  await tell(others, storyOf("testnet"), "testnet");
  return bodyOf(await firstKey(prefix, others), others.stateStore);
}

describe("an entry of the journal", () => {
  /** Not yet in a checkpoint. */
  let name: string;
  let key: string;

  beforeEach(async () => {
    name = (await stationAt(0).journal.names()).names.at(-1) ?? "";
    key = toEntryKey({ network: "mainnet", series: 1 }, name);
  });

  async function expectLeftOut(body: Uint8Array): Promise<void> {
    await plant(key, body);
    for (const minute of [LAST_MINUTE + 10, LAST_MINUTE + 20]) {
      const report = await publish(stationAt(minute));
      expect(report.skipped).toBeNull();
      await expectNamed(report, [name]);
    }
    expect(await site()).toEqual(await siteOf(STORY.slice(0, -1)));
    expect(await bodyOf(key)).toEqual(body);
    expect(await verify()).toMatchObject({ differences: [], quarantined: [{ object: name }] });
  }

  it.each(DAMAGES)("%s is left out and named, by each run, and all others are published", async (_, damage) => {
    await expectLeftOut(damage(await bodyOf(key)));
  });

  it("of another network is left out and named", async () => {
    await expectLeftOut(await fromTestnet("journal/"));
  });

  it("stays named when runs begin behind it, and counts from the run on that can read it again", async () => {
    const whole = await bodyOf(key);
    await plant(key, whole.subarray(0, 40));
    const later = [240, 298].map((minute) => check(minute, withA({ bps: 700 })));
    await append(stationAt(298), later);
    await publish(stationAt(300));
    const behind = stationAt(310);
    const base = await behind.journal.findStartingPoint({ now: behind.clock.now(), foldVersion: FOLD_VERSION });
    expect(base).toMatchObject({ leftOut: [{ name }], names: [expect.stringContaining("/145800000-check") as string] });
    await expectNamed(await publish(behind), [name]);
    await plant(key, whole);
    await expectNamed(await publish(stationAt(320)), []);
    expect(await site()).toEqual(await siteOf([...STORY, ...later]));
  });

  it("of a newer version keeps this one from publishing, and is not lost to the newer one", async () => {
    const before = await site();
    const whole = await bodyOf(key);
    const newer = Buffer.from(zstdDecompressSync(whole)).toString().replace('"format":1', '"format":99');
    await plant(key, zstdCompressSync(newer));
    await append(stationAt(200), [check(260, withA({ bps: 9_900 })), check(262, withA({ bps: 9_900 }))]);
    for (const minute of [300, 301]) {
      const report = await publish(stationAt(minute));
      expect(report.skipped).toMatch(/it has the format 99, known is 2: a newer version wrote it$/);
      expect(namedIn(report)).toEqual([name]);
    }
    expect(await site()).toEqual(before);
    // The newer version reads the entry, and so passes over every checkpoint that was made without it.
    await plant(key, whole);
    await publish(stationAt(302));
    expect(await verify()).toMatchObject(WELL);
  });

  it("that runs have in a checkpoint already is missed by none of them, and named by a rebuild", async () => {
    const [first = ""] = (await stationAt(0).journal.names()).names;
    await plant(toEntryKey({ network: "mainnet", series: 1 }, first), bytes("damaged"));
    await expectNamed(await publish(stationAt(LAST_MINUTE + 10)), []);
    expect((await verify()).quarantined).toMatchObject([{ object: first }]);
  });
});

describe("an object among the entries that is none", () => {
  it.each(["2026-11-20/notes.txt", "2026-11-20/153000000-check-0123.json.zst", "2026-11-20/.hidden"])(
    "%s is named, and left where it is",
    async (name) => {
      const key = `journal/mainnet/0001/${name}`;
      await plant(key, bytes("what is this"));
      await expectNamed(await publish(stationAt(LAST_MINUTE + 10)), [key]);
      expect(await bodyOf(key)).toEqual(bytes("what is this"));
      expect(await verify()).toMatchObject({ differences: [], quarantined: [{ object: key }] });
    },
  );
});

describe("a checkpoint", () => {
  async function expectPassedOver(body: Uint8Array): Promise<void> {
    const before = await site();
    const key = await firstKey("checkpoints/");
    await plant(key, body);
    await expectNamed(await publish(stationAt(LAST_MINUTE + 10)), [key]);
    expect(await site()).toEqual(before);
    expect(await bodyOf(key)).toEqual(body);
    expect(await verify()).toMatchObject({ differences: [], quarantined: [{ object: key }] });
  }

  it.each(DAMAGES)("%s is named and passed over", async (_, damage) => {
    await expectPassedOver(damage(await bodyOf(await firstKey("checkpoints/"))));
  });

  it("of another network is named and passed over", async () => {
    await expectPassedOver(await fromTestnet("checkpoints/"));
  });
});

describe("the manifest", () => {
  const key = toManifestKey("mainnet");

  async function expectReplaced(body: Uint8Array): Promise<void> {
    const before = await site();
    await plant(key, body);
    await plant(toObjectKey("mainnet", "events", {}), bytes("{}"), stores.publicStore);
    const report = await publish(stationAt(LAST_MINUTE + 10));
    await expectNamed(report, [key]);
    expect(await site()).toEqual(before);
    expect(await bodyOf(await firstKey(`quarantine/${key}/`))).toEqual(body);
    await expectNamed(await publish(stationAt(LAST_MINUTE + 20)), []);
    expect(await verify()).toMatchObject(WELL);
  }

  it.each(DAMAGES)("%s is named, kept aside and made anew", async (_, damage) => {
    await expectReplaced(damage(await bodyOf(key)));
  });

  it("of another network is named, kept aside and made anew", async () => {
    await expectReplaced(await fromTestnet("manifest/"));
  });

  it("of a newer format keeps this version from publishing, and stays as it is", async () => {
    const newer = zstdCompressSync(JSON.stringify({ format: 2, network: "mainnet", documents: "elsewhere" }));
    await plant(key, newer);
    const before = await site();
    await append(stationAt(200), [snapshot(200, withA({ bps: 800 }))]);
    expect((await publish(stationAt(210))).skipped).toBe("a newer version publishes");
    expect(await site()).toEqual(before);
    expect(await bodyOf(key)).toEqual(newer);
  });

  it("is kept aside once, however often the same damage comes, and never without bounds", async () => {
    for (let turn = 0; turn < 40; turn += 1) {
      await plant(key, bytes(`damage ${turn % 20}`));
      await publish(stationAt(LAST_MINUTE + 10 + turn));
    }
    const kept = await Array.fromAsync(stores.stateStore.list(`quarantine/${key}/`));
    expect(kept).toHaveLength(16);
  });
});

describe("the lease", () => {
  const key = "lease/mainnet.json";
  const whole = bytes(JSON.stringify({ holder: "another", until: timeAt(LAST_MINUTE + 11) }));

  it.each(DAMAGES)("%s holds nobody back, and is named and kept aside", async (_, damage) => {
    const body = damage(whole);
    await plant(key, body);
    await append(stationAt(180), [snapshot(180, withA({ bps: 800 }))]);
    const report = await publish(stationAt(LAST_MINUTE + 10));
    expect(report.skipped).toBeNull();
    await expectNamed(report, [key]);
    expect(await bodyOf(await firstKey(`quarantine/${key}/`))).toEqual(body);
    expect(await verify()).toMatchObject(WELL);
  });
});

describe("the list of series", () => {
  it.each(DAMAGES)("%s stops the command, which names it: a guess could mix two clusters", async (_, damage) => {
    const whole = bytes(JSON.stringify({ series: 1, genesis: "G".repeat(44), since: timeAt(0) }));
    await plant("series/mainnet/0001.json", damage(whole));
    await expect(readSeries(stores.stateStore, "mainnet")).rejects.toThrow("series/mainnet/0001.json");
  });
});

describe("a public document", () => {
  const key = toObjectKey("mainnet", "events", {});

  async function expectPutAgain(body: Uint8Array | null): Promise<void> {
    const before = await site();
    if (body === null) await stores.publicStore.delete(key);
    else await plant(key, body, stores.publicStore);
    await expectNamed(await publish(stationAt(LAST_MINUTE + 10)), [key]);
    expect(await site()).toEqual(before);
    await expectNamed(await publish(stationAt(LAST_MINUTE + 20)), []);
    expect(await verify()).toMatchObject(WELL);
  }

  it.each(DAMAGES)("%s is named and put again", async (_, damage) => {
    await expectPutAgain(damage(await bodyOf(key, stores.publicStore)));
  });

  it("that is gone is named and put again", () => expectPutAgain(null));

  it("of another network is named and put again", async () => {
    const others = makeStores();
    await tell(others, storyOf("testnet"), "testnet");
    await expectPutAgain(await bodyOf(toObjectKey("testnet", "events", {}), others.publicStore));
  });

  it("of another moment, as a writer leaves it that was slower or died, is put again, and is no damage", async () => {
    const before = await site();
    const others = makeStores();
    await tell(others, STORY.slice(0, 12), "mainnet");
    const older = await readTimeless({ ...others, network: "mainnet" });
    for (const [path, text] of older) await plant(path, bytes(text), stores.publicStore);
    expect(await site()).not.toEqual(before);
    const report = await publish(stationAt(LAST_MINUTE + 10));
    expect(report.documents.written).toBeGreaterThan(2);
    await expectNamed(report, []);
    expect(await site()).toEqual(before);
  });

  it.each(["notes.txt", "validators/nobody.json", "epochs/-1/events.json"])(
    "that nobody knows, %s, is named by each run and left to rebuild --prune",
    async (path) => {
      const foreign = `api/v1/mainnet/${path}`;
      await plant(foreign, bytes("{}"), stores.publicStore);
      for (const minute of [LAST_MINUTE + 10, LAST_MINUTE + 20])
        await expectNamed(await publish(stationAt(minute)), [foreign]);
      expect((await verify()).differences).toEqual([{ key: foreign, what: "unexpected" }]);
    },
  );
});
