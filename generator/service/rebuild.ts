import { allReferences } from "../documents/references.ts";
import { createRenderer } from "../documents/render.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { pendingChanges } from "../ledger/pending-changes.ts";
import { compareWithPublished, listPublished, type Difference } from "../publish/compare.ts";
import { isLeaseTaken } from "../publish/lease.ts";
import { readManifest, type Manifest } from "../publish/manifest.ts";
import { deferredDigests } from "../publish/deferred.ts";
import {
  requireNothingPublished,
  type Context,
  readPublishedPosition,
  toPublishedPosition,
} from "./context.ts";
import { publishState } from "./publishing.ts";
import { toWaiting } from "./projection/holes.ts";
import { createProjection, type FoldProgress, type Projection } from "./projection/projection.ts";
import {
  forgetProgress,
  openRebuildCheckpoints,
  type RebuildCheckpoints,
} from "./rebuild/checkpoints.ts";
import { addQuarantined, toCounted, type Report } from "./report.ts";
import { pruneWalletShards } from "./wallets/pruning.ts";
import { forEachNetwork, type CommandOptions } from "./for-each-network.ts";

/** Options of `generate rebuild`. */
export interface RebuildOptions extends CommandOptions {
  /** Compare, and publish nothing. */
  verify: boolean;
  /** Delete what the journal does not produce, and shards of former wallet indexes. */
  prune: boolean;
  fromStart?: boolean;
  /** Least work between two savings of the progress; default: a minute. */
  saveMilliseconds?: number;
  onDifference: (difference: Difference) => void;
  onProgress: (progress: FoldProgress) => void;
}

/** What was done over all networks. */
interface RebuildCounts {
  entries: number;
  /** Entries folded by an earlier rebuild that was stopped. */
  resumedAt: number;
  foldMs: number;
  /** Why it stopped early, its progress kept; null: it did not. */
  stopped: string | null;
}

/** `differences`: documents that differ from what is published, found with `verify`. */
export type RebuildReport = Report & { rebuild: RebuildCounts; differences: number };

const SAVE_MILLISECONDS = 60_000;
/** Further attempts when another generator publishes at the same time. */
const TRIES = 5;
/** A dead holder's lease lasts two minutes. */
const LEASE_RETRY_MILLISECONDS = 15_000;
const LEASE_TRIES = 20;

/**
 * `generate rebuild`: makes everything from the journal. It trusts no checkpoint but its own
 * progress, and continues there after a signal. With `verify` it folds up to the published
 * position and compares.
 */
export async function rebuild(options: RebuildOptions): Promise<RebuildReport> {
  const counts: RebuildCounts = { entries: 0, resumedAt: 0, foldMs: 0, stopped: null };
  let differences = 0;
  const total = await forEachNetwork("rebuild", options, async (context, report) => {
    if (options.fromStart === true) await forgetProgress(context);
    const { saveMilliseconds = SAVE_MILLISECONDS, onProgress, signal } = options;
    const checkpoints = openRebuildCheckpoints(context, { ...options, saveMilliseconds });
    const { place, journal, clock } = context;
    const projection = createProjection({
      ...place,
      journal,
      now: clock.now,
      checkpoints,
      onProgress,
      signal,
    });
    const work = { context, report, projection, checkpoints, options, counts };
    const found = await (options.verify ? verify : publishAll)(work);
    note(work);
    differences += found ?? 0;
    // Another generator prevented it: keep the progress.
    if (found !== null) return report.skipped === null ? forgetProgress(context) : undefined;
    const { done, total: all } = projection.counts();
    report.skipped = `stopped with ${done} of ${all} entries folded: rebuild continues from there`;
    counts.stopped ??= report.skipped;
  });
  return { ...total, rebuild: counts, differences };
}

interface Work {
  context: Context;
  report: Report;
  projection: Projection;
  checkpoints: RebuildCheckpoints;
  options: RebuildOptions;
  counts: RebuildCounts;
}

