import { saveCheckpoint } from "../../generator/journal/checkpoints.ts";
import { digestOfPosition } from "../../generator/journal/rulings.ts";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { allReferences } from "../../generator/documents/references.ts";
import { createRenderer, RENDER_VERSION } from "../../generator/documents/render.ts";
import { renderStatus } from "../../generator/documents/status.ts";
import { createCluster } from "../cluster/cluster.ts";
import { writeGeoDatabases } from "../cluster/chain/geo-databases.ts";
import { openJournal, type Journal } from "../../generator/journal/journal.ts";
import { startSeries } from "../../generator/journal/series.ts";
import type { NamedEntry } from "../../generator/entries/entry.ts";
import { foldEntry } from "../../generator/service/projection/fold-entry.ts";
import { createLedger, FOLD_VERSION, type Ledger } from "../../generator/ledger/ledger.ts";
import { GENESIS_HASHES } from "../../generator/rpc/genesis.ts";
import { createStakeRecords } from "../../generator/observe/stakes/stake-records.ts";
import { publishDocuments } from "../../generator/publish/publish.ts";
import { createReport } from "../../generator/service/report.ts";
import { openWalletIndex } from "../../generator/service/wallets/wallet-index.ts";
import { openFileStore } from "../../generator/store/files.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { addLongPast } from "./long-past.ts";
import { DAY_MILLISECONDS, PLANNED_CLUSTER } from "./planning-size.ts";
import { toTwoDays } from "./two-days.ts";
import { DEFAULT_SITE_URL } from "../../generator/contract/site-url.ts";

const { network } = PLANNED_CLUSTER;
const HOUR_MILLISECONDS = 3_600_000;
/** Old enough for the run to save a checkpoint too. */
const SETTLED_MILLISECONDS = 15 * 60_000;
/** Most entries after a checkpoint at a cold start under `run` (service/projection/checkpoints.ts). */
const ENTRIES_AFTER_CHECKPOINT = 70;
const CHANGES = 5;

export interface PreparedState {
  directories: { public: string; state: string };
  geo: { city: string; asn: string };
  startsAt: number;
  /** By then some commissions differ from the stores'. */
  changedAt: number;
  checkpoint: { bytes: number };
}

/**
 * Up to the last full hour: two days of journal, a checkpoint with `epochs` of past, all documents.
 */
export async function prepareState(
  directory: string,
  { epochs }: { epochs: number },
): Promise<PreparedState> {
  const directories = { public: join(directory, "public"), state: join(directory, "state") };
  for (const one of Object.values(directories)) await mkdir(one, { recursive: true });
  const geo = await writeGeoDatabases(join(directory, "geo"));
  const until =
    Math.floor((Date.now() - SETTLED_MILLISECONDS) / HOUR_MILLISECONDS) * HOUR_MILLISECONDS;
  const busy = findBusyHour();
  const startsAt = until - busy.begins;
  const stateStore = openFileStore(directories.state);
  const since = new Date(startsAt).toISOString();
  await startSeries(stateStore, { network, genesis: GENESIS_HASHES[network] ?? "", since });
  const journal = openJournal({ store: stateStore, network, series: 1 });
  const entries = await keepAll(journal, toTwoDays({ startsAt, until, geo }));
  const [first, ...rest] = entries;
  if (first === undefined) throw new Error("two days without an entry");
  let { ledger } = foldEntry(createLedger(network), first);
  addLongPast(ledger, epochs - 2);
  ledger = foldAll(ledger, rest.slice(0, -ENTRIES_AFTER_CHECKPOINT));
  const place = { store: stateStore, network, series: 1 };
  const key = await saveCheckpoint(place, {
    ledger,
    foldVersion: FOLD_VERSION,
    digest: digestOf(ledger),
  });
  ledger = foldAll(ledger, rest.slice(-ENTRIES_AFTER_CHECKPOINT));
  await publishAll({ publicStore: openFileStore(directories.public), stateStore, ledger });
  await keepWallets({ publicStore: openFileStore(directories.public), stateStore, ledger });
  while ((await journal.pack()).packed !== null);
  const bytes = (await stateStore.head(key))?.size ?? 0;
  return { directories, geo, startsAt, changedAt: startsAt + busy.changed, checkpoint: { bytes } };
}

