import { expect, onTestFinished, test, vi } from "vitest";
import { publish } from "../../generator/service/publishing.ts";
import { createReport } from "../../generator/service/report.ts";
import { createUpkeep } from "../../generator/service/upkeep.ts";
import { snapshot } from "../../generator/service/observing.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { checkAt, damage, DAY_END, fillDay, HOUR } from "../journal/packed.ts";
import { MINUTE, STARTS_AT, openOwnStage } from "./harness.ts";
import { makeStation, makeStores } from "./offline.ts";
import { openFilledJournal } from "./filled-journal.ts";

const SETTLED = DAY_END + 3 * HOUR;

async function prepare() {
  const stores = makeStores();
  const place: JournalPlace = { store: stores.stateStore, network: "mainnet", series: 1 };
  const names = await fillDay(place, 10);
  let now = SETTLED;
  const context = makeStation({ ...stores, now, holder: "one" });
  const keepUp = createUpkeep({ ...context, clock: { ...context.clock, now: () => now } });
  async function at(time: number): Promise<string[]> {
    now = time;
    const report = createReport("run", "mainnet");
    await keepUp(report);
    return report.upkeep;
  }
  return { place, names, at };
}

test("a closed day is packed and later kept in its pack alone, and the report says so", async () => {
  const { at } = await prepare();
  expect(await at(SETTLED)).toEqual([
    expect.stringMatching(/^10 entries of 2026-11-20 packed to \d+ bytes$/) as string,
  ]);
  expect(await at(SETTLED + 48 * HOUR)).toEqual(["loose copies of 10 packed entries of 2026-11-20 deleted"]);
});

test("where nothing was due it does not look again for an hour", async () => {
  const { at, place } = await prepare();
  const list = vi.spyOn(place.store, "list");
  const looks: number[] = [];
  for (const time of [SETTLED - HOUR, SETTLED - 1, SETTLED]) {
    await at(time);
    looks.push(list.mock.calls.length);
  }
  expect(looks).toEqual([1, 1, 2]);
});

test("what prevents it is reported, and fails nothing", async () => {
  const { at, place, names } = await prepare();
  await damage(place, toEntryKey(place, names[3]!), () => new Uint8Array());
  expect(await at(SETTLED)).toEqual([
    expect.stringMatching(/^9 entries/) as string,
    expect.stringContaining(`not packed: ${names[3]!}: `) as string,
  ]);
  const put = place.store.put.bind(place.store);
  await openJournal(place).append(checkAt(5, 5));
  place.store.put = () => Promise.reject(new Error("the disk is full"));
  expect(await at(SETTLED + HOUR)).toEqual(["upkeep failed and is tried again: the disk is full"]);
  place.store.put = put;
  expect((await at(SETTLED + HOUR + 1))[0]).toContain("1 entries of 2026-11-20 packed");
});

test("a damaged pack is reported with what was done about it", async () => {
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
  const stage = await openOwnStage({ validators: 40 });
  const place: JournalPlace = { store: stage.stateStore, network: "mainnet", series: 1 };
  const appendAt = (day: number) => openJournal(place).append(checkAt(day * 1440, 1_000));
  await appendAt(-2);
  const reports = await stage.play({ until: STARTS_AT + 2 * MINUTE });
  expect(reports.map(({ command, upkeep }) => [command, upkeep.length])).toEqual([
    // With the wallet index.
    ["snapshot", 2],
    ["check", 0],
  ]);
  await appendAt(-3);
  expect((await snapshot(stage.command)).upkeep).toEqual([expect.stringMatching(/^1 entries of 2026-11-17/) as string]);
});

test("generate publish does it after it has published", async () => {
  const { command, journal, publicStore, close } = await openFilledJournal();
  onTestFinished(close);
  for (let minute = 0; minute < 10; minute += 1) await journal.append(checkAt(minute));
  const report = await publish({ ...command, clock: { ...command.clock, now: () => SETTLED } });
  expect(report).toMatchObject({ observations: 10, upkeep: [expect.stringMatching(/^10 entries/)] });
  expect(await Array.fromAsync(publicStore.list("api/"))).not.toEqual([]);
  expect((await journal.names()).names).toHaveLength(10);
});
