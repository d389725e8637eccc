import { hash } from "node:crypto";
import { base58 } from "@scure/base";
import { describe, expect, it, vi } from "vitest";
import type { Network } from "../../../generator/contract/networks.ts";
import { MEMORY } from "../../../proxy/cache/memory.ts";
import { READS_AT_A_TIME, READS_WAITING_MAX, STORE_DEADLINE_MILLISECONDS } from "../../../proxy/cache/store.ts";
import {
  LATEST_EPOCH,
  makeIndex,
  makeMainnet,
  makeProfile,
  makeUnlisted,
  publish,
  toPubkey,
  TRACKED_EPOCHS,
} from "../fixtures.ts";
import { openBench, settle, type Bench } from "./_held.ts";

const votePubkey = toPubkey(1);

/** The n-th of endless well-formed vote accounts. */
function drawPubkey(n: number): string {
  return base58.encode(hash("sha256", String(n), "buffer"));
}

/** A network that knows so many vote accounts, of which nothing else is published. */
function openWithKnown(count: number): { bench: Bench; known: string[] } {
  const known = Array.from({ length: count }, (_, n) => drawPubkey(n));
  const unlisted = known.map((key) => makeUnlisted(1, { votePubkey: key }));
  return { bench: openBench([publish("index", {}, makeIndex({ unlisted }))]), known };
}

function profileOf(key: string, network: Network): Uint8Array {
  const profile = { data: { ...makeProfile(1), votePubkey: key }, meta: { network } };
  return publish("validator", { votePubkey: key }, profile, network).body;
}

/** Not every validator has one. */
function getLocation({ documents }: Bench, key: string) {
  return documents.get("mainnet", "location", { votePubkey: key });
}

function getProfile({ documents }: Bench, key: string) {
  return documents.get("mainnet", "validator", { votePubkey: key });
}

