import type { CommissionEvent } from "../contract/event.ts";
import { toPercentOrNull } from "../contract/numbers.ts";
import { toObjectKey } from "../contract/object-keys.ts";
import { toPageHtml } from "../contract/page-shell.ts";
import { PICTURE } from "../contract/text-schemas.ts";
import { toPageAddress } from "../contract/site-pages.ts";
import { toName } from "../contract/strangers-text.ts";
import type { Network } from "../contract/networks.ts";
import { toBrief } from "./badge.ts";
import { appliedAt } from "../views/commissions.ts";
import { toEntryTitle, toHtml } from "./feed-entry.ts";
import { findRecord, type View } from "./view.ts";
import { appliedNext } from "./validator.ts";
import { newestMev } from "../ledger/tips/timeline.ts";

/** The site shows all changes. */
const CHANGES_MAX = 10;

interface Facts {
  network: Network;
  votePubkey: string;
  name: string;
  rates: [what: string, rate: string][];
  /** What epochs pay, from now on: "5 %, then 100 %" */
  paid: string;
  verdict: string;
  changes: CommissionEvent[];
}

/**
 * A page for search engines and link previews. It holds only what an event, a name or a commission
 * changes, so that its bytes stay equal when epochs and stakes change.
 */
export function renderPage(view: View, votePubkey: string, siteUrl: string): string | null {
  const facts = toFacts(view, votePubkey);
  if (facts === null) return null;
  const { network, name } = facts;
  return toPageHtml({
    title: `${toHtml(name)} · Rugwatch`,
    head: toHead(facts, siteUrl),
    body: toBody(facts),
    address: `/${toObjectKey(network, "page", { votePubkey })}`,
  });
}

function toFacts(view: View, votePubkey: string): Facts | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const { validatorIndex, record } = found;
  const mev = newestMev(record);
  const applied =
    view.latestEpoch === null ? null : appliedAt(view, { validatorIndex, epoch: view.latestEpoch });
  const events = view.eventsByVote().get(votePubkey) ?? [];
  return {
    network: view.ledger.network,
    votePubkey,
    name: toName(record.name) ?? votePubkey,
    rates: [
      ["Announced commission", toRate(toPercentOrNull(record.commissionBasisPoints))],
      ["Paid commission", toRate(toPercentOrNull(applied))],
      ["MEV commission", mev === "disabled" ? "disabled" : toRate(toPercentOrNull(mev))],
      ["Block revenue commission", toRate(toPercentOrNull(record.blockRevenueBasisPoints))],
    ],
    paid: toPaid([applied, appliedNext(view, found), record.commissionBasisPoints]),
    verdict: toBrief(view.verdictOf(found)),
    changes: events.filter(({ replacedBy }) => replacedBy === null).slice(0, CHANGES_MAX),
  };
}

/** @param inOrder basis points, the soonest first; null: not known */
function toPaid([now = null, ...later]: readonly (number | null)[]): string {
  const next = later.find((rate) => rate !== null && rate !== now) ?? null;
  const paid = toRate(toPercentOrNull(now));
  return now === null || next === null ? paid : `${paid}, then ${toRate(toPercentOrNull(next))}`;
}

function toHead({ network, votePubkey, name, paid, verdict }: Facts, siteUrl: string): string {
  const description = `${name}, a Solana validator on ${network}. Verdict: ${verdict}; paid commission: ${paid}. Every change of its commission and the epoch from which it costs delegators.`;
  const address = siteUrl + toPageAddress(votePubkey, network);
  const properties = {
    "og:type": "website",
    "og:site_name": "Rugwatch",
    "og:title": `${name}: ${verdict}`,
    "og:description": description,
    "og:url": address,
    "og:image": `${siteUrl}/${toObjectKey(network, "picture", { votePubkey })}`,
    "og:image:width": String(PICTURE.width),
    "og:image:height": String(PICTURE.height),
    "og:image:alt": "Commission paid and announced, by epoch",
  };
  return [
    `<meta name="description" content="${toHtml(description)}">`,
    `<link rel="canonical" href="${toHtml(address)}">`,
    ...Object.entries(properties).map(
      ([property, text]) => `<meta property="${property}" content="${toHtml(text)}">`,
    ),
    // The card takes all else from the properties above.
    '<meta name="twitter:card" content="summary_large_image">',
    `<link rel="alternate" type="application/json" href="${toHtml(toData(votePubkey, network))}">`,
  ].join("\n");
}

function toBody({ network, votePubkey, name, rates, verdict, changes }: Facts): string {
  const facts = rates.map(([what, rate]) => `<dt>${what}</dt><dd>${rate}</dd>`);
  const items = changes.map(
    (event) =>
      `<li>Epoch ${event.epoch}: ${toHtml(toEntryTitle(event))}${toUnconfirmed(event)}.</li>`,
  );
  return [
    `<main class="main"><h1>${toHtml(name)}</h1>`,
    `<p>Vote account <code class="breakable">${votePubkey}</code> on ${network}. Verdict: ${toHtml(verdict)}.</p>`,
    `<dl>${facts.join("")}</dl>`,
    ...(items.length === 0 ? [] : [`<h2>Newest changes</h2>\n<ul>${items.join("\n")}</ul>`]),
    `<p><a href="${toHtml(toData(votePubkey, network))}">Data as JSON</a> · <a href="/validators?network=${network}">All validators on ${network}</a></p></main>`,
  ].join("\n");
}

function toUnconfirmed({ confirmed }: CommissionEvent): string {
  return confirmed ? "" : " (from a public history only)";
}

function toData(votePubkey: string, network: Network): string {
  return `/api/v1/validators/${votePubkey}?network=${network}`;
}

function toRate(percent: number | null): string {
  return percent === null ? "not known" : `${percent} %`;
}
