import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Network } from "../../generator/contract/networks.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import type { Journal } from "../../generator/journal/journal.ts";
import { run } from "../../generator/service/run.ts";
import type { Cadence } from "../../generator/service/schedule.ts";
import { readSettings } from "../../generator/settings/settings.ts";
import { writeGeoDatabases } from "../../test/cluster/chain/geo-databases.ts";
import { startSimulator } from "../../test/cluster/simulator.ts";
import { createSteppedClock } from "../../test/cluster/stepped-clock.ts";
import { RECORDED_FROM, toRecording } from "./recording.ts";
import { createDemoCluster, RECORDED_MILLISECONDS } from "./script.ts";

/** Sparser than in real life: whoever starts the demo waits for every observation. */
const CADENCE: Cadence = { checkMilliseconds: 30 * 60_000, snapshotMilliseconds: 60 * 60_000 };
/** The last check falls on the end. */
const AFTER_MILLISECONDS = 1000;

/** What `generate run` journals of the demo's script, always the same bytes. */
export async function record(network: Network): Promise<Uint8Array> {
  const clock = createSteppedClock(RECORDED_FROM);
  const cluster = createDemoCluster(network, RECORDED_FROM);
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-record-"));
  const simulator = await startSimulator({ clusters: [cluster], now: clock.now });
  try {
    const geo = await writeGeoDatabases(directory);
    const rpcUrls = simulator.rpcUrls(network);
    const settings = readSettings({});
    const journals = new Set<Journal>();
    await run({
      settings: {
        ...settings,
        publicStore: "memory:",
        stateStore: "memory:",
        rpcUrls: { ...settings.rpcUrls, [network]: rpcUrls },
        mevUrls: { ...settings.mevUrls, [network]: simulator.mevUrl(network) },
        geo: { cityFile: geo.city, asnFile: geo.asn },
      },
      clock,
      network,
      newSeries: false,
      signal: new AbortController().signal,
      cadence: CADENCE,
      forMilliseconds: RECORDED_MILLISECONDS + AFTER_MILLISECONDS,
      publishes: false,
      onReport: (_, { journal }) => void journals.add(journal),
      onError(error) {
        throw error;
      },
    });
    const entries = await Promise.all(Array.from(journals, readAll));
    return await toRecording(entries.flat(), rpcUrls);
  } finally {
    await simulator.close();
    await rm(directory, { recursive: true });
  }
}

async function readAll(journal: Journal): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const read of journal.read((await journal.list(null)).names)) {
    if (!("entry" in read)) throw new Error(`${read.name}: ${read.unreadable}`);
    entries.push(read.entry);
  }
  return entries;
}
