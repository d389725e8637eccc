import type { z } from "zod";
import type { CacheClass } from "./cache.ts";
import { epochDocumentSchema } from "./epoch.ts";
import { ERROR_CODES, type ErrorCode } from "./errors.ts";
import { FORMS } from "./forms.ts";
import { openApiSchema } from "./json-schema.ts";
import { OBJECTS, type ObjectKind } from "./objects.ts";
import { PARAMETERS, type ParameterKey } from "./parameters.ts";
import { searchDocumentSchema } from "./search.ts";
import { walletDocumentSchema } from "./wallets.ts";

/** What operations are about; openapi-operations.ts says it in a sentence. */
export type OperationTag = "Events" | "Validators" | "Wallets" | "Statistics" | "Exports" | "Network";

/** One operation of the API, as OpenAPI calls a path with its method. All of them are GET. */
export interface Operation extends Served, Described {
  tag: OperationTag;
  /** What a client must be ready for beside 200 and 304. */
  errors: readonly ErrorCode[];
}

interface Served {
  /** Path template from the root, path parameters in braces. */
  path: string;
  /** Of the whole answer, envelope included; a text where the answer is no JSON. */
  document: z.ZodType;
  /** Content-Type of the answer; JSON when left out. */
  contentType?: string;
  cache: CacheClass;
}

interface Described {
  operationId: string;
  summary: string;
  description: string;
  parameters: readonly ParameterKey[];
  /** Answered where there is nothing, though every parameter is right. */
  notFound?: ErrorCode;
}

type OperationKey = Exclude<ObjectKind, "index" | "page" | "walletShard"> | "epoch" | "search" | "wallet" | "openapi";

