import type { ObjectReference } from "../contract/objects.ts";
import { createRenderer, RENDER_VERSION } from "../documents/render.ts";
import { renderStatus } from "../documents/status.ts";
import { FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import { pendingChanges } from "../ledger/pending.ts";
import { publish } from "../publish/publish.ts";
import type { JournalPosition } from "./keeper.ts";
import { readPublishedPosition } from "./published.ts";
import { refusalOf, type Report } from "./report.ts";
import type { Station } from "./station.ts";

/** Another generator that publishes at the same time is followed, and what it left to do is done, so often. */
const TRIES = 3;

/** What was accepted so shortly before, by another generator it may be, shows that the cluster can be observed. */
const SEEN_MILLISECONDS = 30_000;

/** Publishes what changed since the last time, whoever published then. */
export async function publishLedger(station: Station, report: Report, { audit }: { audit: boolean }): Promise<void> {
  const { keeper, stateStore } = station;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    keeper.setPublished(await readPublishedPosition(stateStore, station));
    report.observations += (await keeper.refresh()).size;
    report.pending = pendingChanges(keeper.ledger()).length;
    const position = keeper.position();
    if (position === null) return;
    const quarantined = keeper.quarantined();
    await publishState(station, report, { ledger: keeper.ledger(), position, ...keeper.changed(), quarantined, audit });
    if (report.skipped === null) break;
  }
  keeper.setPublished(await readPublishedPosition(stateStore, station));
}

export interface PublishedState {
  ledger: Ledger;
  /** Of the journal, to which the ledger is folded. */
  position: JournalPosition;
  /** What may differ from what is published. */
  references: ObjectReference[];
  /** The published position since which that was counted; null: it is all there is. */
  since: JournalPosition | null;
  quarantined: { object: string; reason: string }[];
  audit: boolean;
}

/** Publishes documents of one state of a ledger. What kept it from publishing goes to the report: the next run will. */
export async function publishState(station: Station, report: Report, state: PublishedState): Promise<void> {
  const { network, series, publicStore, stateStore, clock, holder } = station;
  const { ledger, position, references, since, quarantined, audit } = state;
  const { documents, skipped } = await publish({
    publicStore,
    stateStore,
    network,
    series,
    versions: { fold: FOLD_VERSION, render: RENDER_VERSION },
    journal: position,
    references,
    ...(since && { since }),
    render: createRenderer(ledger).render,
    status: () => {
      const now = clock.now();
      const generatedAt = new Date(now).toISOString();
      return renderStatus(withRefusal(ledger, { reason: refusalOf(report), now }), { generatedAt, quarantined });
    },
    audit,
    now: clock.now,
    holder,
  });
  for (const part of ["rendered", "written", "unchanged"] as const) report.documents[part] += documents[part];
  report.skipped = skipped;
}

/**
 * The list of vote accounts as not well, where it was just refused. What got no further than the door is in no journal: the
 * ledger alone would go on saying that all is well while no endpoint answers.
 */
function withRefusal(ledger: Ledger, { reason, now }: { reason: string | null; now: number }): Ledger {
  const { votes } = ledger.sources;
  if (reason === null || now - Date.parse(votes.lastSuccessAt ?? "") < SEEN_MILLISECONDS) return ledger;
  const state = votes.lastSuccessAt === null ? "failed" : "degraded";
  return { ...ledger, sources: { ...ledger.sources, votes: { ...votes, state, reason } } };
}
