import type { Network } from "../../generator/contract/networks.ts";
import { OBJECTS, type NamesOf, type ObjectKind } from "../../generator/contract/objects.ts";
import { toAnswer } from "../answers/answer.ts";
import { ApiError } from "../http/api-error.ts";
import type { Documents } from "../held/documents.ts";
import { toJson } from "../answers/envelope.ts";
import { readEpoch, readFeed, readVotePubkey } from "../http/parameters.ts";
import type { ApiRequest, Route } from "../http/route.ts";

/** Endpoints 2 to 5, 7, 9, 11, the status, the feeds and the exports: what depends on nothing but its path is passed through. */
export function staticRoutes(documents: Documents): Route[] {
  return [
    staticRoute(documents, { kind: "validator", toNames: toVotePubkey, toMissing: validatorNotFound }),
    staticRoute(documents, { kind: "validatorEvents", toNames: toVotePubkey, toMissing: toEmptyOfValidator }),
    staticRoute(documents, { kind: "commissionHistory", toNames: toVotePubkey, toMissing: toEmptyOfValidator }),
    staticRoute(documents, { kind: "stakeHistory", toNames: toVotePubkey, toMissing: toEmptyOfValidator }),
    staticRoute(documents, { kind: "location", toNames: toVotePubkey, toMissing: locationNotFound }),
    staticRoute(documents, { kind: "epochEvents", toNames: toEpoch, toMissing: toEmptyOfEpoch }),
    staticRoute(documents, { kind: "stakeConcentration", toNames: toNone, toMissing: nothingPublished }),
    staticRoute(documents, { kind: "status", toNames: toNone, toMissing: nothingPublished }),
    staticRoute(documents, { kind: "atomFeed", toNames: toFeed, toMissing: nothingPublished }),
    staticRoute(documents, { kind: "jsonFeed", toNames: toFeed, toMissing: nothingPublished }),
    staticRoute(documents, { kind: "exports", toNames: toNone, toMissing: nothingPublished }),
    staticRoute(documents, { kind: "eventsCsv", toNames: toNone, toMissing: nothingPublished }),
    staticRoute(documents, { kind: "eventsParquet", toNames: toNone, toMissing: nothingPublished }),
    staticRoute(documents, { kind: "historyCsv", toNames: toEpoch, toMissing: nothingPublished }),
    staticRoute(documents, { kind: "historyParquet", toNames: toEpoch, toMissing: nothingPublished }),
  ];
}

interface StaticRouteOptions<Kind extends ObjectKind, Names extends NamesOf<Kind>> {
  kind: Kind & Route["endpoint"];
  /** Reads the path parameters. */
  toNames: (request: ApiRequest) => Names;
  /** What is answered if there is no such document: a body, or an error it throws. */
  toMissing: (network: Network, names: Names) => string;
}

function staticRoute<Kind extends ObjectKind, Names extends NamesOf<Kind>>(
  documents: Documents,
  { kind, toNames, toMissing }: StaticRouteOptions<Kind, Names>,
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

function nothingPublished(network: Network): never {
  throw new ApiError({ code: "not_found", message: `This has not been published for ${network} yet.` });
}
