import type { FindDigest } from "../contract/export.ts";
import {
  listEpochEvents,
  listEvents,
  listOfValidator,
  listRugsPerEpoch,
  listValidators,
} from "../contract/lists.ts";
import type { DocumentOf, ObjectReference } from "../contract/objects.ts";
import type { SnapshotIndex } from "../contract/snapshot-index.ts";
import { DEFAULT_SITE_URL } from "../contract/site-url.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { renderBadge } from "./badge.ts";
import { renderChanges, renderChangeSegment } from "./change-log.ts";
import { renderConcentration } from "./concentration.ts";
import { toCsv, toParquet } from "./exports/formats.ts";
import { renderExports } from "./exports/list.ts";
import { toEventsTable, toHistoryTable } from "./exports/tables.ts";
import { renderFeed } from "./feeds.ts";
import { renderCommissionHistory, renderStakeHistory, renderUptime } from "./histories.ts";
import { renderPage } from "./page.ts";
import { onlyRugs } from "./rugs.ts";
import { renderSitemap } from "./sitemap.ts";
import { renderSnapshotIndex } from "./snapshot-index.ts";
import { renderLocation, renderProfile } from "./validator.ts";
import { createView, findRecord, lazy, type View } from "./view.ts";

/**
 * Raise it when the same ledger renders to other bytes: the next run
 * then renders everything, and an older generator does not publish.
 */
export const RENDER_VERSION = 13;

interface RenderOptions {
  /** As {@link parseSiteUrl} gives it. */
  siteUrl?: string;
}

interface Renderer {
  /**
   * null: no such document; `status`, which has its own time (status.ts), and the wallet
   * index, which is not in the ledger. Equal ledgers and options give equal bytes.
   * @param findDigest for the list of exports, and to keep a published feed even if empty
   */
  render: (reference: ObjectReference, findDigest?: FindDigest) => Uint8Array | null;
}

/** Make a new one after every fold. */
export function createRenderer(
  ledger: Ledger,
  { siteUrl = DEFAULT_SITE_URL }: RenderOptions = {},
): Renderer {
  const view = createView(ledger);
  const index = lazy(() => renderSnapshotIndex(view));
  return {
    render: (reference, findDigest = () => null) => {
      const document = toDocument(view, reference, { siteUrl, findDigest, index });
      return document === null ? null : toBytes(document);
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

interface Surroundings {
  siteUrl: string;
  findDigest: FindDigest;
  index: () => SnapshotIndex;
}

function toDocument(
  view: View,
  { kind, names }: ObjectReference,
  { siteUrl, findDigest, index }: Surroundings,
): object | string | null {
  switch (kind) {
    case "validators":
      return listValidators(index());
    case "validator":
      return renderProfile(view, names.votePubkey);
    case "validatorEvents":
      return renderValidatorEvents(view, names.votePubkey);
    case "commissionHistory":
      return renderCommissionHistory(view, names.votePubkey);
    case "stakeHistory":
      return renderStakeHistory(view, names.votePubkey);
    case "uptime":
      return renderUptime(view, names.votePubkey);
    case "location":
      return renderLocation(view, names.votePubkey);
    case "events":
      return listEvents(index());
    case "newestChanges":
      return renderChanges(view.ledger);
    case "changeSegment":
      return renderChangeSegment(view.ledger, names.segment);
    case "epochEvents":
      return renderEpochEvents(view, names.epoch);
    case "rugsPerEpoch":
      return listRugsPerEpoch(index());
    case "stakeConcentration":
      return renderConcentration(view);
    case "eventsCsv":
      return applyTo(toEventsTable(view), toCsv);
    case "eventsParquet":
      return applyTo(toEventsTable(view), toParquet);
    case "historyCsv":
      return applyTo(toHistoryTable(view, names.epoch), toCsv);
    case "historyParquet":
      return applyTo(toHistoryTable(view, names.epoch), toParquet);
    case "exports":
      return renderExports(view, findDigest);
    case "atomFeed":
    case "jsonFeed":
      return renderFeed(view, { kind, names }, { siteUrl, findDigest });
    case "validatorAtomFeed":
    case "validatorJsonFeed":
      return renderFeed(view, { kind, names }, { siteUrl, findDigest });
    case "badge":
      return renderBadge(view, names.votePubkey);
    case "page":
      return renderPage(view, names.votePubkey, siteUrl);
    case "sitemap":
      return renderSitemap(view, siteUrl);
    case "index":
      return index();
    case "status":
    case "wallets":
    case "walletShard":
      return null;
  }
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
