import { createProjection } from "../../generator/service/projection/projection.ts";
import { publishLedger } from "../../generator/service/publishing.ts";
import { createReport, type Report } from "../../generator/service/report.ts";
import type { Context } from "../../generator/service/context.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { DEFAULT_SITE_URL } from "../../generator/contract/site-url.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { openCheckpoints } from "../../generator/service/projection/checkpoints.ts";
import { entriesOf, type StoryItem, toRulings } from "../story/fold.ts";
import { countOperations } from "../../generator/store/counting.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";

export interface Stores {
  publicStore: ObjectStore;
  stateStore: ObjectStore;
}

export const makeStores = (): Stores => ({
  publicStore: openMemoryStore(),
  stateStore: openMemoryStore(),
});

export interface StationAt extends Stores {
  network?: Network;
  /** In milliseconds since 1970. */
  now: number | (() => number);
  holder: string;
}

/** A context with stores and no cluster. */
export function makeStation({
  publicStore,
  stateStore,
  network = "mainnet",
  now: at,
  holder,
}: StationAt): Context {
  const now = typeof at === "number" ? () => at : at;
  const counted = { public: countOperations(publicStore), state: countOperations(stateStore) };
  const place = { store: counted.state.store, network, series: 1 };
  const journal = openJournal(place);
  const offline = () => Promise.reject(new Error("this context has no cluster"));
  const clock = { now, timer: now, sleepUntil: offline };
  return {
    network,
    clock,
    series: 1,
    observer: {
      check: offline,
      snapshot: offline,
      transactions: offline,
      close: () => Promise.resolve(),
    },
    place,
    journal,
    projection: createProjection({
      ...place,
      journal,
      checkpoints: openCheckpoints({ place, journal }),
      now: clock.now,
    }),
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

/** Entries, then the rulings on what the journal holds. */
export async function append({ journal }: Context, items: readonly StoryItem[]): Promise<void> {
  for (const entry of entriesOf(items)) await journal.append(entry);
  if (items.every(({ kind }) => kind !== "ruling")) return;
  const { names } = await journal.list(null);
  const read = await Array.fromAsync(journal.read(names));
  const entries = read.filter((one) => "entry" in one);
  for (const ruling of toRulings(items, entries)) await journal.rule(ruling);
}

export async function publish(context: Context, audit = true): Promise<Report> {
  const report = createReport("publish", context.network);
  await publishLedger(context, report, { audit, allExports: true });
  return report;
}
