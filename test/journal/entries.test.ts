import { openMemoryStore } from "../../generator/store/memory.ts";
import type { Entry, HistoryEntry } from "../../generator/entries/entry.ts";
import { entryToJson, hashOf } from "../../generator/journal/entries.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey } from "../../generator/journal/names.ts";
import { StoreError, type ObjectStore } from "../../generator/store/store.ts";
import { history } from "../story/history.ts";
import { tipSnapshot } from "../story/tips.ts";
import { keyOf } from "../story/validators.ts";
import { makeCheck, makePlace, VOTE } from "./samples.ts";
import { randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SOAK } from "../soak/soak.ts";

const TIME = "2026-11-20T15:30:00.125Z";
const bytes = (text: string) => new TextEncoder().encode(text);

const keysOf = async (store: ObjectStore) =>
  (await Array.fromAsync(store.list(""))).map(({ key }) => key);

const told = history(5, {
  A: [
    { at: -2, percent: 254, mev: 65_534 },
    { at: -1, stake: 16_395_628_327_252_359n, rank: 4_294_967_294 },
  ],
  B: [],
});

const byPanel = makeCheck(TIME, {
  panel: [
    {
      ...{
        endpoint: "https://a.example#0",
        slot: 1_001,
        epoch: 1,
        firstSlot: 991,
        slotsInEpoch: 432_000,
        reason: null,
      },
      list: {
        ...{ slot: 999, unreadableRows: 2, hasBasisPoints: true, lacks: [VOTE] },
        rows: [
          {
            ...{
              vote: keyOf("A"),
              basisPoints: null,
              percent: 95,
              delinquent: true,
              activeStake: 2n ** 63n,
            },
            ...{ identity: keyOf("identity of A"), inValidatorSet: false },
          },
        ],
      },
    },
    {
      ...{
        endpoint: "https://b.example#1",
        slot: null,
        epoch: null,
        firstSlot: null,
        slotsInEpoch: null,
        list: null,
      },
      reason: "HTTP status 503",
    },
  ],
  unclear: [keyOf("A"), keyOf("B")],
  accounts: [
    {
      ...{ state: "ok", endpoint: "https://a.example#0", slot: 9 },
      rows: [[9_500, null, keyOf("authority"), 10_000], null],
    },
    { state: "failed", endpoint: "https://b.example#1", reason: "HTTP status 503" },
  ],
});

const NAME = "0000000001";
const FIRST = { name: NAME, previous: null };

async function plant(text: string, body: Uint8Array = zstdCompressSync(bytes(text))) {
  const place = makePlace();
  await place.store.put(toEntryKey(place, NAME), body, {
    expect: "any",
    contentType: "application/zstd",
  });
  const [read] = await Array.fromAsync(openJournal(place).read([NAME]));
  return read!;
}

async function writeAndRead(entry: Entry) {
  const place = makePlace();
  const name = await openJournal(place).append(entry);
  const [read] = await Array.fromAsync(openJournal(place).read([name]));
  return read;
}

