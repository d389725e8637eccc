import { describe, expect, it } from "vitest";
import type { SnapshotIndex } from "../../../generator/contract/snapshot-index.ts";
import { makeIndex, makeUnlisted, makeValidator, publish, SEEN_AT, VALIDATORS } from "../fixtures.ts";
import { openBench, settle, type Bench } from "./_held.ts";

const KEY = "api/v1/mainnet/index.json";
const MINUTE = 60_000;

/** Puts an index, lets it be read, and says what is held then. */
async function takeIndex(bench: Bench, changes: Partial<SnapshotIndex> | Uint8Array | null) {
  if (changes === null) bench.objects.delete(KEY);
  else if (changes instanceof Uint8Array) bench.objects.set(KEY, changes);
  else bench.put(publish("index", {}, makeIndex(changes)));
  bench.now += MINUTE;
  await bench.snapshots.get("mainnet");
  await settle();
  const { value, stale, ageSeconds } = await bench.snapshots.get("mainnet");
  return { name: value.index.validators[0]?.name, stale, ageSeconds };
}

async function openWithIndex(): Promise<Bench> {
  const bench = openBench([publish("index", {}, makeIndex())]);
  await bench.snapshots.get("mainnet");
  return bench;
}

const NAMED = makeIndex({ validators: makeIndex().validators.map((row) => ({ ...row, name: "New" })) });
const CUT = publish("index", {}, NAMED).body.subarray(0, 5_000);
const EARLIER = new Date(Date.parse(SEEN_AT) - MINUTE).toISOString();

describe("the index of a network", () => {
  it("is replaced by one that is newer", async () => {
    expect(await takeIndex(await openWithIndex(), NAMED)).toEqual({ name: "New", stale: false, ageSeconds: 0 });
  });

  it("is confirmed without its body while it is the same", async () => {
    const bench = await openWithIndex();
    const { value } = await bench.snapshots.get("mainnet");
    for (let minute = 0; minute < 5; minute++) {
      expect(await takeIndex(bench, {})).toMatchObject({ stale: false, ageSeconds: 0 });
      expect(bench.snapshots.isConfirmedSince("mainnet", bench.now)).toBe(true);
    }
    expect((await bench.snapshots.get("mainnet")).value).toBe(value);
    expect([bench.reads.length, bench.bodies]).toEqual([6, 1]);
  });

  it("may lose some of its validators, and have all others left the list", async () => {
    const bench = await openWithIndex();
    const unlisted = NAMED.validators.slice(1, 50).map(({ rank }) => makeUnlisted(rank));
    expect(await takeIndex(bench, { ...NAMED, validators: NAMED.validators.slice(0, 1), unlisted })).toMatchObject({
      name: "New",
      stale: false,
    });
  });

  it.each<[string, Partial<SnapshotIndex> | Uint8Array | null, RegExp]>([
    ["is gone", null, /index\.json has gone/],
    ["is cut", CUT, /JSON/],
    ["is of another network", { ...NAMED, network: "testnet" }, /the index of mainnet is that of testnet/],
    ["is older", { ...NAMED, snapshotAt: EARLIER }, /older than the one held: of 2026-11-20T11:59/],
    ["has no time", { ...NAMED, snapshotAt: null }, /older than the one held/],
    ["knows few", { ...NAMED, validators: [makeValidator(1)] }, /knows 2 vote accounts, the one held 61/],
  ])("is kept when the one in the store %s", async (_, changes, reason) => {
    const bench = await openWithIndex();
    const name = makeIndex().validators[0]?.name;
    expect(await takeIndex(bench, changes)).toEqual({ name, stale: true, ageSeconds: 60 });
    expect(bench.log).toHaveLength(1);
    expect(describeCauses(bench.log[0]?.error)).toMatch(reason);
  });

  it("gives way to an older or a smaller one that the store still holds ten minutes later", async () => {
    const bench = await openWithIndex();
    const smaller = { ...NAMED, validators: NAMED.validators.slice(0, 1), snapshotAt: EARLIER };
    for (let minute = 0; minute < 10; minute++)
      expect(await takeIndex(bench, smaller)).toMatchObject({ name: "Validator 1", stale: true });
    expect(await takeIndex(bench, smaller)).toEqual({ name: "New", stale: false, ageSeconds: 0 });
  });

  it("is doubted from the beginning again after the store has given the one held", async () => {
    const bench = await openWithIndex();
    const older = { ...NAMED, snapshotAt: EARLIER };
    for (let minute = 0; minute < 9; minute++) await takeIndex(bench, older);
    expect(await takeIndex(bench, {})).toMatchObject({ stale: false });
    for (let minute = 0; minute < 9; minute++) expect(await takeIndex(bench, older)).toMatchObject({ stale: true });
  });

  it("of another network is not served either where nothing is held", async () => {
    const bench = openBench([{ ...publish("index", {}, { ...NAMED, network: "testnet" }), key: KEY }]);
    await expect(bench.snapshots.get("mainnet")).rejects.toMatchObject({ code: "upstream_unavailable" });
  });

  it("may come later where there was none", async () => {
    const bench = openBench([]);
    expect((await bench.snapshots.get("mainnet")).value.index.validators).toEqual([]);
    expect(await takeIndex(bench, {})).toEqual({ name: "Validator 1", stale: false, ageSeconds: 0 });
    expect((await bench.snapshots.get("mainnet")).value.index.validators).toHaveLength(VALIDATORS);
  });

  it("that was refused leaves what is held unconfirmed", async () => {
    const bench = await openWithIndex();
    const readAt = bench.now;
    expect(bench.snapshots.isConfirmedSince("mainnet", readAt)).toBe(true);
    await takeIndex(bench, CUT);
    expect(bench.snapshots.isConfirmedSince("mainnet", readAt + 1)).toBe(false);
  });
});

describe("an outage of an hour", () => {
  it("is a line a network and ten minutes, and one at its end", async () => {
    const bench = await openWithIndex();
    bench.beforeRead = () => Promise.reject(new Error("the store is down"));
    const seconds = 3_600;
    for (let second = 0; second < seconds; second++) {
      bench.now += 1_000;
      await bench.snapshots.get("mainnet");
      await settle();
    }
    // The first failure is that of the first reading that was due.
    expect(bench.log.map(({ level }) => level)).toEqual(Array(6).fill("warn"));
    expect(bench.log[0]?.message).toBe("cannot read api/v1/mainnet/index.json, keeping what is held");
    bench.beforeRead = () => Promise.resolve();
    for (let second = 0; second < 120; second++) {
      bench.now += 1_000;
      await bench.snapshots.get("mainnet");
      await settle();
    }
    expect(bench.log.slice(6).map(({ level, message }) => [level, message])).toEqual([
      ["info", expect.stringMatching(/^can read api\/v1\/mainnet\/index\.json again: \d+ failures in \d+ s$/)],
    ]);
  });

  it("from the beginning on is told as what it is: there is nothing to keep", async () => {
    const bench = openBench([]);
    bench.beforeRead = () => Promise.reject(new Error("the store is down"));
    await expect(bench.snapshots.get("mainnet")).rejects.toThrow();
    expect(bench.log[0]?.message).toBe("cannot read api/v1/mainnet/index.json, with nothing held to answer from");
  });
});

/** The messages of an error and of what caused it. */
function describeCauses(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${describeCauses(error.cause)}` : "";
}
