import { Feed as FeedWriter, type Item } from "feed";
import type { Severity, Source } from "../contract/event.ts";
import { FEED_ENTRIES_MAX, FEED_SEVERITIES, feedEventSchema, type Feed } from "../contract/feed.ts";
import type { Network } from "../contract/networks.ts";
import { toObjectKey } from "../contract/object-keys.ts";
import { OBJECTS, type DocumentOf, type ObjectReference } from "../contract/objects.ts";
import { CAUTION_POINTS, RUG_RATE } from "../contract/severity.ts";
import { toName } from "../contract/strangers-text.ts";
import {
  toContentHtml,
  toEntryTitle,
  toHtml,
  selectForFeed,
  toValidatorLink,
  type FeedEvent,
} from "./feed-entry.ts";
import {
  foldIncidents,
  type IncidentEntry,
  toIncidentHtml,
  toIncidentTitle,
  toSeverity,
} from "./feed-incident.ts";
import { type RiseEntry, toRiseEntries, toRiseHtml, toRiseTitle } from "./feed-rise.ts";
import { findRecord, type View } from "./view.ts";

const TITLES = {
  events: "commission changes",
  rug: "rugs",
  caution: "cautions",
  info: "other commission changes",
} as const satisfies Record<Feed, string>;

const SUBTITLES = {
  events: "Every confirmed change of a validator's inflation or MEV commission.",
  rug: `Validators that raised a commission to ${RUG_RATE} or more.`,
  caution:
    `Validators that raised inflation commission by ${CAUTION_POINTS.COMMISSION} points or more, or MEV commission by ` +
    `${CAUTION_POINTS.MEV} or more, to less than ${RUG_RATE}, or that switched MEV on at ${RUG_RATE} or more.`,
  info: `All other commission changes: cuts, small rises, and MEV switched on below ${RUG_RATE} or off.`,
} as const satisfies Record<Feed, string>;

/** Atom requires a time even without entries. */
const NEVER = new Date(0);

type FeedReference = Extract<
  ObjectReference,
  { kind: "atomFeed" | "jsonFeed" | "validatorAtomFeed" | "validatorJsonFeed" }
>;

interface Contents {
  id: string;
  title: string;
  description: string;
  link: string;
  entries: readonly (FeedEvent | IncidentEntry | RiseEntry)[];
}

/**
 * As Atom (RFC 4287) or JSON Feed 1.1; null: the network or the validator was never observed. A
 * validator has its feed from the first snapshot on: who follows it wants to hear of its first
 * event.
 */
export function renderFeed(
  view: View,
  reference: FeedReference,
  siteUrl: string,
): DocumentOf<"atomFeed"> | DocumentOf<"jsonFeed"> | null {
  if (view.latestEpoch === null) return null;
  const { kind, names } = reference;
  const key = toObjectKey(view.ledger.network, kind, names);
  if ("votePubkey" in names && findRecord(view, names.votePubkey) === null) return null;
  const contents =
    "feed" in names ? ofNetwork(view, names.feed, siteUrl) : ofValidator(view, names, siteUrl);
  return toForm(view, contents, { form: OBJECTS[kind].form, self: `${siteUrl}/${key}`, siteUrl });
}

function ofNetwork(view: View, feed: Feed, siteUrl: string): Contents {
  const { network } = view.ledger;
  const severities: readonly string[] = FEED_SEVERITIES[feed];
  return {
    id: `urn:rugwatch:feed:${network}:${feed}`,
    title: `Rugwatch: ${TITLES[feed]} on ${network}`,
    description: SUBTITLES[feed],
    link: `${siteUrl}/?network=${network}`,
    entries: foldIncidents(selectForFeed(view.publishedEvents()))
      .filter((entry) =>
        ("members" in entry ? entry.members : [entry]).some(({ severity }) =>
          severities.includes(severity),
        ),
      )
      .slice(0, FEED_ENTRIES_MAX),
  };
}

function ofValidator(
  view: View,
  { votePubkey }: { votePubkey: string },
  siteUrl: string,
): Contents {
  const { network } = view.ledger;
  const events = selectForFeed(
    view.publishedEvents().filter((event) => event.votePubkey === votePubkey),
  );
  const rises = toRiseEntries(view, votePubkey);
  const who = toName(findRecord(view, votePubkey)?.record.name ?? null) ?? votePubkey;
  return {
    id: `urn:rugwatch:feed:${network}:validators:${votePubkey}`,
    title: `Rugwatch: commission changes of ${who} on ${network}`,
    description: `Every confirmed change of the inflation or MEV commission of vote account ${votePubkey} on ${network}, and rises of its block revenue commission by ${CAUTION_POINTS.COMMISSION} points or more.`,
    link: toValidatorLink({ network, votePubkey }, siteUrl),
    entries: mergeNewestFirst(events, rises).slice(0, FEED_ENTRIES_MAX),
  };
}

