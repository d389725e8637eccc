import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import type { Report } from "../../generator/service/report.ts";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import { numberOf, toEntryKey, toName } from "../../generator/journal/names.ts";
import type { Context } from "../../generator/service/context.ts";
import { readSeries } from "../../generator/journal/series.ts";
import { openCheckpoints } from "../../generator/service/projection/checkpoints.ts";
import { toManifestKey } from "../../generator/publish/manifest.ts";
import { timeAt } from "../story/clock.ts";
import { check, snapshot } from "../story/observations.ts";
import { withA } from "../story/validators.ts";
import { readDocument, readTimeless } from "../service/documents.ts";
import { append, makeStation, makeStores, publish, type Stores } from "../service/offline.ts";
import {
  bytes,
  DAMAGES,
  findFirst,
  readBody,
  REFUSED,
  refusing,
  siteOf,
  storesOf,
  STORY,
  tell,
  withForeign,
  type Damage,
} from "./damages.ts";
import { verify as verifyStores } from "./verification.ts";

const [AFTER, LATER] = [180, 190];
const WELL = { differences: [], quarantined: [] };

let stores: Stores;

beforeEach(async () => {
  stores = makeStores();
  await tell(stores, STORY, "mainnet");
});

const stationAt = (minute: number) =>
  makeStation({ ...refusing(stores), now: Date.parse(timeAt(minute)), holder: `at ${minute}` });

