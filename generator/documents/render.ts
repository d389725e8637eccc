import type { FindDigest } from "../contract/export.ts";
import type { ExportTable } from "../contract/export-tables.ts";
import {
  listEpochEvents,
  listEvents,
  listOfValidator,
  listRugsPerEpoch,
  listValidators,
} from "../contract/lists.ts";
import {
  OBJECTS,
  type DocumentOf,
  type NamesOf,
  type ObjectKind,
  type ObjectReference,
} from "../contract/objects.ts";
import { DEFAULT_SITE_URL } from "../contract/site-url.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { renderBadge } from "./badge.ts";
import { renderChanges, renderChangeSegment } from "./changes.ts";
import { renderConcentration } from "./concentration.ts";
import { renderEpochs } from "./epochs.ts";
import { toCsv, toParquet } from "./exports/formats.ts";
import { renderExports } from "./exports/list.ts";
import type { Table } from "./exports/table.ts";
import { TABLES, type ExportNames, type ExportSources } from "./exports/tables.ts";
import { renderFeed } from "./feeds.ts";
import { renderCommissionHistory, renderStakeHistory, renderUptime } from "./histories.ts";
import { renderPage } from "./page.ts";
import { renderPicture } from "./picture.ts";
import { renderRawTransactions } from "./raw-transactions.ts";
import { onlyRugs } from "./rugs.ts";
import { renderSitemap } from "./sitemap.ts";
import { renderSnapshotIndex } from "./snapshot-index.ts";
import { renderLocation, renderProfile } from "./validator.ts";
import { createView, findRecord, lazy, type View } from "./view.ts";

/**
 * Raise it when the same ledger renders to other bytes: the next run
 * then renders everything, and an older generator does not publish.
 */
export const RENDER_VERSION = 23;

interface RenderOptions {
  /** As {@link parseSiteUrl} gives it. */
  siteUrl?: string;
}

interface Renderer {
  /**
   * null: there is no such document. `status` has a time of its own (status.ts), and the wallet
   * index is not in the ledger. Equal ledgers and options give equal bytes.
   * @param findDigest for the list of exports
   */
  render: (reference: ObjectReference, findDigest?: FindDigest) => Uint8Array | null;
  /** Rows of an export without the header; null: another document, or none. */
  countRows: (reference: ObjectReference) => number | null;
}

/** Make a new one after every fold. */
export function createRenderer(
  ledger: Ledger,
  { siteUrl = DEFAULT_SITE_URL }: RenderOptions = {},
): Renderer {
  const view = createView(ledger);
  const index = lazy(() => renderSnapshotIndex(view));
  const epochs = lazy(() => renderEpochs(view));
  const findTable = createFindTable({ view, index, epochs });
  return {
    render: (reference, findDigest = () => null) => {
      const document = toDocument(
        { view, index, epochs, siteUrl, findDigest, findTable },
        reference,
      );
      return document === null ? null : toBytes(document);
    },
    countRows: ({ kind, names }) => {
      const row = OBJECTS[kind];
      return "table" in row
        ? (findTable(row.table, names as Partial<ExportNames>)?.rows.length ?? null)
        : null;
    },
  };
}

/** JSON in field order. */
export function toBytes(document: object | string): Uint8Array {
  if (document instanceof Uint8Array) return document;
  return new TextEncoder().encode(
    typeof document === "string" ? document : JSON.stringify(document),
  );
}

/** What the documents of one ledger are made of. */
interface Scene extends ExportSources {
  siteUrl: string;
  findDigest: FindDigest;
  findTable: FindTable;
}

type FindTable = (table: ExportTable, names: Partial<ExportNames>) => Table | null;

/** Keeps the last table, because its two formats are rendered one after the other. */
function createFindTable(sources: ExportSources): FindTable {
  let last: { of: string; made: Table | null } | null = null;
  return (table, names) => {
    const of = JSON.stringify([table, names]);
    if (last?.of !== of) last = { of, made: TABLES[table](sources, names) };
    return last.made;
  };
}