describe("writing an entry", () => {
  test("equal ones are equal bytes, however their fields are ordered", () => {
    const entry = makeCheck(TIME);
    const turned = Object.fromEntries(Object.entries(entry).reverse()) as typeof entry;
    expect(Object.keys(turned)).not.toEqual(Object.keys(entry));
    expect(entryToJson(FIRST, turned)).toEqual(entryToJson(FIRST, entry));
  });

  test.each<[string, Entry]>([
    ["a check by one endpoint", makeCheck(TIME)],
    ["one by a panel of which one differs and one failed", byPanel],
    [
      "tip accounts by a panel of which one failed",
      tipSnapshot(10, [{ now: 9500, before: 800 }, "silent"]),
    ],
    ["a history of what is not known and what is more than all", told],
  ])("%s is kept as it is", async (_, entry) => {
    expect(await writeAndRead(entry)).toEqual({
      ...FIRST,
      hash: hashOf(entryToJson(FIRST, entry)),
      entry,
    });
  });

  test("writes amounts as text, and what is not known as null", () => {
    const json = new TextDecoder().decode(entryToJson(FIRST, told));
    expect(json).toContain('"activeStake":"16395628327252359"');
    expect(json).toContain('"percent":254,"mevBasisPoints":65534,"activeStake":null');
  });

  const spoilt = (spoil: (history: HistoryEntry) => void) => {
    const entry = structuredClone(told);
    spoil(entry);
    return entry;
  };
  test.each<[string, Entry, string]>([
    ["a time without milliseconds", makeCheck("2026-11-20T15:30:00Z"), "time"],
    ["another network", makeCheck(TIME, { network: "testnet" }), "testnet"],
    ["a slot below 0", makeCheck(TIME, { slot: -1 }), "slot"],
    ["a check by nobody", makeCheck(TIME, { panel: [] }), "panel"],
    [
      "one without the accounts",
      { ...byPanel, accounts: undefined } as unknown as Entry,
      "accounts",
    ],
    ["a history without epochs", spoilt((entry) => (entry.epochs = [])), ""],
    [
      "too long a history",
      spoilt((entry) => (entry.epochs = Array.from({ length: 513 }, (_, at) => [at, at]))),
      "",
    ],
    [
      "a percent that stands for none",
      spoilt((entry) => (entry.validators[0]!.points[0]!.percent = 256)),
      "",
    ],
    [
      "a negative stake",
      spoilt((entry) => (entry.validators[0]!.points[0]!.activeStake = -1n)),
      "",
    ],
  ])("refuses what could not be read back, and writes nothing: %s", async (_, entry, reason) => {
    const place = makePlace();
    await expect(openJournal(place).append(entry)).rejects.toThrow(reason);
    expect(await keysOf(place.store)).toEqual([]);
  });

  test("any amount and any text come back as they were", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt(0n, 2n ** 64n - 1n),
        fc.string({ unit: "binary", maxLength: 200 }),
        async (stake, text) => {
          const entry = makeCheck(TIME);
          entry.votes[0]!.activeStake = stake;
          entry.endpoint = text;
          expect(await writeAndRead(entry)).toMatchObject({ entry });
        },
      ),
      { numRuns: 20 * SOAK },
    );
  });
});

describe("an entry that cannot be used is named with its reason", () => {
  const toText = (entry: Entry) => new TextDecoder().decode(entryToJson(FIRST, entry));
  const good = toText(makeCheck(TIME));
  const packed = zstdCompressSync(bytes(good));

  test("as the one that is planted whole can be read", async () => {
    expect(await plant(good)).toHaveProperty("entry.slot", 1_000);
  });

  test.each([
    ["cut at its end", good, packed.subarray(0, packed.length - 1), "unexpected end"],
    ["cut in half", good, packed.subarray(0, packed.length / 2), "unexpected end"],
    ["empty", good, new Uint8Array(), "unexpected end"],
    ["not compressed", good, bytes(good), ""],
    ["random", good, randomBytes(500), ""],
    ["of another number", good.replace('"number":1', '"number":2'), undefined, "it is the entry 2"],
    [
      "without the hash of the one before",
      good.replace('"previous":null,', ""),
      undefined,
      "wrong shape: previous",
    ],
    ["no JSON", "{", undefined, "JSON"],
    ["no object", "7", undefined, "wrong shape"],
    [
      "of format 3",
      good.replace('"format":1', '"format":3'),
      undefined,
      "it has the format 3, this version knows 2",
    ],
    [
      "of another network",
      good.replace('"mainnet"', '"testnet"'),
      undefined,
      "to the network testnet",
    ],
    ["of an unknown kind", good.replace('"check"', '"census"'), undefined, "wrong shape: kind"],
    ["short of a field", good.replace('"epoch":1,', ""), undefined, "wrong shape: epoch"],
  ])("%s", async (_, text, body, reason) => {
    const read = await plant(text, body);
    expect(read).toHaveProperty("unreadable");
    expect("unreadable" in read && read.unreadable).toContain(reason);
  });

  test("missing", async () => {
    const [read] = await Array.fromAsync(openJournal(makePlace()).read([NAME]));
    expect(read).toEqual({ name: NAME, unreadable: "the object is missing" });
  });

  test("a bomb that would unpack to 80 MB is refused", async () => {
    const bomb = zstdCompressSync(Buffer.alloc(80 * 1024 * 1024, 32));
    expect(bomb.length).toBeLessThan(20_000);
    expect(await plant(good, bomb)).toHaveProperty(
      "unreadable",
      expect.stringContaining("larger than"),
    );
  });

  test("but a store that does not answer is an error, not a damaged entry", async () => {
    const failing: ObjectStore = {
      ...openMemoryStore(),
      get: (key) => Promise.reject(new StoreError("memory:", "get", key, "time-out")),
    };
    const reading = Array.fromAsync(openJournal({ ...makePlace(), store: failing }).read([NAME]));
    await expect(reading).rejects.toThrow("time-out");
  });
});
