import { listOfValidator, listUptime, withoutRepeats } from "../../generator/contract/lists.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { OBJECTS, type DocumentOf, type NamesOf, type ObjectKind } from "../../generator/contract/objects.ts";
import { OPERATIONS, type Operation } from "../../generator/contract/operations.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { findWallet, toWalletShard } from "../../generator/contract/wallets.ts";
import { toAnswer } from "../cache/answer.ts";
import type { Documents } from "../cache/documents.ts";
import { parseDocument } from "../cache/store.ts";
import { ApiError } from "../http/errors.ts";
import { readCollapse, readDays, readEpoch, readFeed, readPubkey, type Query, type Route } from "./parameters.ts";

/** Objects of the store, passed through unless a query asks for a part of one. */
export function documentRoutes(documents: Documents): Route[] {
  return [
    ...(Object.keys(MISSING) as (keyof typeof MISSING)[]).map((kind) => wholeRoute(documents, kind)),
    partRoute(documents, "uptime", (query) => {
      const days = readDays(query);
      return { isWhole: days === undefined, toPart: (of, all) => listUptime(of, all, { days }) };
    }),
    partRoute(documents, "validatorEvents", (query) => ({
      isWhole: !readCollapse(query),
      toPart: (of, all) => listOfValidator(of, withoutRepeats(all)),
    })),
    walletRoute(documents),
  ];
}

/** What is answered without an object: an empty document, or 404 and this text. An object has one name at most. */
type Missing = (network: Network, name: string | number) => object | string;

export const unknownValidator = (network: Network, votePubkey: string | number) =>
  `No validator of ${network} has the vote account ${votePubkey}.`;
const withoutHistory: Missing = (network, votePubkey) => ({ data: [], meta: { network, total: 0, votePubkey } });
const withoutEvent: Missing = (network, votePubkey) =>
  `No feed shows ${votePubkey} on ${network}: it has no confirmed event, or no validator has this vote account. ` +
  `/api/v1/validators/${votePubkey}?network=${network} tells which.`;
const notExported: Missing = (network, epoch) =>
  `Epoch ${epoch} of ${network} has no export, because it is not tracked or has not closed. ` +
  `/api/v1/exports?network=${network} lists all files.`;
const nothingClosed: Missing = (network) => `No tracked epoch of ${network} has closed yet, so there are no exports.`;
const unpublished: Missing = (network) => `This has not been published for ${network} yet.`;

const MISSING = {
  validator: unknownValidator,
  badge: unknownValidator,
  commissionHistory: withoutHistory,
  stakeHistory: withoutHistory,
  location: (network, votePubkey) => `No location is known of ${votePubkey} on ${network}.`,
  validatorAtomFeed: withoutEvent,
  validatorJsonFeed: withoutEvent,
  epochEvents: (network, epoch) => ({ data: [], meta: { network, epoch, total: 0, uniqueValidators: 0 } }),
  historyCsv: notExported,
  historyParquet: notExported,
  eventsCsv: nothingClosed,
  eventsParquet: nothingClosed,
  exports: unpublished,
  atomFeed: unpublished,
  jsonFeed: unpublished,
  stakeConcentration: unpublished,
  status: unpublished,
  sitemap: unpublished,
  wallets: unpublished,
} as const satisfies Partial<Record<ObjectKind, Missing>>;

function wholeRoute(documents: Documents, kind: keyof typeof MISSING): Route {
  const { named, cache } = OBJECTS[kind];
  const { notFound = "not_found" }: Operation = OPERATIONS[kind];
  return {
    operation: kind,
    async answer({ network, names }) {
      const name = READ_NAME[named](names[named]);
      const reading = await documents.get(network, kind, { [named]: name } as NamesOf<typeof kind>);
      if (reading.value !== null) return { ...reading, value: reading.value };
      const missing = MISSING[kind](network, name);
      if (typeof missing === "string") throw new ApiError(notFound, missing);
      return { ...reading, value: toAnswer(JSON.stringify(missing), cache) };
    },
  };
}

const READ_NAME = { votePubkey: readPubkey, epoch: readEpoch, feed: readFeed, none: () => "" };

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
  const refuse = (why: string) => new ApiError("wallet_not_found", why);
  return {
    operation: "wallet",
    async answer({ network, names }) {
      const pubkey = readPubkey(names["pubkey"], PARAMETERS.pubkey);
      const index = await documents.get(network, "wallets", {});
      if (index.value === null) throw refuse(`The wallet index of ${network} has not been published yet.`);
      const { shards, epoch } = parseDocument("wallets", index.value.body).data;
      const reading = await documents.get(network, "walletShard", { shard: toWalletShard(pubkey, shards) });
      const wallet = reading.value && findWallet(parseDocument("walletShard", reading.value.body), pubkey);
      if (wallet !== null) return { ...reading, value: toAnswer(JSON.stringify(wallet), OPERATIONS.wallet.cache) };
      throw refuse(
        `The wallet index of ${network}, read in epoch ${epoch}, has no stake account or withdraw authority ${pubkey}. ` +
          "Give one of these keys, not a vote account or an identity.",
      );
    },
  };
}