const site = () => readTimeless({ ...stores, network: "mainnet" });
/** A ruling on an observation begins another. */
const withoutEdition = (documents: Map<string, string>) =>
  new Map([...documents].map(([key, text]) => [key, text.replace(/"edition":"[^"]*"/, "")]));
const verify = () => verifyStores(refusing(stores), Date.parse(timeAt(370)));
const bodyOf = (key: string, store = stores.stateStore) => readBody(store, key);
const firstKey = (prefix: string) => findFirst(stores.stateStore, prefix);
const plant = (key: string, body: Uint8Array, store = stores.stateStore) =>
  store.put(key, body, { expect: "any", contentType: "application/octet-stream" });

async function expectNamed(report: Report, objects: string[]): Promise<void> {
  expect(report.quarantined.map(({ object }) => object)).toEqual(objects);
  for (const { reason } of report.quarantined) expect(reason).toMatch(/^.{3,200}$/);
  const { data } = await readDocument({ ...stores, network: "mainnet" }, "status", {});
  expect(data.quarantined.map(({ object }) => object)).toEqual(objects);
}

const ignore = ({ journal }: Context, name: string) =>
  journal.rule({
    ...{
      format: 1,
      network: "mainnet",
      ruledAt: timeAt(LATER),
      verdict: "ignore",
      reason: "damaged",
    },
    after: toName(numberOf(name) - 1),
    subject: { of: "observation", first: name, last: name },
  });

async function expectKeptAside(key: string, body: Uint8Array): Promise<void> {
  if (body !== REFUSED) expect(await bodyOf(await firstKey(`quarantine/${key}/`))).toEqual(body);
}

describe("an entry of the journal", () => {
  /** Not yet in a checkpoint. */
  let name: string;
  let key: string;
  const keyOf = (entry: string) => toEntryKey({ network: "mainnet", series: 1 }, entry);

  beforeEach(async () => {
    name = (await stationAt(0).journal.list(null)).names.at(-1) ?? "";
    key = keyOf(name);
  });

  it.each(withForeign("journal/"))(
    "%s is named by each run, and holds everything but the status back until a ruling leaves it out",
    async (_, damage) => {
      const before = await site();
      const body = await damage(await bodyOf(key));
      await plant(key, body);
      for (const minute of [AFTER, LATER]) {
        const report = await publish(stationAt(minute));
        expect(report.skipped).toContain(`rule --observation ${name} --ignore`);
        await expectNamed(report, [name]);
        expect(await site()).toEqual(before);
      }
      await ignore(stationAt(LATER), name);
      const report = await publish(stationAt(LATER + 1));
      expect(report.skipped).toBeNull();
      await expectNamed(report, []);
      expect(withoutEdition(await site())).toEqual(
        withoutEdition(await siteOf(STORY.slice(0, -1))),
      );
      expect(await bodyOf(key)).toEqual(body);
      expect(await verify()).toMatchObject(WELL);
    },
  );

  it("stays named when runs begin behind it, and counts from the run on that can read it again", async () => {
    const whole = await bodyOf(key);
    await plant(key, whole.subarray(0, 40));
    const later = [240, 298].map((minute) => check(minute, withA({ bps: 700 })));
    await append(stationAt(298), later);
    await publish(stationAt(300));
    const behind = stationAt(310);
    const rulings = await behind.journal.rulings();
    const base = await openCheckpoints(behind).begin({ notAfter: null, rulings });
    expect(base).toMatchObject({
      leftOut: [{ name }],
      ledger: { position: { name: "0000000020" } },
    });
    await expectNamed(await publish(behind), [name]);
    await plant(key, whole);
    await expectNamed(await publish(stationAt(320)), []);
    expect(await site()).toEqual(await siteOf([...STORY, ...later]));
  });

  it("of a newer version keeps this one from publishing, and is not lost to the newer one", async () => {
    const before = await site();
    const whole = await bodyOf(key);
    const newer = Buffer.from(zstdDecompressSync(whole))
      .toString()
      .replace(/"format":\d/, '"format":99');
    await plant(key, zstdCompressSync(newer));
    await append(stationAt(200), [
      check(260, withA({ bps: 9_900 })),
      check(262, withA({ bps: 9_900 })),
    ]);
    for (const minute of [300, 301]) {
      const { skipped, quarantined } = await publish(stationAt(minute));
      expect(skipped).toMatch(
        /it has the format 99, this version knows 2: a newer version wrote it$/,
      );
      expect(quarantined).toMatchObject([{ object: name }]);
    }
    expect(await site()).toEqual(before);
    // The newer version reads the entry and skips checkpoints made without it.
    await plant(key, whole);
    await publish(stationAt(302));
    expect(await verify()).toMatchObject(WELL);
  });

  it("that somebody changed is found by the hash that the next one holds, though it reads well", async () => {
    const before = await site();
    const changed = (await stationAt(0).journal.list(null)).names.at(-2) ?? "";
    const whole = zstdDecompressSync(await bodyOf(keyOf(changed))).toString();
    const otherSlot = whole.replace(/"slot":(\d+)/, (_, slot) => `"slot":${Number(slot) + 1}`);
    expect(otherSlot).not.toBe(whole);
    await plant(keyOf(changed), zstdCompressSync(otherSlot));
    const reason = expect.stringContaining(`written after another entry than ${changed}`) as string;
    expect((await verify()).quarantined).toMatchObject([{ object: name, reason }]);
    await stores.stateStore.delete(await firstKey("checkpoints/"));
    const held = await publish(stationAt(AFTER));
    await expectNamed(held, [name]);
    expect(await site()).toEqual(before);
    await ignore(stationAt(LATER), changed);
    await expectNamed(await publish(stationAt(LATER + 1)), []);
    expect(withoutEdition(await site())).toEqual(
      withoutEdition(await siteOf(STORY.toSpliced(-2, 1))),
    );
    expect(await verify()).toMatchObject(WELL);
  });

  it("that runs have in a checkpoint already is missed by none of them, and named by a rebuild with what refers to it", async () => {
    const [first = ""] = (await stationAt(0).journal.list(null)).names;
    await plant(keyOf(first), bytes("damaged"));
    await expectNamed(await publish(stationAt(AFTER)), []);
    const [lost, referring] = (await verify()).quarantined;
    expect([lost?.object, referring?.reason]).toEqual([
      first,
      expect.stringContaining(`it refers to ${first}`),
    ]);
  });
});

it.each(["notes.txt", "123.json.zst", "2026-11-20/0000000003.json.zst", "rulings/.hidden"])(
  "an object among the entries that is none, %s, is named, and left where it is",
  async (name) => {
    const key = `journal/mainnet/0001/${name}`;
    await plant(key, bytes("what is this"));
    await expectNamed(await publish(stationAt(AFTER)), [key]);
    expect(await bodyOf(key)).toEqual(bytes("what is this"));
    expect(await verify()).toMatchObject({ differences: [], quarantined: [{ object: key }] });
  },
);

it("one whose name comes before those of the entries not yet folded is named by a rebuild", async () => {
  const key = "journal/mainnet/0001/0000000000.json.zst";
  await plant(key, bytes("what is this"));
  await expectNamed(await publish(stationAt(AFTER)), []);
  expect(await verify()).toMatchObject({ differences: [], quarantined: [{ object: key }] });
});

it.each(withForeign("checkpoints/"))(
  "a checkpoint %s is named and passed over",
  async (_, damage) => {
    const before = await site();
    const key = await firstKey("checkpoints/");
    const body = await damage(await bodyOf(key));
    await plant(key, body);
    await expectNamed(await publish(stationAt(AFTER)), [key]);
    expect(await site()).toEqual(before);
    expect(await bodyOf(key)).toEqual(body);
    expect(await verify()).toMatchObject({ differences: [], quarantined: [{ object: key }] });
  },
);

describe("the manifest", () => {
  const key = toManifestKey("mainnet");

  it.each(withForeign("manifest/"))("%s is named, kept aside and made anew", async (_, damage) => {
    const before = await site();
    const body = await damage(await bodyOf(key));
    await plant(key, body);
    await plant(toObjectKey("mainnet", "events", {}), bytes("{}"), stores.publicStore);
    await expectNamed(await publish(stationAt(AFTER)), [key]);
    expect(await site()).toEqual(before);
    await expectKeptAside(key, body);
    await expectNamed(await publish(stationAt(LATER)), []);
    expect(await verify()).toMatchObject(WELL);
  });

  it("of a newer format keeps this version from publishing, and stays as it is", async () => {
    const newer = zstdCompressSync(
      JSON.stringify({ format: 2, network: "mainnet", documents: "elsewhere" }),
    );
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
      await publish(stationAt(AFTER + turn));
    }
    expect(await Array.fromAsync(stores.stateStore.list(`quarantine/${key}/`))).toHaveLength(16);
  });
});

it.each(DAMAGES)("a lease %s holds nobody back, and is named and kept aside", async (_, damage) => {
  const key = "lease/mainnet.json";
  const body = await damage(bytes(JSON.stringify({ holder: "another", until: timeAt(AFTER + 1) })));
  await plant(key, body);
  await append(stationAt(AFTER), [snapshot(AFTER, withA({ bps: 800 }))]);
  const report = await publish(stationAt(AFTER));
  expect(report.skipped).toBeNull();
  await expectNamed(report, body === REFUSED ? [] : [key]);
  await expectKeptAside(key, body);
  expect(await verify()).toMatchObject(WELL);
});

it.each(DAMAGES)(
  "a list of series %s stops the command, which names it: a guess could mix clusters",
  async (_, damage) => {
    const whole = bytes(JSON.stringify({ series: 1, genesis: "G".repeat(44), since: timeAt(0) }));
    await plant("series/mainnet/0001.json", await damage(whole));
    await expect(readSeries(refusing(stores).stateStore, "mainnet")).rejects.toThrow(
      "series/mainnet/0001.json",
    );
  },
);

describe("a public document", () => {
  const key = toObjectKey("mainnet", "events", {});
  const ofEvents = toObjectKey("testnet", "events", {});

  it.each<[string, Damage | null]>([...withForeign(ofEvents), ["that is gone", null]])(
    "%s is named and put again",
    async (_, damage) => {
      const before = await site();
      if (damage === null) await stores.publicStore.delete(key);
      else
        await plant(key, await damage(await bodyOf(key, stores.publicStore)), stores.publicStore);
      await expectNamed(await publish(stationAt(AFTER)), [key]);
      expect(await site()).toEqual(before);
      await expectNamed(await publish(stationAt(LATER)), []);
      expect(await verify()).toMatchObject(WELL);
    },
  );

  it("of another moment, as a writer leaves it that was slower or died, is put again, and is no damage", async () => {
    const before = await site();
    const { publicStore } = await storesOf(STORY.slice(0, 12));
    for (const path of (await readTimeless({ publicStore, network: "mainnet" })).keys())
      await plant(path, await bodyOf(path, publicStore), stores.publicStore);
    expect(await site()).not.toEqual(before);
    const report = await publish(stationAt(AFTER));
    expect(report.documents.written).toBeGreaterThan(2);
    await expectNamed(report, []);
    expect(await site()).toEqual(before);
  });

  it.each(["notes.txt", "validators/nobody.json", "epochs/-1/events.json"])(
    "that nobody knows, %s, is named by each run and left to rebuild --prune",
    async (path) => {
      const foreign = `api/v1/mainnet/${path}`;
      await plant(foreign, bytes("{}"), stores.publicStore);
      for (const minute of [AFTER, LATER])
        await expectNamed(await publish(stationAt(minute)), [foreign]);
      expect((await verify()).differences).toEqual([{ key: foreign, what: "unexpected" }]);
    },
  );
});
