import { listOfValidator, listUptime, withoutRepeats } from "../../generator/contract/lists.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { OBJECTS, type DocumentOf, type NamesOf, type ObjectKind } from "../../generator/contract/objects.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { findWallet, toWalletShard } from "../../generator/contract/wallets.ts";
import { toAnswer, toJson } from "../cache/answer.ts";
import type { Documents } from "../cache/documents.ts";
import { parseDocument } from "../cache/store.ts";
import { ApiError } from "../http/errors.ts";
import { readCollapse, readDays, readEpoch, readFeed, readPubkey } from "./parameters.ts";
import type { ApiRequest, Query, Route } from "./parameters.ts";

/** Objects of the store, passed through unless a query asks for a part of one. */
export function documentRoutes(documents: Documents): Route[] {
  const route = <Kind extends ObjectKind, Names extends NamesOf<Kind>>(
    kind: Kind & Route["operation"],
    toNames: (request: ApiRequest) => Names,
    toMissing: (network: Network, names: Names) => string,
  ): Route => ({
    operation: kind,
    async answer(request) {
      const names = toNames(request);
      const reading = await documents.get<Kind>(request.network, kind, names);
      return { ...reading, value: reading.value ?? toAnswer(toMissing(request.network, names), OBJECTS[kind].cache) };
    },
  });
  return [
    partRoute(documents, "uptime", (query) => {
      const days = readDays(query);
      return { isWhole: days === undefined, toPart: (of, all) => listUptime(of, all, { days }) };
    }),
    partRoute(documents, "validatorEvents", (query) => ({
      isWhole: !readCollapse(query),
      toPart: (of, all) => listOfValidator(of, withoutRepeats(all)),
    })),
    walletRoute(documents),
    route("wallets", toNone, nothingPublished),
    route("validator", toVotePubkey, validatorNotFound),
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
    route("badge", toVotePubkey, badgeNotFound),
    route("sitemap", toNone, nothingPublished),
    route("exports", toNone, nothingPublished),
    route("eventsCsv", toNone, nothingClosed),
    route("eventsParquet", toNone, nothingClosed),
    route("historyCsv", toEpoch, epochNotExported),
    route("historyParquet", toEpoch, epochNotExported),
  ];
}

interface Part<Kind extends "uptime" | "validatorEvents"> {
  isWhole: boolean;
  toPart: (of: { network: Network; votePubkey: string }, all: DocumentOf<Kind>["data"]) => object;
}

function partRoute<Kind extends "uptime" | "validatorEvents">(
  documents: Documents,
  kind: Kind,
  read: (query: Query) => Part<Kind>,
): Route {
  return {
    operation: kind,
    async answer({ network, names, query }) {
      const votePubkey = readPubkey(names["votePubkey"]);
      const { isWhole, toPart } = read(query);
      const reading = await documents.get<"uptime" | "validatorEvents">(network, kind, { votePubkey });
      const { value } = reading;
      if (value !== null && isWhole) return { ...reading, value };
      const all = value === null ? [] : parseDocument(kind, value.body).data;
      const part = JSON.stringify(toPart({ network, votePubkey }, all));
      return { ...reading, value: toAnswer(part, OBJECTS[kind].cache) };
    },
  };
}

/** Reads how many shards there are, then the key's shard. */
function walletRoute(documents: Documents): Route {
  return {
    operation: "wallet",
    async answer({ network, names }) {
      const pubkey = readPubkey(names["pubkey"], PARAMETERS.pubkey);
      const index = await documents.get(network, "wallets", {});
      if (index.value === null) walletIndexNotFound(network);
      const { shards, epoch } = parseDocument("wallets", index.value.body).data;
      const reading = await documents.get(network, "walletShard", { shard: toWalletShard(pubkey, shards) });
      const wallet = reading.value && findWallet(parseDocument("walletShard", reading.value.body), pubkey);
      if (wallet === null) walletNotFound(network, { pubkey, epoch });
      return { ...reading, value: toAnswer(JSON.stringify(wallet), OPERATIONS.wallet.cache) };
    },
  };
}

const toNone = () => ({});
const toVotePubkey = ({ names }: ApiRequest) => ({ votePubkey: readPubkey(names["votePubkey"]) });
const toEpoch = ({ names }: ApiRequest) => ({ epoch: readEpoch(names["epoch"]) });
const toFeed = ({ names }: ApiRequest) => ({ feed: readFeed(names["feed"]) });

const toEmptyOfValidator = (network: Network, { votePubkey }: OfValidator) =>
  toJson([], { network, total: 0, votePubkey });
const toEmptyOfEpoch = (network: Network, { epoch }: { epoch: number }) =>
  toJson([], { network, epoch, total: 0, uniqueValidators: 0 });

interface OfValidator {
  votePubkey: string;
}

function walletIndexNotFound(network: Network): never {
  throw new ApiError("wallet_not_found", `The wallet index of ${network} has not been published yet.`);
}

function walletNotFound(network: Network, { pubkey, epoch }: { pubkey: string; epoch: number }): never {
  const what = `The wallet index of ${network}, read in epoch ${epoch}, has no stake account or withdraw authority ${pubkey}`;
  throw new ApiError("wallet_not_found", `${what}. Give one of these keys, not a vote account or an identity.`);
}

export function validatorNotFound(network: Network, { votePubkey }: OfValidator): never {
  throw new ApiError("validator_not_found", toUnknown(network, votePubkey));
}

function badgeNotFound(network: Network, { votePubkey }: OfValidator): never {
  throw new ApiError("not_found", toUnknown(network, votePubkey));
}

const toUnknown = (network: Network, votePubkey: string) =>
  `No validator of ${network} has the vote account ${votePubkey}.`;

function locationNotFound(network: Network, { votePubkey }: OfValidator): never {
  throw new ApiError("location_not_found", `No location is known of ${votePubkey} on ${network}.`);
}

function nothingHappened(network: Network, { votePubkey }: OfValidator): never {
  const what = `No feed shows ${votePubkey} on ${network}: it has no confirmed event, or no validator has this vote account`;
  throw new ApiError("not_found", `${what}. /api/v1/validators/${votePubkey}?network=${network} tells which.`);
}

function epochNotExported(network: Network, { epoch }: { epoch: number }): never {
  const what = `Epoch ${epoch} of ${network} has no export, because it is not tracked or has not closed`;
  throw new ApiError("not_found", `${what}. /api/v1/exports?network=${network} lists all files.`);
}

function nothingClosed(network: Network): never {
  throw new ApiError("not_found", `No tracked epoch of ${network} has closed yet, so there are no exports.`);
}

function nothingPublished(network: Network): never {
  throw new ApiError("not_found", `This has not been published for ${network} yet.`);
}
