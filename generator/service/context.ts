import { randomUUID } from "node:crypto";
import type { Settings } from "../settings/settings.ts";
import type { Network } from "../contract/networks.ts";
import { openJournal, type Journal } from "../journal/journal.ts";
import { readSeries, startSeries } from "../journal/series.ts";
import { GENESIS_HASHES, readGenesis } from "../rpc/ranking.ts";
import type { Locations } from "../observe/locations.ts";
import { createObserver, type Observer } from "../observe/observation.ts";
import { countOperations, type OperationCounts } from "../store/counting.ts";
import { openStore } from "../store/open.ts";
import type { ObjectStore } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { createProjection, type Projection } from "./projection.ts";
import { requireNothingPublished } from "./lost-state.ts";
import { readPublishedPosition } from "./published-position.ts";

/** How long a cluster whose genesis hash is not known may take to tell it. */
const GENESIS_MILLISECONDS = 20_000;

/** All that the commands work with for one network. */
export interface Context {
  network: Network;
  clock: Clock;
  /** From 1: which life of the cluster. */
  series: number;
  observer: Observer;
  journal: Journal;
  projection: Projection;
  publicStore: ObjectStore;
  stateStore: ObjectStore;
  stakeScanMinutes: number;
  /** Address of the site that the documents link to. */
  siteUrl: string;
  /** Who publishes. */
  holder: string;
  /** Of both stores together, running. */
  counts: () => OperationCounts;
  close(): Promise<void>;
}

export interface ContextOptions {
  network: Network;
  settings: Settings;
  clock: Clock;
  /** null: no databases. */
  locations: Locations | null;
  /** Begin a new series when the cluster has another genesis than the one known. */
  newSeries: boolean;
  signal?: AbortSignal;
}

/**
 * Opens the stores and the sources of a network.
 * @throws {Error} when its genesis hash can neither be read nor is known, or the state is not the one of what is published
 */
export async function openContext(options: ContextOptions): Promise<Context> {
  const { network, settings, clock, locations, signal } = options;
  const { siteUrl } = settings;
  const publicStore = countOperations(openStore(settings.publicStore));
  const stateStore = countOperations(openStore(settings.stateStore));
  const stores = { publicStore: publicStore.store, stateStore: stateStore.store };
  const { series, genesis } = await findSeries(options, stores);
  const journal = openJournal({ store: stateStore.store, network, series }, { now: clock.now });
  const observer = createObserver({
    network,
    endpoints: settings.rpcUrls[network],
    mevUrl: settings.mevUrls[network],
    locations,
    genesis,
    now: clock.now,
    timer: clock.timer,
    ...(signal && { signal }),
  });
  const projection = createProjection({ network, series, journal, now: clock.now });
  projection.setPublished(await readPublishedPosition(stateStore.store, { network, series, siteUrl }));
  return {
    network,
    clock,
    series,
    observer,
    journal,
    projection,
    ...stores,
    stakeScanMinutes: settings.stakeScanMinutes,
    siteUrl,
    holder: randomUUID(),
    counts: () => addCounts(publicStore.counts, stateStore.counts),
    close: () => observer.close(),
  };
}

/** The series at hand, or the first, or with `newSeries` the next: pinned to its genesis, so that no other cluster gets in. */
async function findSeries(
  options: ContextOptions,
  stores: Pick<Context, "publicStore" | "stateStore">,
): Promise<{ series: number; genesis: string }> {
  const { network, settings, clock, newSeries } = options;
  const newest = (await readSeries(stores.stateStore, network)).at(-1);
  if (newest !== undefined && !newSeries) return newest;
  if (!newSeries) await requireNothingPublished({ network, ...stores });
  const pinned = newSeries ? null : GENESIS_HASHES[network];
  const genesis =
    pinned ??
    (await readGenesis({
      endpoints: settings.rpcUrls[network],
      now: clock.timer,
      deadline: clock.timer() + GENESIS_MILLISECONDS,
      signal: options.signal,
    }));
  return startSeries(stores.stateStore, { network, genesis, since: new Date(clock.now()).toISOString() });
}

function addCounts(one: OperationCounts, other: OperationCounts): OperationCounts {
  return {
    puts: one.puts + other.puts,
    lists: one.lists + other.lists,
    gets: one.gets + other.gets,
    deletes: one.deletes + other.deletes,
    bytes: one.bytes + other.bytes,
  };
}
