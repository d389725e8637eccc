import { join } from "node:path";
import { openJournal } from "../../generator/journal/journal.ts";
import type { Packing } from "../../generator/journal/packing.ts";
import { PACK_ENTRIES } from "../../generator/journal/packs.ts";
import { openFileStore } from "../../generator/store/files.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { runAsGenerator } from "./cold-process.ts";
import { sum, withDirectory } from "./measuring.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";
import { playDay, type DayOptions, type SimulatedDay } from "./simulated-day.ts";

const { network } = PLANNED_CLUSTER;

export interface PackedDay {
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

export function playPackedDay(
  options: DayOptions = {},
): Promise<{ day: SimulatedDay; packed: PackedDay }> {
  return withDirectory(async (directory) => {
    const day = await playDay(join(directory, "day"), options);
    return { day, packed: await packDay(day.stateStore, join(directory, "state")) };
  });
}

/** Packs two packs of the day's entries, repeated where there are fewer. */
async function packDay(stateStore: ObjectStore, directory: string): Promise<PackedDay> {
  const entries = await fillTwoPacks(stateStore, directory);
  const sizes = await Array.fromAsync(
    openFileStore(directory).list("journal/"),
    ({ size }) => size,
  );
  const packing = await packIn(directory);
  await packIn(directory);
  const deleting = await packIn(directory);
  const idle = await packIn(directory);
  if (
    packing.packed?.entries !== PACK_ENTRIES ||
    deleting.deleted?.entries !== PACK_ENTRIES ||
    idle.packed !== null
  )
    throw new Error(`the journal was not packed: ${JSON.stringify([packing, deleting, idle])}`);
  return {
    entries,
    looseBytes: (sum(sizes) * entries) / sizes.length,
    packBytes: (packing.packed.bytes * entries) / PACK_ENTRIES,
    packing,
    deleting,
    idleMegabytes: idle.peakMegabytes,
  };
}

/** Returns how many entries the day has; those that are packed are no longer loose. */
async function fillTwoPacks(stateStore: ObjectStore, directory: string): Promise<number> {
  const from = openJournal({ store: stateStore, network, series: 1 });
  const to = openJournal({ store: openFileStore(directory), network, series: 1 });
  const { names } = await from.list(null);
  for (let count = 0; ;) {
    for await (const read of from.read(names)) {
      if ("unreadable" in read) throw new Error(`${read.name}: ${read.unreadable}`);
      await to.append(read.entry);
      count += 1;
      if (count === 2 * PACK_ENTRIES) return names.length;
    }
  }
}

async function packIn(directory: string): Promise<Packing & Step> {
  const { output, peakMegabytes } = await runAsGenerator("test/bench/packed-day.ts", {
    args: [directory],
  });
  return { ...(JSON.parse(output) as Packing & { seconds: number }), peakMegabytes };
}

// `node test/bench/packed-day.ts DIRECTORY` packs once, and prints the result.
if (import.meta.main) {
  const [directory = ""] = process.argv.slice(2);
  const journal = openJournal({ store: openFileStore(directory), network, series: 1 });
  const beganAt = performance.now();
  const packed = await journal.pack();
  process.stdout.write(
    JSON.stringify({ ...packed, seconds: (performance.now() - beganAt) / 1000 }),
  );
}
