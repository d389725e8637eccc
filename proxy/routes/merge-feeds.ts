import { FEED_ENTRIES_MAX } from "../../generator/contract/feed.ts";
import type { Network } from "../../generator/contract/networks.ts";

/** Which validators a feed of several shows, by vote account. */
export interface Watched {
  network: Network;
  votes: readonly string[];
  /** Those of them that have no feed. */
  unknown: readonly string[];
}

/** An entry holds every `<` of a stranger as a reference, so none can look like an end tag. */
const ENTRY = /<entry>.*?<\/entry>/gs;
const PUBLISHED = /<published>([^<]*)<\/published>\s*<\/entry>$/;
const UPDATED = /<updated>([^<]*)<\/updated>/;
const SITE_URL = /<link rel="self" href="([^"]*)\/feeds\//;

/**
 * Makes one Atom feed of published feeds of validators: their newest entries as they are, the
 * last published first.
 * @param feeds at least one
 */
export function mergeFeeds(feeds: readonly string[], { network, votes, unknown }: Watched): string {
  const entries = feeds
    .flatMap((feed) => feed.match(ENTRY) ?? [])
    .map((entry) => ({ entry, published: PUBLISHED.exec(entry)?.[1] ?? "" }))
    .sort((one, other) => Date.parse(other.published) - Date.parse(one.published))
    .slice(0, FEED_ENTRIES_MAX);
  const updated = feeds.map((feed) => UPDATED.exec(feed)?.[1] ?? "").toSorted();
  const siteUrl = SITE_URL.exec(feeds[0] ?? "")?.[1] ?? "";
  const keys = votes.join(",");
  const missing = unknown.length === 0 ? "" : ` Never seen on ${network}: ${unknown.join(", ")}.`;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `    <id>urn:rugwatch:feed:${network}:votes:${keys}</id>`,
    `    <title>Rugwatch: commission changes of ${toCounted(votes.length)} on ${network}</title>`,
    `    <updated>${updated.at(-1)}</updated>`,
    "    <generator>Rugwatch</generator>",
    "    <author>",
    "        <name>Rugwatch</name>",
    `        <uri>${siteUrl}/</uri>`,
    "    </author>",
    `    <link rel="alternate" href="${siteUrl}/watchlist?network=${network}&amp;votes=${keys}"/>`,
    `    <link rel="self" href="${siteUrl}/feeds/${network}.atom?votes=${keys}"/>`,
    `    <subtitle>Every confirmed change of their commissions.${missing}</subtitle>`,
    ...entries.map(({ entry }) => `    ${entry}`),
    "</feed>",
  ].join("\n");
}

function toCounted(validators: number): string {
  return validators === 1 ? "1 validator" : `${validators} validators`;
}
