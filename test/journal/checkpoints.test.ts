import { describe, expect, test } from "vitest";
import { findSpare, listCheckpoints, loadCheckpoint, saveCheckpoint } from "../../generator/journal/checkpoints.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { makeLedger, makePlace, VOTE } from "./samples.ts";

const DIGEST = "0123456789abcdef0123456789abcdef";
const PREFIX = "checkpoints/mainnet/0001/f2/";
const position = (time: string) => ({ name: `${time.slice(0, 10)}/000000000-check-0000000000000000`, time });
const keepable = (time: string) => ({ ledger: makeLedger(position(time)), foldVersion: 2, digest: DIGEST });

describe("a ledger that is kept", () => {
  test("comes back as it was: maps, columns, amounts above 2^53", async () => {
    const place = makePlace();
    const kept = keepable("2026-11-20T15:30:00.000Z");
    const { ledger } = kept;
    ledger.validatorIndexes.set(VOTE, 0);
    ledger.listedStake = 2n ** 63n;
    ledger.stakes.set(1_000, BigUint64Array.of(2n ** 64n - 1n, 7n));
    ledger.ranks.set(1_000, Uint16Array.of(1, 2, 65_535));
    expect(await saveCheckpoint(place, kept)).toBe(`${PREFIX}20261120T153000000Z-${DIGEST}.ckpt.zst`);
    const [head] = await listCheckpoints(place, { foldVersion: 2, fromDay: null });
    const loaded = await loadCheckpoint(place, { head: head!, foldVersion: 2 });
    expect(loaded).toEqual({ ledger, leftOut: [] });
  });

  test("is not read as one of another network or fold version, and must have folded something", async () => {
    const place = makePlace();
    await saveCheckpoint(place, keepable("2026-11-20T15:30:00.000Z"));
    const [head] = await listCheckpoints(place, { foldVersion: 2, fromDay: null });
    const unreadable = { unreadable: "its content does not match its key" };
    expect(await loadCheckpoint(place, { head: head!, foldVersion: 3 })).toEqual(unreadable);
    const testnet = { ...place, network: "testnet" } as const;
    expect(await loadCheckpoint(testnet, { head: head!, foldVersion: 2 })).toEqual(unreadable);
    const nothing = { ledger: createLedger("mainnet"), foldVersion: 2, digest: DIGEST };
    await expect(saveCheckpoint(place, nothing)).rejects.toThrow("folded nothing");
  });

  test("is listed newest first, from a day on, and deletes what is spare; strange keys are passed over and stay", async () => {
    const place = makePlace();
    await place.store.put(`${PREFIX}notes.txt`, new Uint8Array(), { expect: "any", contentType: "text/plain" });
    const times = ["17T01:00", "17T23:59", "18T00:00", "20T15:30"].map((time) => `2026-11-${time}:00.000Z`);
    for (const time of times) await saveCheckpoint(place, keepable(time));
    const momentsFrom = async (fromDay: string | null) =>
      (await listCheckpoints(place, { foldVersion: 2, fromDay })).map(({ moment }) => moment);
    expect(await momentsFrom(null)).toEqual(["2026-11-20/153000000", "2026-11-18/000000000", "2026-11-17/010000000"]);
    expect(await momentsFrom("2026-11-18")).toEqual(["2026-11-20/153000000", "2026-11-18/000000000"]);
    expect(await place.store.head(`${PREFIX}notes.txt`)).not.toBeNull();
  });
});

const hourly = (days: number) =>
  Array.from({ length: days * 24 }, (_, ago) => {
    const time = new Date(Date.parse("2026-11-20T15:00:00.000Z") - ago * 3_600_000).toISOString();
    return { key: time, moment: `${time.slice(0, 10)}/${time.slice(11).replaceAll(/\D/g, "")}`, digest: "" };
  });

function stay(days: number): string[] {
  const heads = hourly(days);
  const spare = new Set(findSpare(heads));
  return heads.filter((head) => !spare.has(head)).map(({ moment }) => moment);
}

test("of a checkpoint each hour all of three days stay, then the first of each day, and after 31 days the first of each month", () => {
  expect(findSpare(hourly(2))).toEqual([]);
  const moments = hourly(3).map(({ moment }) => moment);
  expect(stay(10).slice(0, 67)).toEqual([
    ...moments.slice(0, 64),
    ...["2026-11-17/000000000", "2026-11-16/000000000", "2026-11-15/000000000"],
  ]);
  expect(stay(120).filter((moment) => moment < "2026-10-22")).toEqual([
    "2026-10-21/000000000",
    "2026-10-01/000000000",
    "2026-09-01/000000000",
    "2026-08-01/000000000",
    "2026-07-23/160000000",
  ]);
  expect(stay(365).length).toBeLessThan(110);
});
