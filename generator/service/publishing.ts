import { createRenderer, RENDER_VERSION } from "../documents/render.ts";
import { renderStatus } from "../documents/status.ts";
import { FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import { pendingChanges } from "../ledger/pending-changes.ts";
import { readManifest, type ManifestReading } from "../publish/manifest.ts";
import { publishDocuments } from "../publish/publish.ts";
import type { JournalPosition } from "./projection/loaded-ledger.ts";
import type { Changed } from "./projection/projection.ts";
import { withAlerts } from "./alerts/alerts.ts";
import { forEachNetwork, type CommandOptions } from "./for-each-network.ts";
import { toWaiting } from "./projection/holes.ts";
import { createUpkeep } from "./upkeep.ts";
import { boundQuarantined } from "./projection/quarantined.ts";
import { addQuarantined, refusalOf, toCounted, type Report } from "./report.ts";
import { toPosition, toPublishedPosition, type Context } from "./context.ts";

/** Further attempts when another generator publishes at the same time. */
const TRIES = 3;

/** About a second's work; all of a thousand epochs would take two minutes. */
const EXPORTS_MAX = 16;

/**
 * An observation accepted this recently, perhaps by another generator, shows that the cluster can
 * be observed.
 */
const SEEN_MILLISECONDS = 30_000;

interface PublishOptions {
  audit: boolean;
  /** Just folded: list the journal again only if another generator has published. */
  isFolded?: boolean;
  allExports?: boolean;
}

/** `generate publish`: publishes what changed and repairs what is stored wrongly. */
export function publish(options: CommandOptions): Promise<Report> {
  return forEachNetwork("publish", options, async (context, report) => {
    await withAlerts(context, { ...options, report }, () =>
      publishLedger(context, report, { audit: true, allExports: true }),
    );
    await createUpkeep(context)(report);
  });
}

/** Publishes what changed since the last publication, whoever made it. */
export function publishLedger(
  context: Context,
  report: Report,
  options: PublishOptions,
): Promise<void> {
  const work = () => publishNewest(context, report, options);
  return context.timePublishing?.(work) ?? work();
}

async function publishNewest(
  context: Context,
  report: Report,
  options: PublishOptions,
): Promise<void> {
  const { audit, isFolded = false, allExports = false } = options;
  const exportsMax = allExports ? Infinity : EXPORTS_MAX;
  const { projection, network, stateStore } = context;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    // Large: read once and handed on.
    const reading = await readManifest(stateStore, network);
    projection.setPublished(toPublishedPosition(reading, context));
    const isCurrent = isFolded && tries === 1 && projection.position() !== null;
    if (!isCurrent) report.observations += (await projection.refresh()).size;
    notePending(report, projection.ledger());
    addQuarantined(report, projection.quarantined());
    const published = await publishState(context, report, {
      ...projection.changed(),
      audit,
      reading,
      exportsMax,
    });
    if (published !== null) projection.setPublished(published);
    // Another attempt is useful only if another generator publishes.
    const isBlocked =
      projection.outdated() !== null ||
      projection.holes().length > 0 ||
      projection.position() === null;
    if (published !== null || isBlocked) return;
  }
}

function notePending(report: Report, ledger: Ledger): void {
  const changes = pendingChanges(ledger);
  report.pending = changes.length;
  report.pendingSince = changes.map(({ first }) => first.time).sort()[0] ?? null;
}

/** What to publish of a projection, and how. */
interface Publication extends Changed {
  audit: boolean;
  reading?: ManifestReading;
  /** Default: all. */
  exportsMax?: number;
}

/**
 * Returns the published position; null: nothing was folded, or the report says what prevented it.
 */
export async function publishState(
  context: Context,
  report: Report,
  publication: Publication,
): Promise<JournalPosition | null> {
  const { network, series, siteUrl, publicStore, stateStore, clock, holder, projection } = context;
  const { audit, reading, exportsMax } = publication;
  const [ledger, position, quarantined] = [
    projection.ledger(),
    projection.position(),
    projection.quarantined(),
  ];
  const waiting = toWaiting(projection.holes(), network);
  report.skipped = projection.outdated();
  if (report.skipped !== null || (position === null && waiting === null)) return null;
  // A ledger with a hole publishes its status alone.
  const { references, since } = waiting === null ? publication : { references: [], since: null };
  const { documents, skipped, journal, deferred, damaged } = await publishDocuments({
    publicStore,
    stateStore,
    network,
    series,
    versions: { fold: FOLD_VERSION, render: RENDER_VERSION },
    siteUrl,
    journal: position ?? { through: null, digest: "" },
    waiting,
    references,
    ...(since && { since }),
    ...(reading && { reading }),
    ...(exportsMax !== undefined && { exportsMax }),
    ...createRenderer(ledger, { siteUrl }),
    status: (damagedNow) => {
      const now = clock.now();
      const generatedAt = new Date(now).toISOString();
      return renderStatus(withRefusal(ledger, { reason: refusalOf(report), now }), {
        generatedAt,
        quarantined: boundQuarantined([...quarantined, ...damagedNow]),
      });
    },
    audit: audit && waiting === null,
    now: clock.now,
    holder,
  });
  for (const part of ["rendered", "written", "unchanged"] as const)
    report.documents[part] += documents[part];
  report.skipped = skipped;
  if (deferred > 0) report.upkeep.push(`${toCounted(deferred, "export")} left for the next runs`);
  addQuarantined(report, damaged);
  if (journal === null) return null;
  report.published += 1;
  report.snapshotAt = ledger.snapshot?.time ?? null;
  context.onPublished?.();
  return toPosition(journal);
}

/**
 * A refused observation is not journaled, so without this the ledger would report the list as
 * well.
 */
function withRefusal(
  ledger: Ledger,
  { reason, now }: { reason: string | null; now: number },
): Ledger {
  const { votes } = ledger.sources;
  if (reason === null || now - Date.parse(votes.lastSuccessAt ?? "") < SEEN_MILLISECONDS)
    return ledger;
  const state = votes.lastSuccessAt === null ? "failed" : "degraded";
  return { ...ledger, sources: { ...ledger.sources, votes: { ...votes, state, reason } } };
}
