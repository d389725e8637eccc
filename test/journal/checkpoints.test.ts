import { describe, expect, test } from "vitest";
import {
  findSpare,
  listCheckpoints,
  loadCheckpoint,
  saveCheckpoint,
} from "../../generator/journal/checkpoints.ts";
import { toName } from "../../generator/journal/names.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { makeLedger, makePlace, VOTE } from "./samples.ts";

const DIGEST = "0123456789abcdef0123456789abcdef";
const PREFIX = "checkpoints/mainnet/0001/f2/";
const keepable = (number: number) => ({
  ledger: makeLedger(toName(number)),
  foldVersion: 2,
  digest: DIGEST,
});

describe("a ledger that is kept", () => {
  test("comes back as it was: maps, columns, amounts above 2^53", async () => {
    const place = makePlace();
    const kept = keepable(123);
    const { ledger } = kept;
    ledger.validatorIndexes.set(VOTE, 0);
    ledger.listedStake = 2n ** 63n;
    ledger.stakes.set(1_000, BigUint64Array.of(2n ** 64n - 1n, 7n));
    ledger.ranks.set(1_000, Uint16Array.of(1, 2, 65_535));
    expect(await saveCheckpoint(place, kept)).toBe(`${PREFIX}0000000123-${DIGEST}.ckpt.zst`);
    const [head] = await listCheckpoints(place, { foldVersion: 2 });
    const loaded = await loadCheckpoint(place, { head: head!, foldVersion: 2 });
    expect(loaded).toEqual({ ledger, leftOut: [] });
  });

  test("that lacks an entry does not replace one that has it", async () => {
    const place = makePlace();
    const leftOut = [{ name: "0000000007", unreadable: "the object is missing" }];
    const keys = [
      await saveCheckpoint(place, keepable(123)),
      await saveCheckpoint(place, { ...keepable(123), leftOut }),
    ];
    expect(new Set(keys).size).toBe(2);
  });

  test("is not read as one of another network or fold version, and must have folded something", async () => {
    const place = makePlace();
    await saveCheckpoint(place, keepable(123));
    const [head] = await listCheckpoints(place, { foldVersion: 2 });
    const unreadable = { unreadable: "its content does not match its key" };
    expect(await loadCheckpoint(place, { head: head!, foldVersion: 3 })).toEqual(unreadable);
    const testnet = { ...place, network: "testnet" } as const;
    expect(await loadCheckpoint(testnet, { head: head!, foldVersion: 2 })).toEqual(unreadable);
    const nothing = { ledger: createLedger("mainnet"), foldVersion: 2, digest: DIGEST };
    await expect(saveCheckpoint(place, nothing)).rejects.toThrow("folded nothing");
  });

  test("is listed newest first, and deletes what is spare; strange keys are passed over and stay", async () => {
    const place = makePlace();
    await place.store.put(`${PREFIX}notes.txt`, new Uint8Array(), {
      expect: "any",
      contentType: "text/plain",
    });
    const numbers = async () =>
      (await listCheckpoints(place, { foldVersion: 2 })).map(({ name }) => Number(name));
    for (const number of [100, 150, 155, 160]) await saveCheckpoint(place, keepable(number));
    expect(await numbers()).toEqual([160, 155, 150, 100]);
    await saveCheckpoint(place, keepable(165));
    expect(await numbers()).toEqual([165, 160, 150, 100]);
    expect(await place.store.head(`${PREFIX}notes.txt`)).not.toBeNull();
  });
});

test("of a checkpoint each fifty entries some stay however long it goes on, each at most four times as far back", () => {
  let kept: { name: string }[] = [];
  for (let number = 50; number <= 50 * 10_000; number += 50) {
    const heads = [{ name: toName(number) }, ...kept];
    const spare = new Set(findSpare(heads));
    kept = heads.filter((head) => !spare.has(head));
  }
  expect(kept.length).toBeLessThan(25);
  const backs = kept.map(({ name }) => 50 * 10_000 - Number(name));
  expect(backs[0]).toBe(0);
  for (const [index, back] of backs.entries())
    if (index > 1) expect(back / backs[index - 1]!).toBeLessThanOrEqual(4);
  expect(backs.at(-1)).toBeGreaterThan(50 * 2_500);
});
