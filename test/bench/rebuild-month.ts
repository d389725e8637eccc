import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RebuildReport } from "../../generator/service/rebuild.ts";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { writeGeoDatabases } from "../cluster/chain/geo-databases.ts";
import { PACK_ENTRIES } from "../../generator/journal/packs.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { startSeries } from "../../generator/journal/series.ts";
import { GENESIS_HASHES } from "../../generator/rpc/genesis.ts";
import { openFileStore } from "../../generator/store/files.ts";
import { runCold, runScript } from "./cold-process.ts";
import { sum, withDirectory } from "./measuring.ts";
import { DAY_MILLISECONDS, PLANNED_CLUSTER } from "./planning-size.ts";
import { toTwoDays } from "./two-days.ts";

const { network } = PLANNED_CLUSTER;
const ENTRIES_OF_YEAR = 365 * 1440;
const DAYS_AGO = 3;

/** @param options.days UTC days; the ledger has no longer past */
export function bench({ days }: { days: number }): Promise<string> {
  return withDirectory(async (directory) => {
    const stores = { public: join(directory, "public"), state: join(directory, "state") };
    const bytes = await prepareJournal(directory, { ...stores, days });
    const plain = await runCold("test/bench/read-journal.ts", { args: [stores.state] });
    const env = {
      RUGWATCH_PUBLIC: `file:${stores.public}`,
      RUGWATCH_STATE: `file:${stores.state}`,
    };
    const { output, seconds, processorSeconds, peakMegabytes } = await runScript("generate", {
      args: ["rebuild", "--json"],
      env,
    });
    const report = JSON.parse(output) as RebuildReport;
    const { entries, foldMs } = report.rebuild;
    const isWhole =
      entries === days * 1440 && report.observations === entries && report.skipped === null;
    if (!isWhole || (await countRefused(stores.public)) > 0)
      throw new Error(`the run is not the one to measure: ${output}`);
    const perSecond = (entries / foldMs) * 1000;
    return [
      `${days} days of ${entries.toLocaleString("en")} entries, ${(bytes / 1e6).toFixed(0)} MB of packs, fold in ${(foldMs / 1000).toFixed(1)} s, ${perSecond.toFixed(0)} a second`,
      `with ${report.documents.written} documents published ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor, peak ${Math.round(peakMegabytes)} MB`,
      `a year at this rate ${toHours(ENTRIES_OF_YEAR / perSecond)}`,
      `reading, unpacking and parsing the ${plain.output.trim()} entries alone ${plain.processorSeconds.toFixed(1)} s of processor, peak ${Math.round(plain.peakMegabytes)} MB`,
    ].join("; ");
  });
}

async function countRefused(publicDirectory: string): Promise<number> {
  const file = join(publicDirectory, toObjectKey(network, "status", {}));
  return OBJECTS.status.schema.parse(JSON.parse(await readFile(file, "utf8"))).data.observations
    .refused;
}

function toHours(seconds: number): string {
  return `${(seconds / 3600).toFixed(1)} h`;
}

async function prepareJournal(
  directory: string,
  { public: publicDirectory, state, days }: { public: string; state: string; days: number },
): Promise<number> {
  for (const one of [publicDirectory, state]) await mkdir(one, { recursive: true });
  const store = openFileStore(state);
  const geo = await writeGeoDatabases(join(directory, "geo"));
  const until = Math.floor(Date.now() / DAY_MILLISECONDS - DAYS_AGO) * DAY_MILLISECONDS;
  const startsAt = until - (days + 0.5) * DAY_MILLISECONDS;
  await startSeries(store, {
    network,
    genesis: GENESIS_HASHES[network] ?? "",
    since: new Date(startsAt).toISOString(),
  });
  const journal = openJournal({ store, network, series: 1 });
  let minute = 0;
  for await (const entry of toTwoDays({ startsAt, until, geo, days })) {
    minute += 1;
    // One after the other, as `run` does: most checks then refer to one before.
    await journal.append(entry);
    if (minute % PACK_ENTRIES === 0)
      for (let calls = 0; calls < 2; calls += 1) await journal.pack();
  }
  const sizes = await Array.fromAsync(store.list("packs/"), ({ size }) => size);
  return sum(sizes);
}
