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

/** Described in openapi-operations.ts. */
export type OperationTag = "Events" | "Validators" | "Wallets" | "Statistics" | "Exports" | "Network";

/** One operation; all are GET. */
export interface Operation extends Served, Described {
  tag: OperationTag;
  /** Beside 200 and 304. */
  errors: readonly ErrorCode[];
}

interface Served {
  /** Path template from the root, path parameters in braces. */
  path: string;
  /** The whole answer with its envelope; a text if not JSON. */
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
  /** If nothing exists for valid parameters. */
  notFound?: ErrorCode;
}

type OperationKey = Exclude<ObjectKind, "index" | "page" | "walletShard"> | "epoch" | "search" | "wallet" | "openapi";

/** Every operation, in the order of the reference. A kind of object without one does not compile. */
export const OPERATIONS = {
  validators: operation("Validators", ofObject("validators"), {
    operationId: "listValidators",
    summary: "Validators by active stake",
    description:
      "Lists the validators of the last snapshot, largest active stake first, page by page. `meta.totalPages` is the " +
      "number of pages. Pages with the same `meta.snapshotAt` form one list: if it changes (about every ten minutes), " +
      "start over.",
    parameters: ["network", "page", "limit"],
  }),
  search: operation(
    "Validators",
    { path: "/api/v1/search", document: searchDocumentSchema, cache: "snapshot" },
    {
      operationId: "searchValidators",
      summary: "Validators by name or key",
      description:
        "Finds at most 20 validators: exact matches first, then names and keys that begin with the text, then those that " +
        "contain it; ties by rank. Validators that left the network come last.",
      parameters: ["q", "network"],
    },
  ),
  validator: operation("Validators", ofObject("validator"), {
    operationId: "getValidator",
    summary: "Profile of a validator",
    description:
      "Shows one validator: its row of the list, MEV commission, performance, and the commission that rewards pay now. " +
      "A validator that left the network keeps its profile, with `listed: false` and its last `rank`. An unknown vote " +
      "account is 404 `validator_not_found`.",
    parameters: ["votePubkey", "network"],
    notFound: "validator_not_found",
  }),
  commissionHistory: operation("Validators", ofObject("commissionHistory"), {
    operationId: "getCommissionHistory",
    summary: "Commissions of a validator by epoch",
    description:
      "Lists, for every epoch without gaps, oldest first: the inflation and MEV commission announced at its end " +
      "(running epoch: now), and the commission that its rewards pay. Empty for an unknown vote account.",
    parameters: ["votePubkey", "network"],
  }),
  stakeHistory: operation("Validators", ofObject("stakeHistory"), {
    operationId: "getStakeHistory",
    summary: "Stake of a validator by epoch",
    description:
      "Lists active stake and rank at the first observation of each epoch, oldest first. Empty for an unknown vote " +
      "account.",
    parameters: ["votePubkey", "network"],
  }),
  uptime: operation("Validators", ofObject("uptime"), {
    operationId: "getUptime",
    summary: "Uptime of a validator by day",
    description:
      "Counts the checks (one a minute) of each UTC day, oldest first; today up to the last full hour. Minutes with " +
      "more than a third of the stake delinquent are outages of the cluster and do not count.",
    parameters: ["votePubkey", "network", "days"],
  }),
  location: operation("Validators", ofObject("location"), {
    operationId: "getLocation",
    summary: "Location of a validator",
    description:
      "Shows where its node is now, and its latest 50 moves, newest first. 404 `location_not_found` while no location " +
      "is known.",
    parameters: ["votePubkey", "network"],
    notFound: "location_not_found",
  }),
  events: operation("Events", ofObject("events"), {
    operationId: "listEvents",
    summary: "Commission events of the network",
    description:
      "Lists the inflation and MEV commission changes of all validators in the newest epochs, highest `slot` first, in " +
      "one answer. Those known only from a public history have `confirmed: false`. An event that Rugwatch finds late " +
      "appears in the middle: to follow the list, remember ids, not a position.",
    parameters: ["network", "epochs", "severity", "collapse"],
  }),
  epochEvents: operation("Events", ofObject("epochEvents"), {
    operationId: "listEpochRugs",
    summary: "RUG events of an epoch",
    description:
      "Lists the newest RUG of each validator and source in one epoch, newest first. Empty for an epoch without RUG " +
      "events and for an epoch that Rugwatch never observed.",
    parameters: ["epoch", "network"],
  }),
  validatorEvents: operation("Events", ofObject("validatorEvents"), {
    operationId: "listValidatorEvents",
    summary: "Commission events of a validator",
    description:
      "Lists every known change of its inflation and MEV commission, newest first. Empty for a validator without " +
      "changes and for an unknown vote account.",
    parameters: ["votePubkey", "network", "collapse"],
  }),
  atomFeed: operation("Events", ofObject("atomFeed"), {
    operationId: "getAtomFeed",
    summary: "Feed of events as Atom",
    description:
      "Serves the newest 100 confirmed events to feed readers (RFC 4287), newest first. Each entry has an id that " +
      "never changes, the change in a sentence, its evidence, and a link to the validator's page. All repeats of a " +
      "`pattern` share the entry of its first event, whose times stay. All members of an `incident` share an entry in " +
      "each feed that shows the severity of one of them; those that had an entry before lose it. To see every change, poll " +
      "`/api/v1/events`. 404 `not_found` until the first observation of the network.",
    parameters: ["networkInPath", "feed"],
  }),
  jsonFeed: operation("Events", ofObject("jsonFeed"), {
    operationId: "getJsonFeed",
    summary: "Feed of events as JSON Feed",
    description: "Serves the same feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).",
    parameters: ["networkInPath", "feed"],
  }),
  validatorAtomFeed: operation("Events", ofObject("validatorAtomFeed"), {
    operationId: "getValidatorAtomFeed",
    summary: "Feed of a validator's events as Atom",
    description:
      "Serves the newest 100 confirmed events of one validator. Repeats of a `pattern` get no entry of their own: to " +
      "see every rise, poll `/api/v1/validators/{votePubkey}/events`. 404 `not_found` until it has its first such event, " +
      "and for an unknown vote account. Empty if operators took all of its events back.",
    parameters: ["networkInPath", "votePubkey"],
    notFound: "not_found",
  }),
  validatorJsonFeed: operation("Events", ofObject("validatorJsonFeed"), {
    operationId: "getValidatorJsonFeed",
    summary: "Feed of a validator's events as JSON Feed",
    description: "Serves the same feed as JSON Feed 1.1.",
    parameters: ["networkInPath", "votePubkey"],
    notFound: "not_found",
  }),
  badge: operation("Validators", ofObject("badge"), {
    operationId: "getBadge",
    summary: "Badge of a validator",
    description:
      "Draws an SVG badge for a web page or README, 20 pixels high and as wide as its text: “rug in epoch N” (red, of " +
      "inflation or MEV commission, for ever), “raised to 10 % in epoch N” (amber), “no rise since epoch N” (green: since " +
      "the first known epoch, or since the last rise, which was taken back), or “not known yet” (gray). It changes when a " +
      "commission does. Link it to `/validators/{votePubkey}?network=…`. 404 `not_found` for an unknown vote account.",
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
        "Lists the delegated stake accounts that a wallet may withdraw, largest first: at most 1,000; `meta.total` and " +
        "`meta.stake` count all. The key of a stake account finds that account alone. Rugwatch reads the accounts once " +
        "an epoch (`meta.epoch`), from one endpoint, and leaves out those without a delegation; later changes are not in " +
        "the answer. 404 `wallet_not_found` for any other key, such as a vote account, and until the first index is " +
        "published.",
      parameters: ["pubkey", "network"],
      notFound: "wallet_not_found",
    },
  ),
  wallets: operation("Wallets", ofObject("wallets"), {
    operationId: "getWalletIndex",
    summary: "State of the wallet index",
    description:
      "Shows the epoch of all answers about wallets, and how many accounts they cover. 404 `not_found` until the first " +
      "index is published.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  rugsPerEpoch: operation("Statistics", ofObject("rugsPerEpoch"), {
    operationId: "getRugsPerEpoch",
    summary: "RUG events by epoch",
    description:
      "Counts RUG events by epoch and source, including epochs without one, oldest first on a page. `meta.global` has " +
      "the totals of all time; `meta.standing` lists the validators that still take 90 % or more after a RUG, however " +
      "old.",
    parameters: ["network", "epochsPerPage", "offset"],
  }),
  stakeConcentration: operation("Statistics", ofObject("stakeConcentration"), {
    operationId: "getStakeConcentration",
    summary: "Concentration of stake",
    description:
      "Sums active stake by country, data center, city, autonomous system, validator and client, with the Nakamoto " +
      "coefficient of each: the fewest entities that together hold 33.33 %. 404 `not_found` while no stake is located.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  exports: operation("Exports", ofObject("exports"), {
    operationId: "listExports",
    summary: "Files to download",
    description:
      "Lists every export with its size and SHA-256: the events of all closed epochs, then stake and commissions by " +
      "epoch, newest first. 404 `not_found` until the first observation of the network.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  eventsCsv: operation("Exports", ofObject("eventsCsv"), {
    operationId: "getEventsCsv",
    summary: "All events as CSV",
    description:
      "Every event of all closed epochs, newest first, with the API's fields except `validatorName`, `pattern`, `incident`, " +
      "`cost` and `transaction.steps`; `transaction` is split into five columns. `confirmed` is false for events known only " +
      "from a public history. Percentages and times are written as in the API; an empty field is null; lines end in CR " +
      "LF. 404 `not_found` until an epoch has closed.",
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
      "One row for each validator of a closed epoch, largest stake first: its stake history and commission history at " +
      "that epoch. Lamports are exact. 404 `not_found` for the running epoch and for epochs that are not tracked.",
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
        "Reads the progress from the cluster and keeps it for a few seconds. While the cluster does not answer, " +
        "extrapolates it from the last snapshot by the measured slot time (`live: false`).",
      parameters: ["network"],
    },
  ),
  status: operation("Network", ofObject("status"), {
    operationId: "getStatus",
    summary: "Freshness of the data",
    description:
      "Shows when each source was last read, which changes wait for a second reading, which observations were refused " +
      "and why, and the operators' rulings. 404 `not_found` until something is published for the network.",
    parameters: ["network"],
    notFound: "not_found",
  }),
  sitemap: operation("Network", ofObject("sitemap"), {
    operationId: "getSitemap",
    summary: "Pages of all listed validators",
    description: "A sitemap for search engines, with the time of each validator's newest event.",
    parameters: ["networkInPath"],
    notFound: "not_found",
  }),
  openapi: {
    path: "/api/v1/openapi.json",
    tag: "Network",
    operationId: "getOpenApi",
    summary: "This document",
    description: "Describes the API in OpenAPI 3.1: generate a client from it, or read it as a reference.",
    parameters: [],
    document: openApiSchema,
    cache: "snapshot",
    errors: ["rate_limited"],
  },
} as const satisfies Record<OperationKey, Operation>;

function ofObject(kind: ObjectKind) {
  const { form, path, schema, cache } = OBJECTS[kind];
  const { folder, extension, contentType } = FORMS[form];
  const address = form === "document" ? `/${folder}/${path}` : `/${folder}/{network}/${path}.${extension}`;
  return { path: address, document: schema, cache, contentType };
}

/** Its errors, in the order of ERROR_CODES. */
function operation<Own extends Served, const Row extends Described>(tag: OperationTag, served: Own, described: Row) {
  const own = described.parameters.map((key) => PARAMETERS[key].code);
  const all = new Set<ErrorCode | undefined>([...own, described.notFound, "rate_limited", "upstream_unavailable"]);
  const errors = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => all.has(code));
  return { ...served, tag, ...described, errors };
}
