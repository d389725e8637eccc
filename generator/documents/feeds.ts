import { Feed as FeedWriter, type FeedOptions, type Item } from "feed";
import type { CommissionEvent } from "../contract/event.ts";
import { FEED_ENTRIES_MAX, FEED_SEVERITIES, type Feed } from "../contract/feed.ts";
import { toObjectKey, type DocumentOf } from "../contract/objects.ts";
import { toContentHtml, toEntryTitle, toHtml, type FeedEvent } from "./feed-entry.ts";
import type { View } from "./view.ts";

const TITLES = {
  events: "commission changes",
  rug: "rugs",
  caution: "cautions",
  info: "other commission changes",
} as const satisfies Record<Feed, string>;

const SUBTITLES = {
  events:
    "Every change of a validator's inflation or MEV commission that a second reading confirmed or a transaction proves.",
  rug: "Commissions of validators raised to 90 % or more.",
  caution: "Commissions of validators that rose a good deal, and MEV switched on at 90 % or more.",
  info: "Changes of validators' commissions that are neither rugs nor cautions.",
} as const satisfies Record<Feed, string>;

/** Tells the time of a feed without entries, which Atom wants to know: nothing in it was ever updated. */
const NEVER = new Date(0);

/** The newest events of a feed as Atom (RFC 4287); null: the network was never observed. */
export function renderAtomFeed(view: View, feed: Feed, siteUrl: string): DocumentOf<"atomFeed"> | null {
  if (view.latestEpoch === null) return null;
  const events = newestEvents(view, feed);
  const self = `${siteUrl}/${toObjectKey(view.ledger.network, "atomFeed", { feed })}`;
  const writer = new FeedWriter({ ...toOptions(view, { feed, siteUrl, events }), feedLinks: { atom: self } });
  for (const event of events) {
    const item = toItem(view, event, siteUrl);
    // The library gives titles as HTML, where JSON Feed has plain text.
    writer.addItem({ ...item, title: toHtml(item.title) });
  }
  return writer.atom1();
}

/** The newest events of a feed as JSON Feed 1.1; null: the network was never observed. */
export function renderJsonFeed(view: View, feed: Feed, siteUrl: string): DocumentOf<"jsonFeed"> | null {
  if (view.latestEpoch === null) return null;
  const events = newestEvents(view, feed);
  const self = `${siteUrl}/${toObjectKey(view.ledger.network, "jsonFeed", { feed })}`;
  const writer = new FeedWriter({ ...toOptions(view, { feed, siteUrl, events }), feedLinks: { json: self } });
  for (const event of events) writer.addItem(toItem(view, event, siteUrl));
  return toVersion11(writer.json1());
}

/**
 * What a public history tells has no time and was not seen twice: it is in no feed. Neither is an event whose
 * steps are events of their own: they are entries.
 */
function newestEvents(view: View, feed: Feed): FeedEvent[] {
  const severities: readonly string[] = FEED_SEVERITIES[feed];
  const isShown = (event: CommissionEvent): event is FeedEvent =>
    event.confirmed && event.createdAt !== null && event.replacedBy === null && severities.includes(event.severity);
  return view.events().filter(isShown).slice(0, FEED_ENTRIES_MAX);
}

function toOptions(
  { ledger: { network } }: View,
  { feed, siteUrl, events }: { feed: Feed; siteUrl: string; events: readonly FeedEvent[] },
): FeedOptions {
  const times = events.map(({ createdAt }) => createdAt).sort();
  return {
    id: `urn:rugwatch:feed:${network}:${feed}`,
    title: `Rugwatch: ${TITLES[feed]} on ${network}`,
    description: SUBTITLES[feed],
    link: `${siteUrl}/?network=${network}`,
    updated: new Date(times.at(-1) ?? NEVER),
    author: { name: "Rugwatch", link: siteUrl },
    generator: "Rugwatch",
  };
}

function toItem({ ledger: { network } }: View, event: FeedEvent, siteUrl: string): Item {
  const { id, votePubkey, severity, source, createdAt } = event;
  return {
    // Not the page's address: the site may move, and a reader would show every event again.
    id: `urn:rugwatch:${id}`,
    title: toEntryTitle(event),
    link: `${siteUrl}/validators/${votePubkey}?network=${network}`,
    content: toContentHtml(event, network),
    date: new Date(createdAt),
    published: new Date(createdAt),
    category: [
      { name: severity, term: severity, scheme: "urn:rugwatch:severity" },
      { name: source, term: source, scheme: "urn:rugwatch:source" },
    ],
  };
}

/** The library writes JSON Feed 1. In 1.1 there are several authors and a language (https://www.jsonfeed.org/version/1.1/). */
function toVersion11(version1: string): DocumentOf<"jsonFeed"> {
  const { author, items, ...feed } = JSON.parse(version1) as Version1;
  const version = "https://jsonfeed.org/version/1.1";
  return { ...feed, version, language: "en", authors: [author], items };
}

type Version1 = Omit<DocumentOf<"jsonFeed">, "version" | "language" | "authors"> & {
  author: DocumentOf<"jsonFeed">["authors"][number];
};