/** An empty wallet index of the running epoch: the measured snapshot is not an epoch's first. */
async function keepWallets(stores: {
  publicStore: ObjectStore;
  stateStore: ObjectStore;
  ledger: Ledger;
}): Promise<void> {
  const clock = { now: () => Date.now(), timer: () => performance.now() };
  const index = openWalletIndex({ network, series: 1, clock, holder: "bench", ...stores });
  const { epoch = 0 } = stores.ledger.epochs.at(-1) ?? {};
  index.hold(createStakeRecords(), { network, epoch, slot: 0, asOf: new Date().toISOString() });
  await index.write(createReport("snapshot", network));
}

/**
 * The shortest time with enough changes: in a longer one
 * the slots would run ahead of what the clock allows.
 */
function findBusyHour(): { begins: number; changed: number } {
  const { firstEpoch, validators } = PLANNED_CLUSTER;
  const cluster = createCluster({ ...PLANNED_CLUSTER, stakeAccounts: validators * 6, startsAt: 0 });
  const changes = cluster
    .plannedChanges(firstEpoch + 1)
    .filter(({ source, atMilliseconds }) => source === "COMMISSION" && isMidEpoch(atMilliseconds));
  const bursts = changes.flatMap(({ atMilliseconds: begins }, index) => {
    const last = changes[index + CHANGES - 1];
    return last === undefined
      ? []
      : [{ begins: begins - 1000, changed: last.atMilliseconds + 1000 }];
  });
  const [first, ...others] = bursts;
  if (first === undefined)
    throw new Error(`the story has no ${CHANGES} changes in its second epoch`);
  return others.reduce(
    (best, one) => (one.changed - one.begins < best.changed - best.begins ? one : best),
    first,
  );
}

function isMidEpoch(milliseconds: number): boolean {
  return milliseconds > 2.5 * DAY_MILLISECONDS && milliseconds < 3.5 * DAY_MILLISECONDS;
}

async function keepAll(
  journal: Journal,
  entries: ReturnType<typeof toTwoDays>,
): Promise<NamedEntry[]> {
  for await (const entry of entries) await journal.append(entry);
  const { names } = await journal.list(null);
  const kept = await Array.fromAsync(journal.read(names));
  return kept.filter((one) => "entry" in one);
}

function foldAll(ledger: Ledger, entries: NamedEntry[]): Ledger {
  return entries.reduce((before, entry) => {
    const folded = foldEntry(before, entry);
    if (!folded.outcome.accepted)
      throw new Error(`${entry.name} was refused: ${folded.outcome.reason}`);
    return folded.ledger;
  }, ledger);
}

function digestOf({ position }: Ledger): string {
  return position === null ? "" : digestOfPosition(position.hash, []);
}

async function publishAll(options: {
  publicStore: ObjectStore;
  stateStore: ObjectStore;
  ledger: Ledger;
}): Promise<void> {
  const { publicStore, stateStore, ledger } = options;
  const through = ledger.position?.name ?? null;
  const { skipped } = await publishDocuments({
    publicStore,
    stateStore,
    network,
    series: 1,
    versions: { fold: FOLD_VERSION, render: RENDER_VERSION },
    siteUrl: DEFAULT_SITE_URL,
    journal: { through, digest: digestOf(ledger) },
    references: allReferences(ledger),
    ...createRenderer(ledger),
    status: () => renderStatus(ledger, { generatedAt: new Date().toISOString(), quarantined: [] }),
    audit: false,
    now: () => Date.now(),
    holder: "bench",
  });
  if (skipped !== null) throw new Error(`the documents were not published: ${skipped}`);
}
