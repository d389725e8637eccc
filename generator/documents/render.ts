import type { FindDigest } from "../contract/export.ts";
import type { ObjectReference } from "../contract/objects.ts";
import { DEFAULT_SITE_URL } from "../contract/site-url.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { toBytes } from "./bytes.ts";
import { renderCommissionHistory } from "./commission-history.ts";
import { renderConcentration } from "./concentration.ts";
import { renderEpochEvents } from "./epoch-events.ts";
import { renderEvents } from "./events.ts";
import { toCsv } from "./exports/csv.ts";
import { toEventsTable } from "./exports/events.ts";
import { toHistoryTable } from "./exports/history.ts";
import { renderExports } from "./exports/list.ts";
import { toParquet } from "./exports/parquet.ts";
import { renderAtomFeed, renderJsonFeed } from "./feeds.ts";
import { renderLocation } from "./location.ts";
import { renderProfile } from "./profile.ts";
import { renderRugsPerEpoch } from "./rugs-per-epoch.ts";
import { renderSnapshotIndex } from "./snapshot-index.ts";
import { renderStakeHistory } from "./stake-history.ts";
import { renderUptime } from "./uptime.ts";
import { renderValidatorEvents } from "./validator-events.ts";
import { renderValidators } from "./validators.ts";
import { createView, type View } from "./view.ts";

/**
 * Version of the documents' rules. Raise it with every change that renders the same ledger to other bytes: the next run
 * then renders everything, and a generator of an older version does not publish.
 */
export const RENDER_VERSION = 5;

/** What documents tell beside the ledger. */
export interface RenderOptions {
  /** Address of the site that feeds link to, as {@link parseSiteUrl} gives it. */
  siteUrl?: string;
}

/** Renders objects from one state of a ledger. */
export interface Renderer {
  /**
   * The bytes of an object; null: there is none, because the validator is not known, was never located, the epoch is not
   * tracked, or no stake is located yet. Equal ledgers and options give equal bytes. `status` is always null here: it
   * carries the time of its own making, see status.ts.
   *
   * @param findDigest what is published under a key: the list of exports tells it. Without it that list is empty.
   */
  render: (reference: ObjectReference, findDigest?: FindDigest) => Uint8Array | null;
}

/** What several objects need is worked out once for them all. Make a new renderer after every fold. */
export function createRenderer(ledger: Ledger, { siteUrl = DEFAULT_SITE_URL }: RenderOptions = {}): Renderer {
  const view = createView(ledger);
  return {
    render: (reference, findDigest = () => null) => {
      const document = toDocument(view, reference, { siteUrl, findDigest });
      return document === null ? null : toBytes(document);
    },
  };
}

interface Surroundings {
  siteUrl: string;
  findDigest: FindDigest;
}

/** What is published: a value that JSON can hold, text, or bytes. */
function toDocument(
  view: View,
  { kind, names }: ObjectReference,
  { siteUrl, findDigest }: Surroundings,
): object | string | null {
  switch (kind) {
    case "validators":
      return renderValidators(view);
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
      return renderEvents(view);
    case "epochEvents":
      return renderEpochEvents(view, names.epoch);
    case "rugsPerEpoch":
      return renderRugsPerEpoch(view);
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
      return renderAtomFeed(view, names.feed, siteUrl);
    case "jsonFeed":
      return renderJsonFeed(view, names.feed, siteUrl);
    case "index":
      return renderSnapshotIndex(view);
    case "status":
      return null;
  }
}

function applyTo<Value, Result>(value: Value | null, apply: (value: Value) => Result): Result | null {
  return value === null ? null : apply(value);
}
