import { listUptime } from "../../generator/contract/lists.ts";
import { parseDocument } from "../cache/store.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { OBJECTS, type NamesOf, type ObjectKind } from "../../generator/contract/objects.ts";
import { toAnswer } from "../cache/answer.ts";
import { ApiError } from "../http/api-error.ts";
import type { Documents } from "../cache/documents.ts";
import { toJson } from "../cache/answer.ts";
import { readDays, readEpoch, readFeed, readVotePubkey } from "./parameters.ts";
import type { ApiRequest, Route } from "./route.ts";

/** Endpoints 2 to 7, 9, 11, the status, the feeds and the exports: what depends on nothing but its path is passed through. */
export function documentRoutes(documents: Documents): Route[] {
  const route = <Kind extends ObjectKind, Names extends NamesOf<Kind>>(
    kind: Kind & Route["endpoint"],
    toNames: (request: ApiRequest) => Names,
    toMissing: (network: Network, names: Names) => string,
  ) => documentRoute(documents, { kind, toNames, toMissing });
  return [
    uptimeRoute(documents),
    route("validator", toVotePubkey, validatorNotFound),
    route("validatorEvents", toVotePubkey, toEmptyOfValidator),
    route("commissionHistory", toVotePubkey, toEmptyOfValidator),
    route("stakeHistory", toVotePubkey, toEmptyOfValidator),
    route("location", toVotePubkey, locationNotFound),
    route("epochEvents", toEpoch, toEmptyOfEpoch),
    route("stakeConcentration", toNone, nothingPublished),
    route("status", toNone, nothingPublished),
    route("atomFeed", toFeed, nothingPublished),
    route("jsonFeed", toFeed, nothingPublished),
    route("validatorAtomFeed", toVotePubkey, nothingHappened),
    route("validatorJsonFeed", toVotePubkey, nothingHappened),
    route("exports", toNone, nothingPublished),
    route("eventsCsv", toNone, nothingPublished),
    route("eventsParquet", toNone, nothingPublished),
    route("historyCsv", toEpoch, nothingPublished),
    route("historyParquet", toEpoch, nothingPublished),
  ];
}

/** Endpoint 6: a validator's checks by day; with `days` only the newest recorded ones, and the sums over these. */
function uptimeRoute(documents: Documents): Route {
  return {
    endpoint: "uptime",
    async answer({ network, names, query }) {
      const votePubkey = readVotePubkey(names["votePubkey"]);
      const days = readDays(query);
      const reading = await documents.get(network, "uptime", { votePubkey });
      const { value } = reading;
      if (value !== null && days === undefined) return { ...reading, value };
      const recorded = value === null ? [] : parseDocument("uptime", value.body).data;
      const document = listUptime({ network, votePubkey }, recorded, { days });
      return { ...reading, value: toAnswer(JSON.stringify(document), OBJECTS.uptime.cache) };
    },
  };
}

interface DocumentRouteOptions<Kind extends ObjectKind, Names extends NamesOf<Kind>> {
  kind: Kind & Route["endpoint"];
  /** Reads the path parameters. */
  toNames: (request: ApiRequest) => Names;
  /** What is answered if there is no such document: a body, or an error it throws. */
  toMissing: (network: Network, names: Names) => string;
}

function documentRoute<Kind extends ObjectKind, Names extends NamesOf<Kind>>(
  documents: Documents,
  { kind, toNames, toMissing }: DocumentRouteOptions<Kind, Names>,
): Route {
  return {
    endpoint: kind,
    async answer(request) {
      const names = toNames(request);
      const reading = await documents.get<Kind>(request.network, kind, names);
      return { ...reading, value: reading.value ?? toAnswer(toMissing(request.network, names), OBJECTS[kind].cache) };
    },
  };
}

function toVotePubkey({ names }: ApiRequest) {
  return { votePubkey: readVotePubkey(names["votePubkey"]) };
}

function toEpoch({ names }: ApiRequest) {
  return { epoch: readEpoch(names["epoch"]) };
}

function toFeed({ names }: ApiRequest) {
  return { feed: readFeed(names["feed"]) };
}

function toNone() {
  return {};
}

function toEmptyOfValidator(network: Network, { votePubkey }: { votePubkey: string }): string {
  return toJson([], { network, total: 0, votePubkey });
}

function toEmptyOfEpoch(network: Network, { epoch }: { epoch: number }): string {
  return toJson([], { network, epoch, total: 0, uniqueValidators: 0 });
}

function validatorNotFound(network: Network, { votePubkey }: { votePubkey: string }): never {
  throw new ApiError({
    code: "validator_not_found",
    message: `No validator of ${network} has the vote account ${votePubkey}.`,
  });
}

function locationNotFound(network: Network, { votePubkey }: { votePubkey: string }): never {
  throw new ApiError({ code: "location_not_found", message: `No location is known of ${votePubkey} on ${network}.` });
}

function nothingHappened(network: Network, { votePubkey }: { votePubkey: string }): never {
  throw new ApiError({
    code: "not_found",
    message: `Nothing that a feed shows has happened to ${votePubkey} on ${network}.`,
  });
}

function nothingPublished(network: Network): never {
  throw new ApiError({ code: "not_found", message: `This has not been published for ${network} yet.` });
}
