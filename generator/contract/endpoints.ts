import { z } from "zod";
import type { CacheClass } from "./cache.ts";
import { epochDocumentSchema } from "./epoch.ts";
import type { ErrorCode } from "./errors.ts";
import { FORMS } from "./forms.ts";
import { OBJECTS, type ObjectKind } from "./objects.ts";
import type { ParameterKey } from "./parameters.ts";
import { searchDocumentSchema } from "./search.ts";

/** One endpoint as the OpenAPI document describes it. All of them are GET. */
export interface Endpoint {
  /** Path template from the root, path parameters in braces. */
  path: string;
  tag: EndpointTag;
  operationId: string;
  summary: string;
  description: string;
  parameters: readonly ParameterKey[];
  /** Of the whole answer, envelope included; a text where the answer is no JSON. */
  document: z.ZodType;
  /** Content-Type of the answer; JSON when left out. */
  contentType?: string;
  cache: CacheClass;
  /** What a client must be ready for beside 200 and 304. */
  errors: readonly ErrorCode[];
}

/** What the endpoints are about, in the order of the API reference. */
export const ENDPOINT_TAGS = {
  Events:
    "Changes of commission: who, when, from what to what, and from which epoch the delegator pays. Severity is RUG (a rise to " +
    "90 % or more), CAUTION (a rise of 10 percentage points or more to less than that; of MEV commission 20) or INFO. A change " +
    "is an event when a second reading confirmed it, or its transaction proves it; until then `/status` lists it as pending.",
  Validators:
    "Who validates, on what terms, and how that changed: the list by active stake, the search, and of each validator its " +
    "profile, commissions and stake by epoch, uptime by day and location.",
  Statistics: "Aggregates over a network: RUG events counted by epoch, and how concentrated its stake is.",
  Exports:
    "Whole tables to download, as CSV and as Parquet: all events, and stake and commissions of each epoch. They are written " +
    "when an epoch closes, and again when something is learnt of a closed one.",
  Network: "Progress of the running epoch, how fresh the data is, and this description.",
} as const;

export type EndpointTag = keyof typeof ENDPOINT_TAGS;

type EndpointKey = Exclude<ObjectKind, "index"> | "epoch" | "search" | "openapi";

const openApiSchema = z
  .object({
    openapi: z.string().meta({ description: "Version of the OpenAPI Specification." }),
    info: z
      .object({
        title: z.string().meta({ description: "Name of the API." }),
        version: z.string().meta({ description: "Version of the contract, as CHANGELOG_API.md counts." }),
      })
      .meta({ description: "What is described." }),
    paths: z.object({}).meta({ description: "The operations of each path." }),
  })
  .meta({ description: "Whole by https://spec.openapis.org/oas/v3.1.1; these fields are the least of it." });

/** Any endpoint can answer these: too many requests, or nothing to answer from just now. */
const ALWAYS = ["rate_limited", "upstream_unavailable"] as const satisfies ErrorCode[];

/**
 * Every endpoint; those of a tag in the order of the API reference. A kind of object without its endpoint does not compile.
 */