/** Every operation; those of a tag in the order of the API reference. A kind of object without its operation does not compile. */
export const OPERATIONS = {
  validators: operation("Validators", ofObject("validators"), {
    operationId: "listValidators",
    summary: "Validators by active stake",
    description:
      "The validators of the last snapshot, largest active stake first, a page at a time. `meta.totalPages` says how many " +
      "pages there are; between two snapshots (ten minutes) pages fit together.",
    parameters: ["network", "page", "limit"],
  }),
  search: operation(
    "Validators",
    { path: "/api/v1/search", document: searchDocumentSchema, cache: "snapshot" },
    {
      operationId: "searchValidators",
      summary: "Validators by name or key",
      description:
        "At most 20 of all validators known, those that left the network after the others: exact matches, then beginnings, " +
        "then parts of a name, vote account or identity; equals by rank.",
      parameters: ["q", "network"],
    },
  ),
  validator: operation("Validators", ofObject("validator"), {
    operationId: "getValidator",
    summary: "Profile of a validator",
    description:
      "The row of the list with MEV commission, performance and the commission that is paid now. Validators that left the " +
      "network keep their profile, with `listed: false`. A vote account that was never seen is 404 `validator_not_found`.",
    parameters: ["votePubkey", "network"],
    notFound: "validator_not_found",
  }),
  commissionHistory: operation("Validators", ofObject("commissionHistory"), {
    operationId: "getCommissionHistory",
    summary: "Commissions of a validator by epoch",
    description:
      "Announced inflation and MEV commission at the end of each epoch (of the running one: now), and what the rewards " +
      "earned in it pay. Without gaps, oldest first. Empty for a vote account that was never seen.",
    parameters: ["votePubkey", "network"],
  }),
  stakeHistory: operation("Validators", ofObject("stakeHistory"), {
    operationId: "getStakeHistory",
    summary: "Stake of a validator by epoch",
    description:
      "Active stake and rank as of the first observation of each epoch, oldest first. Empty for a vote account that was " +
      "never seen.",
    parameters: ["votePubkey", "network"],
  }),
  uptime: operation("Validators", ofObject("uptime"), {
    operationId: "getUptime",
    summary: "Uptime of a validator by day",
    description:
      "One check a minute, counted by UTC day, oldest first; of today up to the last full hour. Minutes in which over a " +
      "third of the stake was delinquent are incidents of the cluster and not counted.",
    parameters: ["votePubkey", "network", "days"],
  }),
  location: operation("Validators", ofObject("location"), {
    operationId: "getLocation",
    summary: "Location of a validator",
    description:
      "Where its node is announced now, and its latest 50 moves, newest first. 404 `location_not_found` while no location " +
      "of it is known.",
    parameters: ["votePubkey", "network"],
    notFound: "location_not_found",
  }),
  events: operation("Events", ofObject("events"), {
    operationId: "listEvents",
    summary: "Commission events of the network",
    description:
      "Confirmed changes of inflation and MEV commission of every validator in the newest epochs, newest first, all at " +
      "once: there are no pages.",
    parameters: ["network", "epochs", "severity", "collapse"],
  }),
  epochEvents: operation("Events", ofObject("epochEvents"), {
    operationId: "listEpochRugs",
    summary: "RUG events of an epoch",
    description:
      "Of each validator and source only the newest RUG of the epoch, newest first. An epoch without any, or one that was " +
      "never observed, is an empty list.",
    parameters: ["epoch", "network"],
  }),
  validatorEvents: operation("Events", ofObject("validatorEvents"), {
    operationId: "listValidatorEvents",
    summary: "Commission events of a validator",
    description:
      "Every change of its inflation and MEV commission that is known, newest first. Empty for a vote account without any, " +
      "and for one that was never seen.",
    parameters: ["votePubkey", "network", "collapse"],
  }),
  atomFeed: operation("Events", ofObject("atomFeed"), {
    operationId: "getAtomFeed",
    summary: "Feed of events as Atom",
    description:
      "The newest 100 events that a second reading confirmed or a transaction proves, newest first, for a feed reader (RFC 4287). Each entry has an " +
      "id that never changes, the change in a sentence, its evidence, and a link to the validator's page. 404 `not_found` " +
      "while the network was never observed.",
    parameters: ["networkInPath", "feed"],
  }),
  jsonFeed: operation("Events", ofObject("jsonFeed"), {
    operationId: "getJsonFeed",
    summary: "Feed of events as JSON Feed",
    description: "The same as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).",
    parameters: ["networkInPath", "feed"],
  }),
  validatorAtomFeed: operation("Events", ofObject("validatorAtomFeed"), {
    operationId: "getValidatorAtomFeed",
    summary: "Feed of a validator's events as Atom",
    description:
      "The same of one validator: its newest 100 events. 404 `not_found` while nothing has happened to it that a feed " +
      "shows. Empty where all that had was taken back.",
    parameters: ["networkInPath", "votePubkey"],
    notFound: "not_found",
  }),
  validatorJsonFeed: operation("Events", ofObject("validatorJsonFeed"), {
    operationId: "getValidatorJsonFeed",
    summary: "Feed of a validator's events as JSON Feed",
    description: "The same as JSON Feed 1.1.",
    parameters: ["networkInPath", "votePubkey"],
    notFound: "not_found",
  }),
  badge: operation("Validators", ofObject("badge"), {
    operationId: "getBadge",
    summary: "Badge of a validator",
    description:
      "A picture (SVG) to put on a page or into a README: «rug in epoch N» (red), «raised to 10 % in epoch N» (amber), «no " +
      "rise since epoch N» (green: since the first epoch known, or the last rise, which was taken back), or «not known yet» " +
      "(grey). It changes when a commission does. 404 `not_found` for a vote account that was never seen.",
    parameters: ["networkInPath", "votePubkey"],
    notFound: "not_found",
  }),
  wallet: operation(
    "Wallets",
    { path: "/api/v1/wallets/{pubkey}", document: walletDocumentSchema, cache: "snapshot" },
    {
      operationId: "getWallet",
      summary: "Stake accounts of a wallet",
      description:
        "The delegated stake accounts that a wallet may withdraw, largest first: at most 1,000 are listed, `meta.total` and " +
        "`meta.stake` count all. Of a stake account's own key that one alone. Read once an epoch, as one endpoint told it: " +
        "`meta.epoch` says which. Accounts without a delegation are left out. 404 `wallet_not_found` for any other key, and " +
        "while no index has been published.",
      parameters: ["pubkey", "network"],
      notFound: "wallet_not_found",
    },
  ),
  wallets: operation("Wallets", ofObject("wallets"), {
    operationId: "getWalletIndex",
    summary: "The wallet index as a whole",
    description:
      "Of which epoch the answers about wallets are, and how many accounts they cover. 404 `not_found` until the first " +
      "index has been published.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  rugsPerEpoch: operation("Statistics", ofObject("rugsPerEpoch"), {
    operationId: "getRugsPerEpoch",
    summary: "RUG events by epoch",
    description:
      "Every RUG counted by epoch and source, epochs without one included, oldest first on a page; `meta.global` has the " +
      "sums of all time, `meta.standing` who takes 90 % or more at present after one, however long ago.",
    parameters: ["network", "epochsPerPage", "offset"],
  }),
  stakeConcentration: operation("Statistics", ofObject("stakeConcentration"), {
    operationId: "getStakeConcentration",
    summary: "Concentration of stake",
    description:
      "Active stake by country, data centre, city, autonomous system, validator and client, and for each the Nakamoto " +
      "coefficient: the fewest entities that hold 33.33 % together. 404 `not_found` while no stake is located.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  exports: operation("Exports", ofObject("exports"), {
    operationId: "listExports",
    summary: "Files to download",
    description:
      "Every export with its size and SHA-256: the events of all closed epochs, then stake and commissions epoch by epoch, " +
      "newest first. 404 `not_found` while the network was never observed.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  eventsCsv: operation("Exports", ofObject("eventsCsv"), {
    operationId: "getEventsCsv",
    summary: "All events as CSV",
    description:
      "Every event of all closed epochs, newest first, with the fields of the API but the validator's name. `confirmed` is " +
      "false where only a public history tells of it. Percentages and times as in the API; an empty field is null; lines " +
      "end in CR LF. 404 `not_found` until an epoch has closed.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  eventsParquet: operation("Exports", ofObject("eventsParquet"), {
    operationId: "getEventsParquet",
    summary: "All events as Parquet",
    description: "The same table; times are timestamps in milliseconds, epochs and slots 64-bit integers.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  historyCsv: operation("Exports", ofObject("historyCsv"), {
    operationId: "getHistoryCsv",
    summary: "Stake and commissions of an epoch as CSV",
    description:
      "A row for each validator recorded in a closed epoch, largest stake first: its points of stake history and commission " +
      "history. Lamports in all their digits. 404 `not_found` for the running epoch and those that are not tracked.",
    parameters: ["networkInPath", "epoch"],
    notFound: "not_found",
  }),
  historyParquet: operation("Exports", ofObject("historyParquet"), {
    operationId: "getHistoryParquet",
    summary: "Stake and commissions of an epoch as Parquet",
    description: "The same table; lamports are unsigned 64-bit integers.",
    parameters: ["networkInPath", "epoch"],
    notFound: "not_found",
  }),
  epoch: operation(
    "Network",
    { path: "/api/v1/epoch", document: epochDocumentSchema, cache: "epoch" },
    {
      operationId: "getEpoch",
      summary: "Progress of the epoch",
      description:
        "Read from the cluster and kept for some seconds, or extrapolated from the last snapshot by the measured slot time " +
        "while the cluster does not answer (`live: false`).",
      parameters: ["network"],
    },
  ),
  status: operation("Network", ofObject("status"), {
    operationId: "getStatus",
    summary: "Freshness of the data",
    description:
      "When each source was last read, which changes wait for a second reading, which observations were refused and why, " +
      "and what the operators ruled. 404 `not_found` while nothing is published of the network.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  sitemap: operation("Network", ofObject("sitemap"), {
    operationId: "getSitemap",
    summary: "Pages of all listed validators",
    description: "For search engines: a sitemap with the time of each validator's newest event.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
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
} as const satisfies Record<OperationKey, Operation>;

/** What the object of a kind already says about the operation that serves it. */
function ofObject(kind: ObjectKind) {
  const { form, path, schema, cache } = OBJECTS[kind];
  const { folder, extension, contentType } = FORMS[form];
  const address = form === "document" ? `/${folder}/${path}` : `/${folder}/{network}/${path}.${extension}`;
  return { path: address, document: schema, cache, contentType };
}

/** Its errors in the order of their table: those of its parameters, of what may not be there, and what any can answer. */
function operation<Own extends Served, const Row extends Described>(tag: OperationTag, served: Own, described: Row) {
  const own = described.parameters.map((key) => PARAMETERS[key].code);
  const all = new Set<ErrorCode | undefined>([...own, described.notFound, "rate_limited", "upstream_unavailable"]);
  const errors = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => all.has(code));
  return { ...served, tag, ...described, errors };
}
