import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Settings } from "../settings/settings.ts";
import type { Network } from "../contract/networks.ts";
import { openJournal, type Journal } from "../journal/journal.ts";
import type { JournalPlace } from "../journal/names.ts";
import { readSeries, startSeries } from "../journal/series.ts";
import { RENDER_VERSION } from "../documents/render.ts";
import { FOLD_VERSION } from "../ledger/ledger.ts";
import { GENESIS_HASHES, readGenesis } from "../rpc/genesis.ts";
import type { Witness } from "../rpc/ranking.ts";
import type { Locations } from "../observe/locations.ts";
import { listPublished } from "../publish/compare.ts";
import { readManifest, type ManifestReading } from "../publish/manifest.ts";
import { createObserver, type Observer } from "../observe/observation.ts";
import { countOperations, type OperationCounts } from "../store/counting.ts";
import { openStore } from "../store/open.ts";
import type { ObjectStore } from "../store/store.ts";
import { openCheckpoints } from "./projection/checkpoints.ts";
import type { JournalPosition } from "./projection/loaded-ledger.ts";
import { createProjection, type Projection } from "./projection/projection.ts";
import { openWalletIndex, type WalletIndex } from "./wallets/wallet-index.ts";
import type { NetworkInstrumentation, Instrument } from "./instrumentation.ts";

/** For clusters without a known genesis hash. */
const GENESIS_MILLISECONDS = 20_000;

/** Time for a command; the demo's runs faster. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** Milliseconds from any start; monotonic. */
  timer: () => number;
  /** Resolves at `time`, or at once if it has passed; rejects with the signal's reason. */
  sleepUntil: (time: number, signal?: AbortSignal) => Promise<void>;
}

/** All that a command works with on one network. Call `close` even after a failure. */
export interface Context {
  network: Network;
  clock: Clock;
  /** From 1: the cluster's life since its last genesis. */
  series: number;
  observer: Observer;
  /** Of the journal and its checkpoints. */
  place: JournalPlace;
  journal: Journal;
  projection: Projection;
  publicStore: ObjectStore;
  stateStore: ObjectStore;
  stakeScanMinutes: number;
  /** As the last reading found them. */
  witnesses: () => readonly Witness[];
  /** Absent: none is kept. */
  wallets?: WalletIndex;
  siteUrl: string;
  holder: string;
  counts: () => OperationCounts;
  timePublishing?: NetworkInstrumentation["timePublishing"];
  onPublished?: NetworkInstrumentation["onPublished"];
  onAlert?: NetworkInstrumentation["onAlert"];
  onAlertQueue?: NetworkInstrumentation["onAlertQueue"];
  close(): Promise<void>;
}

/**
 * What a context is opened from. `newSeries` starts a new series for a cluster with a new
 * genesis.
 */
export interface ContextOptions {
  network: Network;
  settings: Settings;
  clock: Clock;
  locations: Locations | null;
  newSeries: boolean;
  signal?: AbortSignal;
  instrument?: Instrument | undefined;
}

/**
 * @throws {Error} without a genesis hash, or when the state store is not that of what is published
 */
