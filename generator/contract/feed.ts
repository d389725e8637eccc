import { z } from "zod";
import { eventSchema, SEVERITIES, type Severity } from "./event.ts";
import { timeSchema } from "./values.ts";

/** The feeds of a network, each published as Atom and as JSON Feed. */
export const FEEDS = ["events", "rug", "caution", "info"] as const;

/** A feed's name, as in its path. */
export type Feed = (typeof FEEDS)[number];

/** The severities of the events in each feed. */
export const FEED_SEVERITIES = {
  events: SEVERITIES,
  rug: ["RUG"],
  caution: ["CAUTION"],
  info: ["INFO"],
} as const satisfies Record<Feed, readonly Severity[]>;

/** Most entries of a feed. */
export const FEED_ENTRIES_MAX = 100;

/** An object of `/feeds` in Atom (RFC 4287). The schema checks only that it is whole. */
export const atomFeedSchema = z
  .string()
  .regex(
    /^<\?xml version="1\.0" encoding="utf-8"\?>\s*<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/,
  )
  .regex(/<\/feed>\s*$/)
  .meta({ description: "An Atom feed (RFC 4287), newest entry first." });

/** Of an event, what goes on changing: a feed with it would change with every snapshot. */
const UNSETTLED = { incident: true, cost: true, mevCost: true } as const;

/** The event of a JSON Feed's item. */
export const feedEventSchema = eventSchema
  .omit(UNSETTLED)
  .meta({
    id: "FeedEvent",
    description:
      "An event as `/events` has it, without `incident`, `cost` and `mevCost`, which may go on changing.",
  });

/**
 * An object of `/feeds` in JSON Feed (https://www.jsonfeed.org/version/1.1/), of which it uses
 * these fields.
 */
export const jsonFeedSchema = z
  .object({
    version: z
      .literal("https://jsonfeed.org/version/1.1")
      .meta({ description: "The version of JSON Feed." }),
    title: z.string().meta({ description: "Title of the feed." }),
    home_page_url: z.url().meta({ description: "Page that shows the events." }),
    feed_url: z.url().meta({ description: "Address of this feed." }),
    description: z.string().meta({ description: "What the feed holds, in a sentence." }),
    _rugwatch: z
      .object({ about: z.url().meta({ description: "Page about the `_rugwatch` of items." }) })
      .meta({ description: "An extension of JSON Feed, which readers ignore." }),
    language: z.string().meta({ description: "Language of the texts (RFC 5646)." }),
    authors: z
      .array(
        z.object({
          name: z.string().meta({ description: "Name of the service." }),
          url: z.url().meta({ description: "Address of its site." }),
        }),
      )
      .meta({ description: "Publisher of the feed." }),
    items: z
      .array(
        z
          .object({
            id: z
              .string()
              .meta({
                description:
                  "`urn:rugwatch:` and the event's id, `urn:rugwatch:incident:` and the " +
                  "incident's, or `urn:rugwatch:block-revenue:`, network, vote account and " +
                  "slot of a rise of block revenue commission.",
              }),
            content_html: z
              .string()
              .meta({
                description:
                  "The change with its evidence, or the members of an incident, in HTML.",
              }),
            url: z
              .url()
              .meta({ description: "Page of the validator; of an incident: page of the network." }),
            title: z.string().meta({ description: "The change in one sentence of plain text." }),
            date_modified: timeSchema.meta({
              description:
                "Equals `date_published`: an event does not change, and another repeat of a " +
                "pattern or member of an incident is not an update.",
            }),
            date_published: timeSchema.meta({
              description:
                "The event's createdAt, UTC; of an incident: that of its tenth validator; of " +
                "a rise of block revenue commission: the first reading.",
            }),
            tags: z
              .array(z.string())
              .meta({
                description:
                  "Severity and source; of an incident: the worst severity; of a rise of " +
                  "block revenue commission: CAUTION.",
              }),
            _rugwatch: z
              .object({ event: feedEventSchema })
              .optional()
              .meta({
                description:
                  "The event for programs. Absent for an incident and for a rise of block " +
                  "revenue commission.",
              }),
          })
          .meta({
            id: "JsonFeedItem",
            description:
              "One event, one incident or, in the feed of a validator, a rise of block " +
              "revenue commission by 10 points or more.",
          }),
      )
      .max(FEED_ENTRIES_MAX)
      .meta({ description: "Newest first." }),
  })
  .meta({ id: "JsonFeed", description: "The newest confirmed events as JSON Feed 1.1." });
