import { z } from "zod";
import type { CacheClass } from "./cache.ts";
import { epochDocumentSchema } from "./epoch.ts";
import type { ErrorCode } from "./errors.ts";
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
  /** Of the whole answer, envelope included. */
  document: z.ZodType;
  cache: CacheClass;
  /** What a client must be ready for beside 200 and 304. */
  errors: readonly ErrorCode[];
}

export const ENDPOINT_TAGS = {
  Validators: "Who validates, on what terms, and how that changed.",
  Events: "Changes of commission: when, by how much, and from which epoch they cost the delegator.",
  Statistics: "Aggregates over a network.",
  Network: "Progress of the epoch and freshness of the data.",
} as const;

export type EndpointTag = keyof typeof ENDPOINT_TAGS;

type EndpointKey = Exclude<ObjectKind, "index"> | "epoch" | "search" | "openapi";

/** Any endpoint can answer these: too many requests, or nothing to answer from just now. */
const ALWAYS = ["rate_limited", "upstream_unavailable"] as const satisfies ErrorCode[];

/** Every endpoint, in the order of the API reference. A kind of object without its endpoint does not compile. */
export const ENDPOINTS = {
  validators: {
    ...fromObject("validators"),
    tag: "Validators",
    operationId: "listValidators",
    summary: "Validators by active stake",
    description: "The validators of the last snapshot, largest active stake first, a page at a time.",
    parameters: ["network", "page", "limit"],
    errors: ["invalid_network", "invalid_parameter", ...ALWAYS],
  },
  validator: {
    ...fromObject("validator"),
    tag: "Validators",
    operationId: "getValidator",
    summary: "Profile of a validator",
    description:
      "The row of the list with MEV commission, performance and the commission that is paid now. " +
      "Validators that left the network keep their profile.",
    parameters: ["votePubkey", "network"],
    errors: ["invalid_network", "invalid_pubkey", "validator_not_found", ...ALWAYS],
  },
  validatorEvents: {
    ...fromObject("validatorEvents"),
    tag: "Events",
    operationId: "listValidatorEvents",
    summary: "Commission events of a validator",
    description: "Every change of its inflation and MEV commission, newest first.",
    parameters: ["votePubkey", "network"],
    errors: ["invalid_network", "invalid_pubkey", ...ALWAYS],
  },
  commissionHistory: {
    ...fromObject("commissionHistory"),
    tag: "Validators",
    operationId: "getCommissionHistory",
    summary: "Commissions of a validator by epoch",
    description:
      "Announced inflation and MEV commission at the end of each epoch, and what the rewards of that epoch paid. " +
      "Without gaps, oldest first.",
    parameters: ["votePubkey", "network"],
    errors: ["invalid_network", "invalid_pubkey", ...ALWAYS],
  },
  stakeHistory: {
    ...fromObject("stakeHistory"),
    tag: "Validators",
    operationId: "getStakeHistory",
    summary: "Stake of a validator by epoch",
    description: "Active stake and rank as of the first observation of each epoch, oldest first.",
    parameters: ["votePubkey", "network"],
    errors: ["invalid_network", "invalid_pubkey", ...ALWAYS],
  },
  uptime: {
    ...fromObject("uptime"),
    tag: "Validators",
    operationId: "getUptime",
    summary: "Uptime of a validator by day",
    description:
      "One check a minute, counted by UTC day, oldest first. Minutes in which over a third of the stake was delinquent " +
      "are incidents of the cluster and not counted.",
    parameters: ["votePubkey", "network", "days"],
    errors: ["invalid_network", "invalid_pubkey", "invalid_parameter", ...ALWAYS],
  },
  location: {
    ...fromObject("location"),
    tag: "Validators",
    operationId: "getLocation",
    summary: "Location of a validator",
    description: "Where its node is announced now, and its latest moves, newest first.",
    parameters: ["votePubkey", "network"],
    errors: ["invalid_network", "invalid_pubkey", "location_not_found", ...ALWAYS],
  },
  events: {
    ...fromObject("events"),
    tag: "Events",
    operationId: "listEvents",
    summary: "Commission events of the network",
    description: "Changes of every validator in the newest epochs, newest first.",
    parameters: ["network", "epochs", "severity"],
    errors: ["invalid_network", "invalid_parameter", ...ALWAYS],
  },
  epochEvents: {
    ...fromObject("epochEvents"),
    tag: "Events",
    operationId: "listEpochRugs",
    summary: "RUG events of an epoch",
    description:
      "Of each validator and source only the newest RUG of the epoch. An epoch without any is an empty list.",
    parameters: ["epoch", "network"],
    errors: ["invalid_network", "invalid_parameter", ...ALWAYS],
  },
  rugsPerEpoch: {
    ...fromObject("rugsPerEpoch"),
    tag: "Statistics",
    operationId: "getRugsPerEpoch",
    summary: "RUG events by epoch",
    description:
      "Every RUG counted by epoch and source, epochs without one included, oldest first; the sums of all time.",
    parameters: ["network", "epochsPerPage", "offset"],
    errors: ["invalid_network", "invalid_parameter", ...ALWAYS],
  },
  stakeConcentration: {
    ...fromObject("stakeConcentration"),
    tag: "Statistics",
    operationId: "getStakeConcentration",
    summary: "Concentration of stake",
    description:
      "Stake by country, data centre, city, autonomous system, validator and client, and for each the number of " +
      "entities that hold a third together. Nothing located yet: 404.",
    parameters: ["network"],
    errors: ["invalid_network", "not_found", ...ALWAYS],
  },
  epoch: {
    path: "/api/v1/epoch",
    tag: "Network",
    operationId: "getEpoch",
    summary: "Progress of the epoch",
    description: "Read from the cluster, or extrapolated from the last snapshot while the cluster does not answer.",
    parameters: ["network"],
    document: epochDocumentSchema,
    cache: "epoch",
    errors: ALWAYS,
  },
  search: {
    path: "/api/v1/search",
    tag: "Validators",
    operationId: "searchValidators",
    summary: "Validators by name or key",
    description: "At most 20: exact matches, then beginnings, then parts of a name or vote account.",
    parameters: ["q", "network"],
    document: searchDocumentSchema,
    cache: "snapshot",
    errors: ["invalid_network", "invalid_parameter", ...ALWAYS],
  },
  status: {
    ...fromObject("status"),
    tag: "Network",
    operationId: "getStatus",
    summary: "Freshness of the data",
    description: "When each source was last read, what is pending, what was refused and why.",
    parameters: ["network"],
    errors: ["invalid_network", "not_found", ...ALWAYS],
  },
  openapi: {
    path: "/api/v1/openapi.json",
    tag: "Network",
    operationId: "getOpenApi",
    summary: "This document",
    description: "The OpenAPI description of the API.",
    parameters: [],
    document: z.object({ openapi: z.string() }),
    cache: "snapshot",
    errors: ["rate_limited"],
  },
} as const satisfies Record<EndpointKey, Endpoint>;

/** What the object of a kind already says about the endpoint that serves it. */
function fromObject(kind: ObjectKind) {
  const { path, schema, cache } = OBJECTS[kind];
  return { path: `/api/v1/${path}`, document: schema, cache };
}