export async function openContext(options: ContextOptions): Promise<Context> {
  const { network, settings, clock, locations, signal } = options;
  const { siteUrl } = settings;
  const instrumentation = options.instrument?.(network);
  const open = (url: string, role: "public" | "state") =>
    countOperations(openStore(url), (made) => instrumentation?.onStoreOperation(role, made));
  const publicStore = open(settings.publicStore, "public");
  const stateStore = open(settings.stateStore, "state");
  const stores = { publicStore: publicStore.store, stateStore: stateStore.store };
  const { series, genesis } = await findSeries(options, stores);
  const place = { store: stateStore.store, network, series };
  const journal = openJournal(place);
  const holder = randomUUID();
  let witnesses: readonly Witness[] = [];
  const observer = createObserver({
    network,
    endpoints: settings.rpcUrls[network],
    mevUrl: settings.mevUrls[network],
    locations,
    genesis,
    now: clock.now,
    timer: clock.timer,
    sleep: (milliseconds) => clock.sleepUntil(clock.now() + milliseconds, signal),
    ...(signal && { signal }),
    ...(instrumentation && { onCall: instrumentation.onCall }),
    onWitnesses(seen) {
      witnesses = seen;
      instrumentation?.onWitnesses(seen);
    },
  });
  const checkpoints = openCheckpoints({ place, journal });
  const projection = createProjection({ network, series, journal, checkpoints, now: clock.now });
  projection.setPublished(
    await readPublishedPosition(stateStore.store, { network, series, siteUrl }),
  );
  return {
    network,
    clock,
    series,
    place,
    observer: instrumentation?.instrumentObserver(observer) ?? observer,
    journal: instrumentation?.instrumentJournal(journal) ?? journal,
    projection: instrumentation?.instrumentProjection(projection) ?? projection,
    ...stores,
    stakeScanMinutes: settings.stakeScanMinutes,
    witnesses: () => witnesses,
    wallets: openWalletIndex({ network, series, clock, holder, ...stores }),
    siteUrl,
    holder,
    counts: () => addCounts(publicStore.counts, stateStore.counts),
    ...(instrumentation && {
      timePublishing: instrumentation.timePublishing,
      onPublished: instrumentation.onPublished,
      onAlert: instrumentation.onAlert,
      onAlertQueue: instrumentation.onAlertQueue,
    }),
    close: () => observer.close(),
  };
}

/** The current series or, with `newSeries`, a new one. */
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
  return startSeries(stores.stateStore, {
    network,
    genesis,
    since: new Date(clock.now()).toISOString(),
  });
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

/**
 * Checks that an empty state store does not replace documents.
 * @throws {Error} when documents were published whose journal the state store lacks
 */
export async function requireNothingPublished(
  stores: Pick<Context, "network" | "publicStore" | "stateStore">,
): Promise<void> {
  const lost = await findLostState(stores);
  if (lost !== null) throw new Error(lost);
}

/**
 * For a network without a journal: says that documents were published all the same; null: none
 * were.
 */
export async function findLostState({
  network,
  publicStore,
  stateStore,
}: Pick<Context, "network" | "publicStore" | "stateStore">): Promise<string | null> {
  const [published] = await listPublished(publicStore, network);
  if (published === undefined) return null;
  return `${publicStore.name} has documents of ${network}, but ${stateStore.name} has no journal for them: check RUGWATCH_STATE`;
}

/** The clock of the machine. */
export function createSystemClock(): Clock {
  // eslint-disable-next-line no-restricted-properties -- the composition root is where the clock comes from
  const now = () => Date.now();
  return {
    now,
    timer: () => performance.now(),
    sleepUntil: (time, signal) => sleep(Math.max(0, time - now()), undefined, signal && { signal }),
  };
}

/**
 * The published position; null: this version and these settings did not publish it. Another
 * process may have moved it since.
 */
export async function readPublishedPosition(
  stateStore: ObjectStore,
  { network, ...expected }: { network: Network; series: number; siteUrl: string },
): Promise<JournalPosition | null> {
  return toPublishedPosition(await readManifest(stateStore, network), expected);
}

/** From a manifest already read. */
export function toPublishedPosition(
  { manifest }: ManifestReading,
  { series, siteUrl }: { series: number; siteUrl: string },
): JournalPosition | null {
  if (manifest === null || manifest.series !== series || manifest.siteUrl !== siteUrl) return null;
  if (manifest.foldVersion !== FOLD_VERSION || manifest.renderVersion !== RENDER_VERSION)
    return null;
  return toPosition(manifest.journal);
}

/** The manifest's position; null: nothing was folded. */
export function toPosition({
  through,
  digest,
}: {
  through: string | null;
  digest: string;
}): JournalPosition | null {
  return through === null ? null : { through, digest };
}