export const ENDPOINTS = {
  validators: {
    ...fromObject("validators"),
    tag: "Validators",
    operationId: "listValidators",
    summary: "Validators by active stake",
    description:
      "The validators of the last snapshot, largest active stake first, a page at a time. `meta.totalPages` says how many " +
      "pages there are; between two snapshots (ten minutes) pages fit together.",
    parameters: ["network", "page", "limit"],
    errors: ["invalid_network", "invalid_parameter", ...ALWAYS],
  },
  search: {
    path: "/api/v1/search",
    tag: "Validators",
    operationId: "searchValidators",
    summary: "Validators by name or key",
    description:
      "At most 20 of all validators known, those that left the network after the others: exact matches, then beginnings, " +
      "then parts of a name or vote account; equals by rank.",
    parameters: ["q", "network"],
    document: searchDocumentSchema,
    cache: "snapshot",
    errors: ["invalid_network", "invalid_parameter", ...ALWAYS],
  },
  validator: {
    ...fromObject("validator"),
    tag: "Validators",
    operationId: "getValidator",
    summary: "Profile of a validator",
    description:
      "The row of the list with MEV commission, performance and the commission that is paid now. Validators that left the " +
      "network keep their profile, with `listed: false`. A vote account that was never seen is 404 `validator_not_found`.",
    parameters: ["votePubkey", "network"],
    errors: ["invalid_network", "invalid_pubkey", "validator_not_found", ...ALWAYS],
  },
  commissionHistory: {
    ...fromObject("commissionHistory"),
    tag: "Validators",
    operationId: "getCommissionHistory",
    summary: "Commissions of a validator by epoch",
    description:
      "Announced inflation and MEV commission at the end of each epoch (of the running one: now), and what the rewards " +
      "earned in it pay. Without gaps, oldest first. Empty for a vote account that was never seen.",
    parameters: ["votePubkey", "network"],
    errors: ["invalid_network", "invalid_pubkey", ...ALWAYS],
  },
  stakeHistory: {
    ...fromObject("stakeHistory"),
    tag: "Validators",
    operationId: "getStakeHistory",
    summary: "Stake of a validator by epoch",
    description:
      "Active stake and rank as of the first observation of each epoch, oldest first. Empty for a vote account that was " +
      "never seen.",
    parameters: ["votePubkey", "network"],
    errors: ["invalid_network", "invalid_pubkey", ...ALWAYS],
  },
  uptime: {
    ...fromObject("uptime"),
    tag: "Validators",
    operationId: "getUptime",
    summary: "Uptime of a validator by day",
    description:
      "One check a minute, counted by UTC day, oldest first; of today up to the last full hour. Minutes in which over a " +
      "third of the stake was delinquent are incidents of the cluster and not counted.",
    parameters: ["votePubkey", "network", "days"],
    errors: ["invalid_network", "invalid_pubkey", "invalid_parameter", ...ALWAYS],
  },
  location: {
    ...fromObject("location"),
    tag: "Validators",
    operationId: "getLocation",
    summary: "Location of a validator",
    description:
      "Where its node is announced now, and its latest 50 moves, newest first. 404 `location_not_found` while no location " +
      "of it is known.",
    parameters: ["votePubkey", "network"],
    errors: ["invalid_network", "invalid_pubkey", "location_not_found", ...ALWAYS],
  },
  events: {
    ...fromObject("events"),
    tag: "Events",
    operationId: "listEvents",
    summary: "Commission events of the network",
    description:
      "Confirmed changes of inflation and MEV commission of every validator in the newest epochs, newest first, all at " +
      "once: there are no pages.",
    parameters: ["network", "epochs", "severity"],
    errors: ["invalid_network", "invalid_parameter", ...ALWAYS],
  },
  epochEvents: {
    ...fromObject("epochEvents"),
    tag: "Events",
    operationId: "listEpochRugs",
    summary: "RUG events of an epoch",
    description:
      "Of each validator and source only the newest RUG of the epoch, newest first. An epoch without any, or one that was " +
      "never observed, is an empty list.",
    parameters: ["epoch", "network"],
    errors: ["invalid_network", "invalid_parameter", ...ALWAYS],
  },
  validatorEvents: {
    ...fromObject("validatorEvents"),
    tag: "Events",
    operationId: "listValidatorEvents",
    summary: "Commission events of a validator",
    description:
      "Every change of its inflation and MEV commission that is known, newest first. Empty for a vote account without any, " +
      "and for one that was never seen.",
    parameters: ["votePubkey", "network"],
    errors: ["invalid_network", "invalid_pubkey", ...ALWAYS],
  },
  atomFeed: {
    ...fromObject("atomFeed"),
    tag: "Events",
    operationId: "getAtomFeed",
    summary: "Feed of events as Atom",
    description:
      "The newest 100 events that a second reading confirmed or a transaction proves, newest first, for a feed reader (RFC 4287). Each entry has an " +
      "id that never changes, the change in a sentence, its evidence, and a link to the validator's page. 404 `not_found` " +
      "while the network was never observed.",
    parameters: ["networkInPath", "feed"],
    errors: ["invalid_network", "not_found", ...ALWAYS],
  },
  jsonFeed: {
    ...fromObject("jsonFeed"),
    tag: "Events",
    operationId: "getJsonFeed",
    summary: "Feed of events as JSON Feed",
    description: "The same as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).",
    parameters: ["networkInPath", "feed"],
    errors: ["invalid_network", "not_found", ...ALWAYS],
  },
  rugsPerEpoch: {
    ...fromObject("rugsPerEpoch"),
    tag: "Statistics",
    operationId: "getRugsPerEpoch",
    summary: "RUG events by epoch",
    description:
      "Every RUG counted by epoch and source, epochs without one included, oldest first on a page; `meta.global` has the " +
      "sums of all time.",
    parameters: ["network", "epochsPerPage", "offset"],
    errors: ["invalid_network", "invalid_parameter", ...ALWAYS],
  },
  stakeConcentration: {
    ...fromObject("stakeConcentration"),
    tag: "Statistics",
    operationId: "getStakeConcentration",
    summary: "Concentration of stake",
    description:
      "Active stake by country, data centre, city, autonomous system, validator and client, and for each the Nakamoto " +
      "coefficient: the fewest entities that hold 33.33 % together. 404 `not_found` while no stake is located.",
    parameters: ["network"],
    errors: ["invalid_network", "not_found", ...ALWAYS],
  },
  exports: {
    ...fromObject("exports"),
    tag: "Exports",
    operationId: "listExports",
    summary: "Files to download",
    description:
      "Every export with its size and SHA-256: the events of all closed epochs, then stake and commissions epoch by epoch, " +
      "newest first. 404 `not_found` while the network was never observed.",
    parameters: ["network"],
    errors: ["invalid_network", "not_found", ...ALWAYS],
  },
  eventsCsv: {
    ...fromObject("eventsCsv"),
    tag: "Exports",
    operationId: "getEventsCsv",
    summary: "All events as CSV",
    description:
      "Every event of all closed epochs, newest first, with the fields of the API but the validator's name. `confirmed` is " +
      "false where only a public history tells of it. Percentages and times as in the API; an empty field is null; lines " +
      "end in CR LF. 404 `not_found` until an epoch has closed.",
    parameters: ["networkInPath"],
    errors: ["invalid_network", "not_found", ...ALWAYS],
  },
  eventsParquet: {
    ...fromObject("eventsParquet"),
    tag: "Exports",
    operationId: "getEventsParquet",
    summary: "All events as Parquet",
    description: "The same table; times are timestamps in milliseconds, epochs and slots 64-bit integers.",
    parameters: ["networkInPath"],
    errors: ["invalid_network", "not_found", ...ALWAYS],
  },
  historyCsv: {
    ...fromObject("historyCsv"),
    tag: "Exports",
    operationId: "getHistoryCsv",
    summary: "Stake and commissions of an epoch as CSV",
    description:
      "A row for each validator recorded in a closed epoch, largest stake first: its points of stake history and commission " +
      "history. Lamports in all their digits. 404 `not_found` for the running epoch and those that are not tracked.",
    parameters: ["networkInPath", "epoch"],
    errors: ["invalid_network", "invalid_parameter", "not_found", ...ALWAYS],
  },
  historyParquet: {
    ...fromObject("historyParquet"),
    tag: "Exports",
    operationId: "getHistoryParquet",
    summary: "Stake and commissions of an epoch as Parquet",
    description: "The same table; lamports are unsigned 64-bit integers.",
    parameters: ["networkInPath", "epoch"],
    errors: ["invalid_network", "invalid_parameter", "not_found", ...ALWAYS],
  },
  epoch: {
    path: "/api/v1/epoch",
    tag: "Network",
    operationId: "getEpoch",
    summary: "Progress of the epoch",
    description:
      "Read from the cluster and kept for some seconds, or extrapolated from the last snapshot by the measured slot time " +
      "while the cluster does not answer (`live: false`).",
    parameters: ["network"],
    document: epochDocumentSchema,
    cache: "epoch",
    errors: ["invalid_network", ...ALWAYS],
  },
  status: {
    ...fromObject("status"),
    tag: "Network",
    operationId: "getStatus",
    summary: "Freshness of the data",
    description:
      "When each source was last read, which changes wait for a second reading, which observations were refused and why, " +
      "and what the operators ruled. 404 `not_found` while nothing is published of the network.",
    parameters: ["network"],
    errors: ["invalid_network", "not_found", ...ALWAYS],
  },
  openapi: {
    path: "/api/v1/openapi.json",
    tag: "Network",
    operationId: "getOpenApi",
    summary: "This document",
    description: "The description of the API in OpenAPI 3.1: make a client of it, or read it as a reference.",
    parameters: [],
    document: openApiSchema,
    cache: "snapshot",
    errors: ["rate_limited"],
  },
} as const satisfies Record<EndpointKey, Endpoint>;

/** What the object of a kind already says about the endpoint that serves it. */
function fromObject(kind: ObjectKind) {
  const { form, path, schema, cache } = OBJECTS[kind];
  const { folder, extension, contentType } = FORMS[form];
  const isDocument = form === "document";
  const address = isDocument ? `/${folder}/${path}` : `/${folder}/{network}/${path}.${extension}`;
  return { path: address, document: schema, cache, contentType };
}