/** Events keep their order. */
function mergeNewestFirst(
  events: readonly FeedEvent[],
  rises: readonly RiseEntry[],
): (FeedEvent | RiseEntry)[] {
  const left = [...rises];
  const merged = events.flatMap((event) => {
    const newer = left.findIndex((rise) => rise.createdAt <= event.createdAt);
    return [...left.splice(0, newer === -1 ? left.length : newer), event];
  });
  return [...merged, ...left];
}

function toForm(
  { ledger: { network } }: View,
  contents: Contents,
  { form, self, siteUrl }: { form: string; self: string; siteUrl: string },
): DocumentOf<"atomFeed"> | DocumentOf<"jsonFeed"> {
  const isAtom = form === "atomFeed";
  const { entries, ...about } = contents;
  const items = entries.map((entry) => {
    if ("members" in entry) return toIncidentItem(entry, { network, siteUrl });
    return "rise" in entry
      ? toRiseItem(entry, { network, siteUrl })
      : toItem({ network, event: entry }, siteUrl);
  });
  const writer = new FeedWriter({
    ...about,
    updated: items.reduce((newest, { date }) => (date > newest ? date : newest), NEVER),
    author: { name: "Rugwatch", link: siteUrl },
    generator: "Rugwatch",
    feedLinks: isAtom ? { atom: self } : { json: self },
  });
  // Atom has no extensions of the library.
  writer.addExtension({ name: "_rugwatch", objects: { about: `${siteUrl}/api?section=feeds` } });
  // The library writes titles as HTML; JSON Feed wants plain text.
  for (const item of items) writer.addItem(isAtom ? { ...item, title: toHtml(item.title) } : item);
  return isAtom ? writer.atom1() : toVersion11(writer.json1());
}

// Ids contain no site address: after a move, readers would show every entry again.

function toItem({ network, event }: { network: Network; event: FeedEvent }, siteUrl: string): Item {
  return {
    id: `urn:rugwatch:${event.id}`,
    title: toEntryTitle(event),
    link: toValidatorLink({ network, ...event }, siteUrl),
    content: toContentHtml(event, network),
    // Parsing keeps the fields of the schema alone.
    extensions: [{ name: "_rugwatch", objects: { event: feedEventSchema.parse(event) } }],
    ...toTimesAndTags(event, event.severity),
  };
}

function toIncidentItem(entry: IncidentEntry, where: { network: Network; siteUrl: string }): Item {
  const { maker } = entry;
  return {
    id: `urn:rugwatch:incident:${maker.incident?.id}`,
    title: toIncidentTitle(entry),
    link: `${where.siteUrl}/?network=${where.network}`,
    content: toIncidentHtml(entry, where),
    ...toTimesAndTags(maker, toSeverity(entry)),
  };
}

function toRiseItem(
  entry: RiseEntry,
  { network, siteUrl }: { network: Network; siteUrl: string },
): Item {
  return {
    id: entry.id,
    title: toRiseTitle(entry),
    link: toValidatorLink({ network, ...entry }, siteUrl),
    content: toRiseHtml(entry, network),
    ...toTimesAndTags({ ...entry, source: null }, "CAUTION"),
  };
}

/** @param source null: of block revenue, whose changes are no events */
function toTimesAndTags(
  { createdAt, source }: { createdAt: string; source: Source | null },
  severity: Severity,
) {
  const ofSource =
    source === null ? [] : [{ name: source, term: source, scheme: "urn:rugwatch:source" }];
  return {
    date: new Date(createdAt),
    published: new Date(createdAt),
    category: [{ name: severity, term: severity, scheme: "urn:rugwatch:severity" }, ...ofSource],
  };
}

/**
 * The library writes JSON Feed 1; 1.1 has `authors` and
 * `language` (https://www.jsonfeed.org/version/1.1/).
 */
function toVersion11(version1: string): DocumentOf<"jsonFeed"> {
  const { author, items, ...feed } = JSON.parse(version1) as Version1;
  const version = "https://jsonfeed.org/version/1.1";
  return { ...feed, version, language: "en", authors: [author], items };
}

type Version1 = Omit<DocumentOf<"jsonFeed">, "version" | "language" | "authors"> & {
  author: DocumentOf<"jsonFeed">["authors"][number];
};