/** null: no such document; `status` has its own time, wallets are not in the ledger. */
const RENDERERS: {
  [Kind in ObjectKind]: (
    scene: Scene,
    reference: { kind: Kind; names: NamesOf<Kind> },
  ) => object | string | null;
} = {
  validators: ({ index }) => listValidators(index()),
  validator: ({ view }, { names }) => renderProfile(view, names.votePubkey),
  validatorEvents: ({ view }, { names }) => renderValidatorEvents(view, names.votePubkey),
  validatorTransactions: ({ view }, { names }) => renderRawTransactions(view, names.votePubkey),
  commissionHistory: ({ view }, { names }) => renderCommissionHistory(view, names.votePubkey),
  stakeHistory: ({ view }, { names }) => renderStakeHistory(view, names.votePubkey),
  uptime: ({ view }, { names }) => renderUptime(view, names.votePubkey),
  location: ({ view }, { names }) => renderLocation(view, names.votePubkey),
  events: ({ index }) => listEvents(index()),
  newestChanges: ({ view }) => renderChanges(view.ledger),
  changeSegment: ({ view }, { names }) => renderChangeSegment(view.ledger, names.segment),
  epochs: ({ epochs }) => epochs(),
  epochEvents: ({ view }, { names }) => renderEpochEvents(view, names.epoch),
  rugsPerEpoch: ({ index }) => listRugsPerEpoch(index()),
  stakeConcentration: ({ view }) => renderConcentration(view),
  status: () => null,
  wallets: () => null,
  walletShard: () => null,
  index: ({ index }) => index(),
  eventsCsv: ({ findTable }, { names }) => applyTo(findTable("events", names), toCsv),
  eventsParquet: ({ findTable }, { names }) => applyTo(findTable("events", names), toParquet),
  costsCsv: ({ findTable }, { names }) => applyTo(findTable("costs", names), toCsv),
  costsParquet: ({ findTable }, { names }) => applyTo(findTable("costs", names), toParquet),
  rugsCsv: ({ findTable }, { names }) => applyTo(findTable("rugs", names), toCsv),
  rugsParquet: ({ findTable }, { names }) => applyTo(findTable("rugs", names), toParquet),
  validatorsCsv: ({ findTable }, { names }) => applyTo(findTable("validators", names), toCsv),
  validatorsParquet: ({ findTable }, { names }) =>
    applyTo(findTable("validators", names), toParquet),
  locationsCsv: ({ findTable }, { names }) => applyTo(findTable("locations", names), toCsv),
  locationsParquet: ({ findTable }, { names }) => applyTo(findTable("locations", names), toParquet),
  epochsCsv: ({ findTable }, { names }) => applyTo(findTable("epochs", names), toCsv),
  epochsParquet: ({ findTable }, { names }) => applyTo(findTable("epochs", names), toParquet),
  historyCsv: ({ findTable }, { names }) => applyTo(findTable("history", names), toCsv),
  historyParquet: ({ findTable }, { names }) => applyTo(findTable("history", names), toParquet),
  uptimeCsv: ({ findTable }, { names }) => applyTo(findTable("uptime", names), toCsv),
  uptimeParquet: ({ findTable }, { names }) => applyTo(findTable("uptime", names), toParquet),
  exports: ({ view, findDigest }) => renderExports(view, findDigest),
  atomFeed: ({ view, siteUrl }, feed) => renderFeed(view, feed, siteUrl),
  jsonFeed: ({ view, siteUrl }, feed) => renderFeed(view, feed, siteUrl),
  validatorAtomFeed: ({ view, siteUrl }, feed) => renderFeed(view, feed, siteUrl),
  validatorJsonFeed: ({ view, siteUrl }, feed) => renderFeed(view, feed, siteUrl),
  badge: ({ view }, { names }) => renderBadge(view, names.votePubkey),
  picture: ({ view }, { names }) => renderPicture(view, names.votePubkey),
  page: ({ view, siteUrl }, { names }) => renderPage(view, names.votePubkey, siteUrl),
  sitemap: ({ view, siteUrl }) => renderSitemap(view, siteUrl),
};

function toDocument<Kind extends ObjectKind>(
  scene: Scene,
  reference: { kind: Kind; names: NamesOf<Kind> },
): object | string | null {
  return RENDERERS[reference.kind](scene, reference);
}

function renderValidatorEvents(
  view: View,
  votePubkey: string,
): DocumentOf<"validatorEvents"> | null {
  if (findRecord(view, votePubkey) === null) return null;
  return listOfValidator(
    { network: view.ledger.network, votePubkey },
    view.eventsByVote().get(votePubkey) ?? [],
  );
}

function renderEpochEvents(view: View, epoch: number): DocumentOf<"epochEvents"> | null {
  if (!view.trackedEpochs().has(epoch)) return null;
  return listEpochEvents(
    { network: view.ledger.network, epoch },
    onlyRugs(view.eventsByEpoch().get(epoch) ?? []),
  );
}

function applyTo<Value, Result>(
  value: Value | null,
  apply: (value: Value) => Result,
): Result | null {
  return value === null ? null : apply(value);
}
