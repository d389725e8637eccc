import type { ObjectReference } from "../contract/objects.ts";
import { createRenderer, RENDER_VERSION } from "../documents/render.ts";
import { renderStatus } from "../documents/status.ts";
import { FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import { pendingChanges } from "../ledger/pending.ts";
import { readManifest, type ManifestReading } from "../publish/manifest.ts";
import { publish as publishDocuments } from "../publish/publish.ts";
import type { JournalPosition } from "./projection.ts";
import { withAlerts } from "./alerts/alerts.ts";
import { forEachNetwork, type CommandOptions } from "./for-each-network.ts";
import { createUpkeep } from "./upkeep.ts";
import { boundQuarantined, type Quarantined } from "./quarantined.ts";
import { addQuarantined, refusalOf, toCounted, type Report } from "./report.ts";
import { toPosition, toPublishedPosition, type Context } from "./context.ts";

/** Another generator that publishes at the same time is followed, and what it left to do is done, so often. */
const TRIES = 3;

/**
 * Exports looked at with an observation, in a second at planning size: those of a thousand epochs are two minutes of
 * rendering.
 */
const EXPORTS_MAX = 16;

/** What was accepted so shortly before, by another generator it may be, shows that the cluster can be observed. */
const SEEN_MILLISECONDS = 30_000;

export interface PublishOptions {
  /** Compare what lies in the public store with what was put there. */
  audit: boolean;
  /** The journal was folded just now, for an observation: it is listed again only where another generator has published. */
  isFolded?: boolean;
  /** Write all exports that changed, however many; else some are left to the next runs. */
  allExports?: boolean;
}

/** `generate publish`: fold, render, upload what changed; puts again what does not lie there as it was put. */
export function publish(options: CommandOptions): Promise<Report> {
  return forEachNetwork("publish", options, async (context, report) => {
    await withAlerts(context, { ...options, report }, () =>
      publishLedger(context, report, { audit: true, allExports: true }),
    );
    await createUpkeep(context)(report);
  });
}

/** Publishes what changed since the last time, whoever published then. */
export function publishLedger(context: Context, report: Report, options: PublishOptions): Promise<void> {
  const work = () => publishNewest(context, report, options);
  return context.timePublishing?.(work) ?? work();
}

async function publishNewest(context: Context, report: Report, options: PublishOptions): Promise<void> {
  const { audit, isFolded = false, allExports = false } = options;
  const exportsMax = allExports ? Infinity : EXPORTS_MAX;
  const { projection, network, stateStore } = context;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    // A manifest has a line for each document: it is read once, here, and handed on.
    const reading = await readManifest(stateStore, network);
    projection.setPublished(toPublishedPosition(reading, context));
    const isCurrent = isFolded && tries === 1 && projection.position() !== null;
    if (!isCurrent) report.observations += (await projection.refresh()).size;
    report.pending = pendingChanges(projection.ledger()).length;
    const position = projection.position();
    const quarantined = projection.quarantined();
    addQuarantined(report, quarantined);
    report.skipped = projection.outdated();
    if (position === null || report.skipped !== null) return;
    const state = {
      ledger: projection.ledger(),
      position,
      ...projection.changed(),
      quarantined,
      audit,
      reading,
      exportsMax,
    };
    const published = await publishState(context, report, state);
    if (published === null) continue;
    projection.setPublished(published);
    return;
  }
}

export interface PublishedState {
  ledger: Ledger;
  /** Of the journal, to which the ledger is folded. */
  position: JournalPosition;
  /** What may differ from what is published. */
  references: ObjectReference[];
  /** The published position since which that was counted; null: it is all there is. */
  since: JournalPosition | null;
  quarantined: Quarantined[];
  audit: boolean;
  /** The manifest, where it has just been read. */
  reading?: ManifestReading;
  /** Most exports to look at; all of them by default. */
  exportsMax?: number;
}

/**
 * Publishes documents of one state of a ledger. Gives the position that they are of now; null: something, told in the
 * report, kept it from publishing.
 */
export async function publishState(
  context: Context,
  report: Report,
  state: PublishedState,
): Promise<JournalPosition | null> {
  const { network, series, siteUrl, publicStore, stateStore, clock, holder } = context;
  const { ledger, position, references, since, quarantined, audit, reading, exportsMax } = state;
  const { documents, skipped, journal, deferred, damaged } = await publishDocuments({
    publicStore,
    stateStore,
    network,
    series,
    versions: { fold: FOLD_VERSION, render: RENDER_VERSION },
    siteUrl,
    journal: position,
    references,
    ...(since && { since }),
    ...(reading && { reading }),
    ...(exportsMax !== undefined && { exportsMax }),
    render: createRenderer(ledger, { siteUrl }).render,
    status: (damagedNow) => {
      const now = clock.now();
      const generatedAt = new Date(now).toISOString();
      return renderStatus(withRefusal(ledger, { reason: refusalOf(report), now }), {
        generatedAt,
        quarantined: boundQuarantined([...quarantined, ...damagedNow]),
      });
    },
    audit,
    now: clock.now,
    holder,
  });
  for (const part of ["rendered", "written", "unchanged"] as const) report.documents[part] += documents[part];
  report.skipped = skipped;
  if (deferred > 0) report.upkeep.push(`${toCounted(deferred, "export")} left to the next runs`);
  addQuarantined(report, damaged);
  return journal === null ? null : toPosition(journal);
}

/**
 * What got no further than the door is in no journal: the ledger alone would go on saying that the list of vote
 * accounts is well.
 */
function withRefusal(ledger: Ledger, { reason, now }: { reason: string | null; now: number }): Ledger {
  const { votes } = ledger.sources;
  if (reason === null || now - Date.parse(votes.lastSuccessAt ?? "") < SEEN_MILLISECONDS) return ledger;
  const state = votes.lastSuccessAt === null ? "failed" : "degraded";
  return { ...ledger, sources: { ...ledger.sources, votes: { ...votes, state, reason } } };
}