/** Null: stopped. Starts over when another process publishes. */
async function verify(work: Work): Promise<number | null> {
  const { context, report, projection, options } = work;
  let differences: Difference[] = [];
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const reading = await readManifest(context.stateStore, context.network);
    const published = toPublishedPosition(reading, context);
    await foldThrough(published?.through ?? null, work);
    if (options.signal.aborted) return null;
    const waiting = toWaiting(projection.holes(), context.network);
    if (waiting !== null) throw new Error(`what is published cannot be verified: ${waiting}`);
    if (projection.position() === null) {
      await requireNothingPublished(context);
      return 0;
    }
    differences = await compare(context, projection.ledger(), reading.manifest);
    const after = await readPublishedPosition(context.stateStore, context);
    if (
      differences.length === 0 ||
      (after?.through === published?.through && after?.digest === published?.digest)
    )
      break;
  }
  for (const difference of differences) options.onDifference(difference);
  const rendered = allReferences(projection.ledger()).length;
  const changed = differences.filter(({ what }) => what !== "unexpected").length;
  report.documents = { rendered, written: 0, unchanged: rendered - changed };
  return differences.length;
}

async function publishAll(work: Work): Promise<number | null> {
  const { context, report, projection, options } = work;
  for (let tries = 1; tries <= LEASE_TRIES; tries += 1) {
    if (!(await foldAll(work))) return null;
    await publishFolded(work);
    if (!isLeaseTaken(report.skipped) || tries === LEASE_TRIES) break;
    const { clock } = context;
    await Promise.allSettled([
      clock.sleepUntil(clock.now() + LEASE_RETRY_MILLISECONDS, options.signal),
    ]);
  }
  if (report.skipped !== null) return 0;
  if (projection.position() === null) {
    await requireNothingPublished(context);
    return 0;
  }
  if (options.prune) await prune(work);
  return 0;
}

async function prune(work: Work): Promise<void> {
  const { context, report, projection } = work;
  const { publicStore, network } = context;
  const published = await listPublished(publicStore, network);
  // Another generator journaled what it published meanwhile.
  await foldThrough(null, work);
  if (work.options.signal.aborted || projection.holes().length > 0) return;
  const differences = await compare(context, projection.ledger());
  const unexpected = differences.filter(
    ({ key, what }) => what === "unexpected" && published.has(key),
  );
  for (const { key } of unexpected) await publicStore.delete(key);
  if (unexpected.length > 0)
    report.upkeep.push(
      `${toCounted(unexpected.length, "object")} deleted that the journal does not produce`,
    );
  const shards = await pruneWalletShards(publicStore, network);
  if (shards > 0)
    report.upkeep.push(
      `${toCounted(shards, "object")} deleted of wallet indexes with another number of shards`,
    );
}

/**
 * Folds all entries, also those that come meanwhile, because an older state must not replace a
 * newer one. False: stopped.
 */
async function foldAll(work: Work): Promise<boolean> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const folded = await foldThrough(null, work);
    if (work.options.signal.aborted) return false;
    if (folded === 0) break;
  }
  return true;
}

async function foldThrough(
  name: string | null,
  { context, report, projection, counts }: Work,
): Promise<number> {
  const beganAt = context.clock.timer();
  const folded = await projection.foldThrough(name);
  counts.foldMs += context.clock.timer() - beganAt;
  report.observations += folded;
  return folded;
}

async function publishFolded({ context, report, projection, checkpoints }: Work): Promise<void> {
  await checkpoints.finish();
  const references = allReferences(projection.ledger());
  await publishState({ ...context, projection }, report, { references, since: null, audit: true });
}

function note({ report, projection, counts }: Work): void {
  const { total, resumedAt } = projection.counts();
  counts.entries += total;
  counts.resumedAt += resumedAt;
  report.events = projection.ledger().events.length;
  report.pending = pendingChanges(projection.ledger()).length;
  addQuarantined(report, projection.quarantined());
}

/** @param published the manifest, if exports may be deferred */
function compare(
  { publicStore, network, siteUrl }: Context,
  ledger: Ledger,
  published: Manifest | null = null,
): Promise<Difference[]> {
  const renderer = createRenderer(ledger, { siteUrl });
  const deferred = deferredDigests(published);
  return compareWithPublished({
    publicStore,
    network,
    references: allReferences(ledger),
    ...renderer,
    deferred,
  });
}
