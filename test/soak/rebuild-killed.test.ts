import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openJournal } from "../../generator/journal/journal.ts";
import type { JournalPlace } from "../../generator/journal/names.ts";
import { startSeries } from "../../generator/journal/series.ts";
import { openFileStore } from "../../generator/store/files.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { timeAt } from "../story/clock.ts";
import { check, snapshot } from "../story/observations.ts";
import { crowd } from "../story/validators.ts";
import { createRandom } from "./random.ts";
import { readTimeless } from "../service/documents.ts";

const ENTRIES = 2_000;
const VALIDATORS = 20;
const KILLS = 6;
const GENESIS = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

const PROJECT = new URL("../..", import.meta.url);

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "rugwatch-killed-"));
  const store = openFileStore(join(directory, "state"));
  await startSeries(store, { network: "mainnet", genesis: GENESIS, since: timeAt(0) });
  await fillJournal(store);
});

afterEach(() => rm(directory, { recursive: true }));

/** The first thousand as a pack alone, the rest loose. */
async function fillJournal(store: ObjectStore): Promise<void> {
  const place: JournalPlace = { store: openMemoryStore(), network: "mainnet", series: 1 };
  const journal = openJournal(place);
  for (let minute = 0; minute < ENTRIES; minute += 1) await journal.append(entryAt(minute));
  for (let call = 0; call < 3; call += 1) await journal.pack();
  for await (const { key } of place.store.list("")) {
    const { body } = (await place.store.get(key))!;
    await store.put(key, body, { expect: "absent", contentType: "application/zstd" });
  }
}

function entryAt(minute: number) {
  const rugger = { name: "rugger", bps: 500 + Math.floor(minute / 60) * 100 };
  return (minute % 10 === 0 ? snapshot : check)(minute, [rugger, ...crowd(VALIDATORS)]);
}

/**
 * `generate rebuild`, killed after so many milliseconds;
 * 0: never. Returns its exit status; null: it was killed.
 */
function rebuild(site: string, killedAfter = 0): Promise<number | null> {
  const stores = {
    RUGWATCH_PUBLIC: `file:${join(directory, site)}`,
    RUGWATCH_STATE: `file:${join(directory, "state")}`,
  };
  const options = { cwd: PROJECT, env: { ...process.env, ...stores }, timeout: killedAfter };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["generator/main.ts", "rebuild"],
      { ...options, killSignal: "SIGKILL" },
      () => resolve(child.exitCode),
    );
  });
}

const read = (site: string) =>
  readTimeless({ publicStore: openFileStore(join(directory, site)), network: "mainnet" });

it("a rebuild that was killed again and again at random moments ends with the bytes of one that was not", async () => {
  const beganAt = performance.now();
  expect(await rebuild("undisturbed")).toBe(0);
  const milliseconds = performance.now() - beganAt;
  for (const made of ["manifest", "checkpoints"])
    await rm(join(directory, "state", made), { recursive: true });
  const random = createRandom(4);
  const statuses: (number | null)[] = [];
  for (let turn = 0; turn < KILLS; turn += 1) {
    statuses.push(await rebuild("killed", 1 + random.below(milliseconds)));
    // As two minutes later: a process killed while publishing keeps its lease so long.
    await rm(join(directory, "state", "lease"), { recursive: true, force: true });
  }
  expect(statuses).toContain(null);
  expect(await rebuild("killed")).toBe(0);
  const sites = [await read("killed"), await read("undisturbed")] as const;
  expect(sites[0].size).toBeGreaterThan(VALIDATORS);
  expect(sites[0]).toEqual(sites[1]);
});
