import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { publish } from "../../generator/service/publishing.ts";
import { createReport } from "../../generator/service/report.ts";
import { createUpkeep } from "../../generator/service/upkeep.ts";
import { snapshot } from "../../generator/service/observing.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, toNames, type JournalPlace } from "../../generator/journal/names.ts";
import { toDirectory, type Settings } from "../../generator/settings/settings.ts";
import { checkAt, damage, fill, FIRST_PACK } from "../journal/packed.ts";
import { makePlace } from "../journal/samples.ts";
import { MINUTE, STARTS_AT, openOwnStage } from "./harness.ts";
import { makeStation, makeStores } from "./offline.ts";
import { openFilledJournal } from "./filled-journal.ts";

const NOW = Date.parse("2026-11-21T00:00:00.000Z");
const HOUR = 60 * MINUTE;

/** The first 2,000 entries of a journal, and some more. */
const filled = makePlace();
await fill(filled, 2_003);

async function prepare(count: number) {
  const stores = makeStores();
  const place: JournalPlace = { store: stores.stateStore, network: "mainnet", series: 1 };
  for (const name of toNames(1, count)) {
    const { body } = (await filled.store.get(toEntryKey(place, name)))!;
    await place.store.put(toEntryKey(place, name), body, {
      expect: "absent",
      contentType: "application/zstd",
    });
  }
  let now = NOW;
  const context = makeStation({ ...stores, now, holder: "one" });
  const keepUp = createUpkeep({ ...context, clock: { ...context.clock, now: () => now } });
  async function at(time: number): Promise<string[]> {
    now = time;
    const report = createReport("run", "mainnet");
    await keepUp(report);
    return report.upkeep;
  }
  return { place, at };
}

const PACKED = expect.stringMatching(/^1000 entries from 1 to 1000 packed to \d+ bytes$/) as string;

test("a full thousand is packed and later kept in its pack alone, and the report says so", async () => {
  const { at } = await prepare(2_000);
  expect(await at(NOW)).toEqual([PACKED]);
  expect(await at(NOW)).toEqual([
    expect.stringMatching(/^1000 entries from 1001 to 2000 packed/) as string,
  ]);
  expect(await at(NOW)).toEqual(["loose copies of 1000 packed entries from 1 to 1000 deleted"]);
});

test("where nothing was due it does not look again for an hour", async () => {
  const { at, place } = await prepare(10);
  const list = vi.spyOn(place.store, "list");
  const looks: number[] = [];
  for (const time of [NOW, NOW + HOUR - 1, NOW + HOUR]) {
    expect(await at(time)).toEqual([]);
    looks.push(list.mock.calls.length);
  }
  // The packs and the journal each.
  expect(looks).toEqual([2, 2, 4]);
});

test("what prevents it is reported, and fails nothing", async () => {
  const { at, place } = await prepare(1_000);
  const put = place.store.put.bind(place.store);
  place.store.put = () => Promise.reject(new Error("the disk is full"));
  expect(await at(NOW)).toEqual(["upkeep failed and is tried again: the disk is full"]);
  place.store.put = put;
  await damage(place, toEntryKey(place, "0000000004"), () => new Uint8Array());
  expect(await at(NOW + 1)).toEqual([
    expect.stringMatching(/^999 entries from 1 to 1000 packed/) as string,
    expect.stringContaining("not packed: 0000000004: ") as string,
  ]);
});

test("a damaged pack is reported with what was done about it", async () => {
  const { at, place } = await prepare(2_000);
  for (let pack = 0; pack < 2; pack += 1) await at(NOW);
  await damage(place, FIRST_PACK, () => new Uint8Array());
  expect(await at(NOW)).toEqual([
    expect.stringMatching(
      `^${FIRST_PACK} is damaged, and its entries are packed again: .`,
    ) as string,
    PACKED,
  ]);
});

/** Of the last thousand minutes before a day. */
const before = makePlace();
for (let minute = -1_000; minute < 0; minute += 1)
  await openJournal(before).append(checkAt(minute));

/** By bare files, because the store would make each outlast a power failure. */
async function fillState({ stateStore }: Pick<Settings, "stateStore">): Promise<void> {
  for (const name of toNames(1, 1_000)) {
    const key = toEntryKey(before, name);
    const file = join(toDirectory(stateStore)!, key);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, (await before.store.get(key))!.body);
  }
}

test("generate run and generate snapshot do it with a snapshot", async () => {
  const stage = await openOwnStage({ validators: 12 });
  await fillState(stage.command.settings);
  const reports = await stage.play({ until: STARTS_AT + 2 * MINUTE });
  expect(reports.map(({ command, upkeep }) => [command, upkeep.length])).toEqual([
    // With the wallet index.
    ["snapshot", 2],
    ["check", 0],
  ]);
  await stage.stateStore.delete(FIRST_PACK);
  expect((await snapshot(stage.command)).upkeep).toEqual([PACKED]);
});

test("generate publish does it after it has published", async () => {
  const { command, journal, publicStore, close } = await openFilledJournal();
  onTestFinished(close);
  await fillState(command.settings);
  const report = await publish({ ...command, clock: { ...command.clock, now: () => NOW } });
  expect(report).toMatchObject({ observations: 1_000, upkeep: [PACKED] });
  expect(await Array.fromAsync(publicStore.list("api/"))).not.toEqual([]);
  expect((await journal.list(null)).names).toHaveLength(1_000);
});
