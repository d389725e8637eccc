import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openJournal } from "../../generator/journal/journal.ts";
import { dayOf, toEntryKey, type JournalPlace } from "../../generator/journal/names.ts";
import { startSeries } from "../../generator/journal/series.ts";
import { openFileStore } from "../../generator/store/files.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { packOf } from "../journal/packed.ts";
import { check, crowd, snapshot, timeAt } from "../ledger/story.ts";
import { createProcesses } from "./killed-runs/processes.ts";
import { createRandom } from "./random.ts";
import { readTimeless } from "../service/documents.ts";

/* Real processes of `generate rebuild`, killed at random moments, over a day and a half of a journal. */

const ENTRIES = 2_000;
const LOOSE = 100;
const VALIDATORS = 20;
const KILLS = 6;
const GENESIS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

const processes = createProcesses();
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "rugwatch-killed-"));
  const store = openFileStore(join(directory, "state"));
  await startSeries(store, { network: "mainnet", genesis: GENESIS, since: timeAt(0) });
  await fillJournal(store);
});

afterEach(async () => {
  await processes.endAll();
  await rm(directory, { recursive: true });
});

/** Whole days as packs, the last hours loose: writing two thousand files takes longer than folding. */
async function fillJournal(store: ObjectStore): Promise<void> {
  const place: JournalPlace = { store: openMemoryStore(), network: "mainnet", series: 1 };
  const names = [];
  for (let minute = 0; minute < ENTRIES; minute += 1) names.push(await openJournal(place).append(entryAt(minute)));
  const [loose, packed] = [names.slice(-LOOSE), names.slice(0, -LOOSE)];
  const keys = loose.map((name) => toEntryKey(place, name));
  for (const ofDay of Map.groupBy(packed, dayOf).values()) keys.push(await packOf(place, ofDay));
  for (const key of keys) {
    const { body } = (await place.store.get(key))!;
    await store.put(key, body, { expect: "absent", contentType: "application/zstd" });
  }
}

/** One validator's commission rises every hour. */
function entryAt(minute: number) {
  const rugger = { name: "rugger", bps: 500 + Math.floor(minute / 60) * 100 };
  return (minute % 10 === 0 ? snapshot : check)(minute, [rugger, ...crowd(VALIDATORS)]);
}

const startRebuild = (site: string) =>
  processes.startGenerator(["rebuild"], {
    RUGWATCH_PUBLIC: `file:${join(directory, site)}`,
    RUGWATCH_STATE: `file:${join(directory, "state")}`,
  });

const read = (site: string) => readTimeless({ publicStore: openFileStore(join(directory, site)), network: "mainnet" });

/** In milliseconds. */
async function rebuild(site: string): Promise<number> {
  const beganAt = performance.now();
  const rebuilding = startRebuild(site);
  expect(await rebuilding.ended, rebuilding.output()).toBe(0);
  return performance.now() - beganAt;
}

it("a rebuild that was killed again and again at random moments ends with the bytes of one that was not", async () => {
  const milliseconds = await rebuild("undisturbed");
  for (const made of ["manifest", "checkpoints"]) await rm(join(directory, "state", made), { recursive: true });
  const random = createRandom(4);
  const statuses: (number | null)[] = [];
  for (let turn = 0; turn < KILLS; turn += 1) {
    const rebuilding = startRebuild("killed");
    const timer = setTimeout(() => rebuilding.kill(), random.below(milliseconds));
    statuses.push(await rebuilding.ended);
    clearTimeout(timer);
    // As two minutes later: a process killed while publishing keeps its lease so long.
    await rm(join(directory, "state", "lease"), { recursive: true, force: true });
  }
  expect(statuses).toContain(null);
  await rebuild("killed");
  const sites = [await read("killed"), await read("undisturbed")] as const;
  expect(sites[0].size).toBeGreaterThan(VALIDATORS);
  expect(sites[0]).toEqual(sites[1]);
});
