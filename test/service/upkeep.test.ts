import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSystemClock } from "../../generator/service/context.ts";
import { publish as publishCommand } from "../../generator/service/publishing.ts";
import { createReport } from "../../generator/service/report.ts";
import { createUpkeep } from "../../generator/service/upkeep.ts";
import { snapshot } from "../../generator/service/observing.ts";
import { readSettings } from "../../generator/settings/settings.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { startSeries } from "../../generator/journal/series.ts";
import { openFileStore } from "../../generator/store/files.ts";
import { checkAt, damage, DAY_END, fillDay, HOUR } from "../journal/packed.ts";
import { MINUTE, openStage, STARTS_AT } from "./harness.ts";
import { makeStation, makeStores } from "./offline.ts";

const SETTLED = DAY_END + 3 * HOUR;

/** A context whose journal holds a closed day, and a clock that can be set. */
async function prepare() {
  const stores = makeStores();
  const place: JournalPlace = { store: stores.stateStore, network: "mainnet", series: 1 };
  const names = await fillDay(place, 10);
  let now = SETTLED;
  const context = makeStation({ ...stores, now, holder: "one" });
  const keepUp = createUpkeep({ ...context, clock: { ...context.clock, now: () => now } });
  return {
    place,
    names,
    /** What the report says of a call at that time. */
    at: async (time: number): Promise<string[]> => {
      now = time;
      const report = createReport("run", "mainnet");
      await keepUp(report);
      return report.upkeep;
    },
  };
}

test("a closed day is packed and later kept in its pack alone, and the report says so", async () => {
  const { at } = await prepare();
  expect(await at(SETTLED)).toEqual([
    expect.stringMatching(/^10 entries of 2026-11-20 packed to \d+ bytes$/) as string,
  ]);
  expect(await at(SETTLED + 48 * HOUR)).toEqual(["10 packed entries of 2026-11-20 no longer kept apart"]);
});

test("where nothing was due it does not look again for an hour", async () => {
  const { at, place } = await prepare();
  let lists = 0;
  const { store } = place;
  const list = store.list.bind(store);
  store.list = (...asked) => {
    lists += 1;
    return list(...asked);
  };
  await at(SETTLED - HOUR);
  expect(lists).toBe(1);
  expect(await at(SETTLED - 1)).toEqual([]);
  expect(lists).toBe(1);
  expect(await at(SETTLED)).toHaveLength(1);
  expect(lists).toBe(2);
});

test("what stands in its way is told, and fails nothing", async () => {
  const { at, place, names } = await prepare();
  await damage(place, toEntryKey(place, names[3]!), () => new Uint8Array());
  expect(await at(SETTLED)).toEqual([
    expect.stringMatching(/^9 entries/) as string,
    expect.stringContaining(`not packed: ${names[3]!}: `) as string,
  ]);
  const put = place.store.put.bind(place.store);
  await openJournal(place).append(checkAt(5, 5));
  place.store.put = () => Promise.reject(new Error("the disk is full"));
  expect(await at(SETTLED + HOUR)).toEqual(["upkeep failed, and is tried again: the disk is full"]);
  place.store.put = put;
  expect((await at(SETTLED + HOUR + 1))[0]).toContain("1 entries of 2026-11-20 packed");
});

test("a damaged pack is told with what was done about it", async () => {
  const { at, place } = await prepare();
  await at(SETTLED);
  const keys = (await Array.fromAsync(place.store.list("journal/"))).map(({ key }) => key);
  const pack = keys.find((key) => key.includes("/pack-"))!;
  await damage(place, pack, () => new Uint8Array());
  expect(await at(SETTLED + 48 * HOUR)).toEqual([
    expect.stringMatching(/^10 entries of 2026-11-20 packed/) as string,
    expect.stringContaining(pack) as string,
  ]);
});

test("generate run and generate snapshot do it with a snapshot", async () => {
  const stage = await openStage({ validators: 40 });
  try {
    const place: JournalPlace = { store: stage.stateStore, network: "mainnet", series: 1 };
    const appendAt = (day: number) => openJournal(place).append(checkAt(day * 1440, 1_000));
    await appendAt(-2);
    const reports = await stage.play({ until: STARTS_AT + 2 * MINUTE });
    expect(reports.map(({ command, upkeep }) => [command, upkeep.length])).toEqual([
      ["snapshot", 1],
      // The made-up past refuses the first, which is made once more.
      ["snapshot", 0],
      ["check", 0],
    ]);
    await appendAt(-3);
    expect((await snapshot(stage.command)).upkeep).toEqual([
      expect.stringMatching(/^1 entries of 2026-11-17/) as string,
    ]);
  } finally {
    await stage.close();
  }
});

test("generate publish does it after it has published", async () => {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-upkeep-"));
  try {
    const [publicStore, stateStore] = [join(directory, "public"), join(directory, "state")];
    const place: JournalPlace = { store: openFileStore(stateStore), network: "mainnet", series: 1 };
    const genesis = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";
    await startSeries(place.store, { network: "mainnet", genesis, since: "2026-11-20T00:00:00.000Z" });
    await fillDay(place, 10);
    const report = await publishCommand({
      settings: readSettings({ RUGWATCH_PUBLIC: `file:${publicStore}`, RUGWATCH_STATE: `file:${stateStore}` }),
      clock: { ...createSystemClock(), now: () => SETTLED },
      network: "mainnet",
      newSeries: false,
      signal: new AbortController().signal,
    });
    expect(report).toMatchObject({ observations: 10, upkeep: [expect.stringMatching(/^10 entries/)] });
    expect((await openJournal(place).names()).names).toHaveLength(10);
  } finally {
    await rm(directory, { recursive: true });
  }
});
