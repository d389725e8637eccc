import { expect, test } from "vitest";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import { listCheckpoints, loadCheckpoint, saveCheckpoint } from "../../generator/journal/checkpoints.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { makeLedger, makePlace, VOTE } from "./samples.ts";

const DIGEST = "0123456789abcdef0123456789abcdef";
const position = (time: string) => ({ name: `${time.slice(0, 10)}/000000000-check-0000000000000000`, time });

test("a ledger comes back as it was: maps, columns, amounts above 2^53", async () => {
  const place = makePlace();
  const ledger = makeLedger(position("2026-11-20T15:30:00.000Z"));
  ledger.ordinals.set(VOTE, 0);
  ledger.listedStake = 2n ** 63n;
  ledger.stakes.set(1_000, BigUint64Array.of(2n ** 64n - 1n, 7n));
  ledger.ranks.set(1_000, Uint16Array.of(1, 2, 65_535));
  const key = await saveCheckpoint(place, { ledger, foldVersion: 2, digest: DIGEST });
  expect(key).toBe(`checkpoints/mainnet/0001/f2/20261120T153000000Z-${DIGEST}.ckpt.zst`);
  const [head] = await listCheckpoints(place, { foldVersion: 2, fromDay: null });
  const loaded = await loadCheckpoint<Ledger>(place, { head: head!, foldVersion: 2 });
  expect(loaded).toEqual({ ledger, leftOut: [] });
  // A column must own its memory: a view of one large buffer would keep all columns alive.
  expect("ledger" in loaded && loaded.ledger.ranks.get(1_000)?.buffer.byteLength).toBe(6);
});

test("checkpoints are listed newest first, from a day on, and strange keys are passed over", async () => {
  const place = makePlace();
  const times = ["2026-11-17T23:59:59.999Z", "2026-11-18T00:00:00.000Z", "2026-11-20T15:30:00.000Z"];
  for (const time of times)
    await saveCheckpoint(place, { ledger: makeLedger(position(time)), foldVersion: 2, digest: DIGEST });
  const prefix = "checkpoints/mainnet/0001/f2/";
  await place.store.put(`${prefix}notes.txt`, new Uint8Array(), { expect: "any", contentType: "text/plain" });
  const momentsFrom = async (fromDay: string | null) =>
    (await listCheckpoints(place, { foldVersion: 2, fromDay })).map(({ moment }) => moment);
  expect(await momentsFrom(null)).toEqual(["2026-11-20/153000000", "2026-11-18/000000000", "2026-11-17/235959999"]);
  expect(await momentsFrom("2026-11-18")).toEqual(["2026-11-20/153000000", "2026-11-18/000000000"]);
});

test("a ledger that has folded nothing is refused", async () => {
  const checkpoint = { ledger: createLedger("mainnet"), foldVersion: 2, digest: DIGEST };
  await expect(saveCheckpoint(makePlace(), checkpoint)).rejects.toThrow("folded nothing");
});

test("a checkpoint is not read as one of another network or fold version", async () => {
  const place = makePlace();
  const ledger = makeLedger(position("2026-11-20T15:30:00.000Z"));
  await saveCheckpoint(place, { ledger, foldVersion: 2, digest: DIGEST });
  const [head] = await listCheckpoints(place, { foldVersion: 2, fromDay: null });
  const unreadable = { unreadable: "its content does not fit its key" };
  expect(await loadCheckpoint<Ledger>(place, { head: head!, foldVersion: 3 })).toEqual(unreadable);
  expect(await loadCheckpoint<Ledger>({ ...place, network: "testnet" }, { head: head!, foldVersion: 2 })).toEqual(
    unreadable,
  );
});
