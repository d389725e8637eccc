import { hash } from "node:crypto";
import { base58 } from "@scure/base";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Network } from "../../../generator/contract/networks.ts";
import { FRESH_MILLISECONDS } from "../../../proxy/cache/cache.ts";
import { DOCUMENT_MAX_BYTES } from "../../../proxy/cache/documents.ts";
import {
  READS_AT_A_TIME,
  READS_WAITING_MAX,
  STORE_DEADLINE_MILLISECONDS,
} from "../../../proxy/cache/store.ts";
import {
  LATEST_EPOCH,
  makeIndex,
  MAINNET,
  makeProfile,
  makeUnlisted,
  publish,
  toPubkey,
} from "../fixtures.ts";
import { openBench, settle, type Bench } from "./_bench.ts";

const votePubkey = toPubkey(1);
const KEY = `api/v1/mainnet/validators/${votePubkey}.json`;
const UNAVAILABLE = { code: "upstream_unavailable" };

/** The n-th of endless well-formed vote accounts. */
const drawPubkey = (n: number) => base58.encode(hash("sha256", String(n), "buffer"));

/** An index that knows so many vote accounts, without their documents. */
function openWithKnown(count: number) {
  const known = Array.from({ length: count }, (_, n) => drawPubkey(n));
  const unlisted = known.map((key) => makeUnlisted(1, { votePubkey: key }));
  return {
    bench: openBench([...MAINNET.slice(1), publish("index", {}, makeIndex({ unlisted }))]),
    known,
  };
}

function publishProfile(key: string, network: Network = "mainnet", name = "One") {
  return publish(
    "validator",
    { votePubkey: key },
    { data: { ...makeProfile(1), votePubkey: key, name }, meta: { network } },
    network,
  );
}

/** Not every validator has a location; each has a profile. */
const getLocation = ({ documents }: Bench, key: string) =>
  documents.get("mainnet", "location", { votePubkey: key });
const getProfile = ({ documents }: Bench, key = votePubkey) =>
  documents.get("mainnet", "validator", { votePubkey: key });

afterEach(() => void vi.useRealTimers());

