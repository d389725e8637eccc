import { join } from "node:path";
import { openJournal } from "../../generator/journal/journal.ts";
import { listDays } from "../../generator/journal/listing.ts";
import type { Compaction } from "../../generator/journal/compaction.ts";
import { openFileStore } from "../../generator/store/files.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { runAsGenerator } from "./cold-process.ts";
import { sum, withDirectory } from "./measuring.ts";
import { DAY_MILLISECONDS, PLANNED_CLUSTER } from "./planning-size.ts";
import { playDay, type DayOptions, type SimulatedDay } from "./simulated-day.ts";

const HOUR_MILLISECONDS = 3_600_000;

export interface CompactedDay {
  entries: number;
  looseBytes: number;
  packBytes: number;
  packing: Step;
  /** Reads the pack back, deletes the loose entries. */
  deleting: Step;
  /** The same process with nothing to do. */
  idleMegabytes: number;
}

interface Step {
  seconds: number;
  peakMegabytes: number;
}

export function playCompactedDay(options: DayOptions = {}): Promise<{ day: SimulatedDay; compacted: CompactedDay }> {
  return withDirectory(async (directory) => {
    const day = await playDay(join(directory, "day"), options);
    return { day, compacted: await compactDay(day.stateStore, join(directory, "state")) };
  });
}

/** Compacts a copy of the fullest day. */
async function compactDay(stateStore: ObjectStore, directory: string): Promise<CompactedDay> {
  const copy = openFileStore(directory);
  const sizes: number[] = [];
  const day = await findFullestDay(stateStore);
  for await (const { key, size } of stateStore.list(`journal/${PLANNED_CLUSTER.network}/0001/${day}/`)) {
    sizes.push(size);
    const body = (await stateStore.get(key))?.body ?? new Uint8Array();
    await copy.put(key, body, { expect: "any", contentType: "application/zstd" });
  }
  const dueAt = Date.parse(day) + DAY_MILLISECONDS + 3 * HOUR_MILLISECONDS;
  const idle = await compactAt(directory, dueAt - 1);
  const packing = await compactAt(directory, dueAt);
  const deleting = await compactAt(directory, dueAt + 2 * DAY_MILLISECONDS);
  const entries = sizes.length;
  if (packing.packed?.entries !== entries || deleting.deleted?.entries !== entries)
    throw new Error(`the day was not compacted: ${JSON.stringify([packing, deleting])}`);
  return {
    entries,
    looseBytes: sum(sizes),
    packBytes: packing.packed.bytes,
    packing,
    deleting,
    idleMegabytes: idle.peakMegabytes,
  };
}

async function findFullestDay(store: ObjectStore): Promise<string> {
  const place = { store, network: PLANNED_CLUSTER.network, series: 1 };
  const days = await Array.fromAsync(listDays(place, { fromDay: null }));
  const [fullest] = days.sort((one, other) => other.loose.length - one.loose.length);
  if (fullest === undefined) throw new Error("the journal is empty");
  return fullest.day;
}

async function compactAt(directory: string, time: number): Promise<Compaction & Step> {
  const { output, peakMegabytes } = await runAsGenerator("test/bench/compacted-day.ts", {
    args: [directory, String(time)],
  });
  return { ...(JSON.parse(output) as Compaction & { seconds: number }), peakMegabytes };
}

// `node test/bench/compacted-day.ts DIRECTORY TIME` does the compaction due at TIME, in milliseconds since 1970, and
// prints its result.
if (import.meta.main) {
  const [directory = "", time = ""] = process.argv.slice(2);
  const journal = openJournal({ store: openFileStore(directory), network: PLANNED_CLUSTER.network, series: 1 });
  const beganAt = performance.now();
  const compacted = await journal.compact({ now: Number(time) });
  process.stdout.write(JSON.stringify({ ...compacted, seconds: (performance.now() - beganAt) / 1000 }));
}
