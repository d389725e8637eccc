import { createProjection } from "../../generator/service/projection.ts";
import { publishLedger } from "../../generator/service/publishing.ts";
import { createReport, type Report } from "../../generator/service/report.ts";
import type { Context } from "../../generator/service/context.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { DEFAULT_SITE_URL } from "../../generator/contract/site-url.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { countOperations } from "../../generator/store/counting.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";

export interface Stores {
  publicStore: ObjectStore;
  stateStore: ObjectStore;
}

export const makeStores = (): Stores => ({ publicStore: openMemoryStore(), stateStore: openMemoryStore() });

export interface StationAt extends Stores {
  network?: Network;
  /** In milliseconds since 1970. */
  now: number | (() => number);
  holder: string;
}

/** A context with stores and no cluster. */
export function makeStation({ publicStore, stateStore, network = "mainnet", now: at, holder }: StationAt): Context {
  const now = typeof at === "number" ? () => at : at;
  const counted = { public: countOperations(publicStore), state: countOperations(stateStore) };
  const journal = openJournal({ store: counted.state.store, network, series: 1 }, { now });
  const offline = () => Promise.reject(new Error("this context has no cluster"));
  const clock = { now, timer: now, sleepUntil: offline };
  return {
    network,
    clock,
    series: 1,
    observer: { check: offline, snapshot: offline, transactions: offline, close: () => Promise.resolve() },
    journal,
    projection: createProjection({ network, series: 1, journal, now: clock.now }),
    publicStore: counted.public.store,
    stateStore: counted.state.store,
    stakeScanMinutes: 60,
    witnesses: () => [],
    siteUrl: DEFAULT_SITE_URL,
    holder,
    counts: () => counted.public.counts,
    close: () => Promise.resolve(),
  };
}

export async function append({ journal }: Context, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) await journal.append(entry);
}

export async function publish(context: Context, audit = true): Promise<Report> {
  const report = createReport("publish", context.network);
  await publishLedger(context, report, { audit, allExports: true });
  return report;
}