describe("a document", () => {
  it("of a stranger is missing, and the store is not asked, however many strangers there are", async () => {
    const bench = openBench(MAINNET);
    for (let n = 0; n < 1_000; n++) {
      expect((await getProfile(bench, drawPubkey(n))).value).toBeNull();
      expect(
        (await bench.documents.get("mainnet", "epochEvents", { epoch: n % 900 })).value,
      ).toBeNull();
    }
    expect(bench.reads).toEqual(["api/v1/mainnet/index.json"]);
  });

  it("is not looked for while no index is held that could know it", async () => {
    const bench = openBench(MAINNET);
    bench.objects.set("api/v1/mainnet/index.json", new Uint8Array(0));
    await expect(getProfile(bench)).rejects.toMatchObject(UNAVAILABLE);
    expect(bench.reads).toEqual(["api/v1/mainnet/index.json"]);
    // A document that no validator or epoch names needs no index.
    expect((await bench.documents.get("mainnet", "stakeConcentration", {})).value).not.toBeNull();
  });

  it("is read once for all who ask at a time, and a few documents at a time", async () => {
    const { bench, known } = openWithKnown(1_000);
    let underWay = 0;
    let most = 0;
    bench.beforeRead = async () => {
      most = Math.max(most, (underWay += 1));
      await settle();
      underWay -= 1;
    };
    await bench.snapshots.get("mainnet");
    await Promise.all([...known, ...known].map((key) => getLocation(bench, key)));
    expect(new Set(bench.reads).size).toBe(1 + known.length);
    // And the index, which tells whether they are missing.
    expect(most).toBe(READS_AT_A_TIME + 1);
  });

  it("is refused when too many wait for the store already, and those that wait are refused in the end", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { bench, known } = openWithKnown(READS_AT_A_TIME + READS_WAITING_MAX + 1);
    await bench.snapshots.get("mainnet");
    bench.beforeRead = () => new Promise(() => undefined);
    const asked = known.map((key) => getProfile(bench, key).then(String, String));
    await settle();
    const refused = /The data cannot be read/;
    expect(await asked.at(-1)).toMatch(refused);
    bench.now += STORE_DEADLINE_MILLISECONDS;
    await vi.advanceTimersByTimeAsync(STORE_DEADLINE_MILLISECONDS);
    for (const answer of await Promise.all(asked)) expect(answer).toMatch(refused);
    await settle();
    // Nobody waits any more for those whose turn came too late.
    expect(bench.reads).toHaveLength(1 + READS_AT_A_TIME);
  });

  it("is confirmed without its body while it is the same, and read when it is another", async () => {
    const bench = openBench(MAINNET);
    const first = await getProfile(bench);
    const bodies = bench.bodies;
    for (let minute = 0; minute < 5; minute++) {
      bench.now += 60_000;
      const again = await getProfile(bench);
      expect(again).toMatchObject({ stale: false, ageSeconds: 0 });
      expect(again.value).toBe(first.value);
    }
    expect(bench.bodies).toBe(bodies);
    bench.put(publishProfile(votePubkey, "mainnet", "Another"));
    bench.now += 60_000;
    expect((await getProfile(bench)).value?.etag).not.toBe(first.value?.etag);
    expect(bench.bodies).toBe(bodies + 1);
  });

  it.each([
    ["each validator has", getProfile],
    ["not each validator has", getLocation],
  ])(
    "that has gone with the whole store is kept, marked stale: one that %s",
    async (_, getDocument) => {
      const bench = openBench(MAINNET);
      const { value } = await getDocument(bench, votePubkey);
      const objects = [...bench.objects];
      bench.objects.clear();
      for (let minutes = 1; minutes <= 30; minutes++) {
        bench.now += 60_000;
        expect(await getDocument(bench, votePubkey)).toMatchObject({
          value,
          stale: true,
          ageSeconds: minutes * 60,
        });
        await settle();
      }
      for (const [key, body] of objects) bench.objects.set(key, body);
      bench.now += FRESH_MILLISECONDS + 1;
      await getDocument(bench, votePubkey);
      await settle();
      expect(await getDocument(bench, votePubkey)).toMatchObject({ stale: false, ageSeconds: 0 });
    },
  );

  it("that was never held is not missing while the index cannot be read either", async () => {
    const bench = openBench(MAINNET);
    await bench.snapshots.get("mainnet");
    const objects = [...bench.objects];
    bench.objects.clear();
    bench.now += FRESH_MILLISECONDS + 1;
    await expect(getLocation(bench, votePubkey)).rejects.toMatchObject(UNAVAILABLE);
    await expect(bench.documents.get("mainnet", "wallets", {})).rejects.toMatchObject(UNAVAILABLE);
    for (const [key, body] of objects) bench.objects.set(key, body);
    bench.now += FRESH_MILLISECONDS + 1;
    await getLocation(bench, votePubkey);
    await settle();
    expect((await getLocation(bench, votePubkey)).value).not.toBeNull();
  });

  it("that alone has gone is missing as soon as the index was read after it", async () => {
    const bench = openBench(MAINNET);
    await getLocation(bench, votePubkey);
    bench.objects.delete(KEY.replace(".json", "/location.json"));
    const found: boolean[] = [];
    for (let seconds = 0; seconds < 40; seconds += 5) {
      bench.now += 5_000;
      found.push((await getLocation(bench, votePubkey)).value !== null);
      await settle();
    }
    expect([found[0], found.at(-1)]).toEqual([true, false]);
  });

  it("that the index names is not missing, whatever the store says", async () => {
    const bench = openBench(MAINNET);
    await expect(getProfile(bench, toPubkey(2))).rejects.toMatchObject(UNAVAILABLE);
    const epochEvents = bench.documents.get("mainnet", "epochEvents", { epoch: LATEST_EPOCH - 1 });
    await expect(epochEvents).rejects.toMatchObject(UNAVAILABLE);
    expect((await getLocation(bench, toPubkey(2))).value).toBeNull();
  });

  it.each<[string, Uint8Array]>([
    ["a page of its own", Buffer.from("<html>")],
    ["half a body", MAINNET[1]!.body.subarray(0, 500)],
    ["JSON that is no document", Buffer.from("{}")],
    ["another validator's", publishProfile(toPubkey(2)).body],
    ["another network's", publishProfile(votePubkey, "testnet").body],
    ["one longer than any there can be", new Uint8Array(DOCUMENT_MAX_BYTES + 1)],
  ])(
    "is kept when the store gives %s for it, and refused when nothing is held",
    async (_, body) => {
      const bench = openBench(MAINNET);
      const before = await getProfile(bench);
      bench.objects.set(KEY, body);
      bench.now += 60_000;
      expect(await getProfile(bench)).toEqual({ ...before, stale: true, ageSeconds: 60 });
      const cold = openBench([...MAINNET, { key: KEY, body }]);
      await expect(getProfile(cold)).rejects.toMatchObject(UNAVAILABLE);
    },
  );

  it.each([
    [false, "cannot read documents, with nothing cached"],
    [true, "cannot read documents, serving what is cached"],
  ])(
    "is a trouble told once, whichever of them cannot be read; something held: %s",
    async (isHeld, message) => {
      const { bench, known } = openWithKnown(300);
      if (isHeld) for (const key of known) await getLocation(bench, key);
      else await bench.snapshots.get("mainnet");
      bench.now += FRESH_MILLISECONDS + 1;
      bench.beforeRead = () => Promise.reject(new Error("down"));
      for (const key of known) await getLocation(bench, key).catch(() => undefined);
      await settle();
      const told = bench.log.filter((entry) => entry.message.includes("documents"));
      expect(told).toMatchObject([{ level: "warn", message }]);
    },
  );
});
