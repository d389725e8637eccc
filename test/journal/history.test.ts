import { expect, test } from "vitest";
import { listCheckpoints, loadCheckpoint, saveCheckpoint } from "../../generator/journal/checkpoints.ts";
import { readEntry, writeEntry } from "../../generator/journal/entries.ts";
import { toEntryKey } from "../../generator/journal/names.ts";
import type { HistoryEntry } from "../../generator/entries/entry.ts";
import { decompress } from "../../generator/store/zstd.ts";
import { snapshot, tell, withA } from "../ledger/story.ts";
import { history, percents } from "../ledger/told-history.ts";
import { makePlace } from "./samples.ts";

test("a history is kept as it was told, what is not known and what is more than all included", async () => {
  const place = makePlace();
  const told = history(5, {
    A: [
      { at: -2, percent: 254, mev: 65_534 },
      { at: -1, stake: 16_395_628_327_252_359n, rank: 4_294_967_294 },
    ],
    B: [],
  });
  const name = await writeEntry(place, told);
  expect(name).toMatch(/^2026-11-20\/100500000-history-[0-9a-f]{16}$/);
  expect(await readEntry(place, name)).toEqual({ name, entry: told });
  const kept = await place.store.get(toEntryKey(place, name));
  const json = (await decompress(kept?.body ?? new Uint8Array(), { bytesMax: 100_000 })).toString();
  expect(json).toContain('"activeStake":"16395628327252359"');
  expect(json).toContain('"percent":254,"mevBasisPoints":65534,"activeStake":null');
});

test.each<[string, (told: HistoryEntry) => void]>([
  ["more epochs than a history has", (told) => (told.epochs = Array.from({ length: 513 }, (_, at) => [at, at]))],
  ["no epoch", (told) => (told.epochs = [])],
  ["a percent that stands for none", (told) => (told.validators[0]!.points[0]!.percent = 256)],
  ["a negative stake", (told) => (told.validators[0]!.points[0]!.activeStake = -1n)],
])("a history with %s is not written", async (_, spoil) => {
  const told = history(5, { A: percents(5) });
  spoil(told);
  await expect(writeEntry(makePlace(), told)).rejects.toThrow();
});

test("a ledger with a history is the same after it was kept as a checkpoint", async () => {
  const place = makePlace();
  const { ledger } = tell(
    snapshot(1, withA({})),
    history(5, { A: [...percents(0, 100), { at: -5, stake: 5n, rank: 1 }] }),
  );
  expect(ledger.events).not.toEqual([]);
  await saveCheckpoint(place, { ledger, foldVersion: 2, digest: "0".repeat(32) });
  const [head] = await listCheckpoints(place, { foldVersion: 2, fromDay: null });
  expect(await loadCheckpoint(place, { head: head!, foldVersion: 2 })).toEqual({ ledger, leftOut: [] });
});