describe("a document", () => {
  it("of a stranger is missing, and the store is not asked, however many strangers there are", async () => {
    const bench = openBench(makeMainnet());
    for (let n = 0; n < 1_000; n++) expect((await getProfile(bench, drawPubkey(n))).value).toBeNull();
    for (let epoch = 0; epoch <= LATEST_EPOCH - TRACKED_EPOCHS; epoch++)
      expect((await bench.documents.get("mainnet", "epochEvents", { epoch })).value).toBeNull();
    expect(bench.reads).toEqual(["api/v1/mainnet/index.json"]);
  });

  it("is looked for in the store while nothing is held that could know it", async () => {
    const bench = openBench(makeMainnet());
    bench.objects.set("api/v1/mainnet/index.json", new Uint8Array(0));
    expect((await getProfile(bench, votePubkey)).value).not.toBeNull();
    expect((await getProfile(bench, toPubkey(99))).value).toBeNull();
  });

  it("that is missing pushes out other missing ones only", async () => {
    const { bench, known } = openWithKnown(MEMORY.missingMaxEntries + 1);
    bench.put(...makeMainnet().slice(1));
    bench.put(publish("index", {}, makeIndex({ unlisted: known.map((key) => makeUnlisted(1, { votePubkey: key })) })));
    await getProfile(bench, votePubkey);
    for (const key of known) await getLocation(bench, key);
    bench.reads.length = 0;
    await getProfile(bench, votePubkey);
    await getLocation(bench, known.at(-1)!);
    expect(bench.reads).toEqual([]);
    await getLocation(bench, known[0]!);
    expect(bench.reads).toHaveLength(1);
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
    expect(bench.reads).toHaveLength(1 + known.length);
    expect(most).toBe(READS_AT_A_TIME);
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
    // Whose turn came too late was not asked for: nobody waits for it any more.
    expect(bench.reads).toHaveLength(1 + READS_AT_A_TIME);
    vi.useRealTimers();
  });

  it("is confirmed without its body while it is the same, and read when it is another", async () => {
    const bench = openBench(makeMainnet());
    const first = await getProfile(bench, votePubkey);
    const bodies = bench.bodies;
    for (let minute = 0; minute < 5; minute++) {
      bench.now += 60_000;
      const again = await getProfile(bench, votePubkey);
      expect(again).toMatchObject({ stale: false, ageSeconds: 0 });
      expect(again.value).toBe(first.value);
    }
    expect(bench.bodies).toBe(bodies);
    const profile = { data: { ...makeProfile(1), votePubkey, name: "Another" }, meta: { network: "mainnet" as const } };
    bench.put(publish("validator", { votePubkey }, profile));
    bench.now += 60_000;
    expect((await getProfile(bench, votePubkey)).value?.etag).not.toBe(first.value?.etag);
    expect(bench.bodies).toBe(bodies + 1);
  });

  it("that has gone with the whole store is kept, marked stale", async () => {
    const bench = openBench(makeMainnet());
    await getProfile(bench, votePubkey);
    const objects = [...bench.objects];
    bench.objects.clear();
    for (let minute = 0; minute < 30; minute++) {
      bench.now += 60_000;
      const { value, stale, ageSeconds } = await getProfile(bench, votePubkey);
      await settle();
      expect({ isThere: value !== null, stale, ageSeconds }).toEqual({
        isThere: true,
        stale: true,
        ageSeconds: (minute + 1) * 60,
      });
    }
    for (const [key, body] of objects) bench.objects.set(key, body);
    bench.now += 15_000;
    await getProfile(bench, votePubkey);
    await settle();
    expect(await getProfile(bench, votePubkey)).toMatchObject({ stale: false, ageSeconds: 0 });
  });

  it("that alone has gone is missing as soon as the index was read after it", async () => {
    const bench = openBench(makeMainnet());
    await getLocation(bench, votePubkey);
    bench.objects.delete(`api/v1/mainnet/validators/${votePubkey}/location.json`);
    let value: unknown;
    for (let seconds = 0; seconds < 40; seconds += 5) {
      bench.now += 5_000;
      ({ value } = await getLocation(bench, votePubkey));
      await settle();
    }
    expect(value).toBeNull();
  });

  it("that the index names is not missing, whatever the store says", async () => {
    const bench = openBench(makeMainnet());
    await expect(getProfile(bench, toPubkey(2))).rejects.toMatchObject({ code: "upstream_unavailable" });
    const epochEvents = bench.documents.get("mainnet", "epochEvents", { epoch: LATEST_EPOCH - 1 });
    await expect(epochEvents).rejects.toMatchObject({ code: "upstream_unavailable" });
    expect((await getLocation(bench, toPubkey(2))).value).toBeNull();
  });

  it.each<[string, Uint8Array]>([
    ["a page of its own", new TextEncoder().encode("<html>")],
    ["half a body", makeMainnet()[1]!.body.subarray(0, 500)],
    ["JSON that is no document", new TextEncoder().encode("{}")],
    ["another validator's", profileOf(toPubkey(2), "mainnet")],
    ["another network's", profileOf(votePubkey, "testnet")],
  ])("is kept when the store gives %s for it, and refused when nothing is held", async (_, body) => {
    const key = `api/v1/mainnet/validators/${votePubkey}.json`;
    const bench = openBench(makeMainnet());
    const before = await getProfile(bench, votePubkey);
    bench.objects.set(key, body);
    bench.now += 60_000;
    expect(await getProfile(bench, votePubkey)).toEqual({ ...before, stale: true, ageSeconds: 60, freshUntil: 0 });
    const cold = openBench(makeMainnet());
    cold.objects.set(key, body);
    await expect(getProfile(cold, votePubkey)).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it("longer than any there can be is not held", async () => {
    const bench = openBench(makeMainnet());
    bench.objects.set(`api/v1/mainnet/validators/${votePubkey}.json`, new Uint8Array(MEMORY.documentMaxBytes + 1));
    await expect(getProfile(bench, votePubkey)).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it("is a trouble told once, whichever of them cannot be read", async () => {
    const { bench, known } = openWithKnown(300);
    await bench.snapshots.get("mainnet");
    bench.beforeRead = () => Promise.reject(new Error("down"));
    for (const key of known) await getProfile(bench, key).catch(() => undefined);
    expect(bench.log).toHaveLength(1);
    const message = "cannot read documents, with nothing held to answer from";
    expect(bench.log[0]).toMatchObject({ level: "warn", message });
  });

  it("is told as one that leaves what is held, where something is", async () => {
    const { bench, known } = openWithKnown(2);
    const [held, other] = known as [string, string];
    bench.objects.set(`api/v1/mainnet/validators/${held}.json`, profileOf(held, "mainnet"));
    await getProfile(bench, held);
    bench.beforeRead = () => Promise.reject(new Error("down"));
    await getProfile(bench, other).catch(() => undefined);
    expect(bench.log).toMatchObject([{ level: "warn", message: "cannot read documents, keeping what is held" }]);
  });
});
