import { listEpochEvents, listOfValidator, listUptime } from "../../generator/contract/lists.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { OBJECTS, type NamesOf, type ObjectKind } from "../../generator/contract/objects.ts";
import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { withoutRepeats } from "../../generator/contract/repeats.ts";
import { findWallet, toWalletShard } from "../../generator/contract/wallets.ts";
import { toAnswer } from "../answer.ts";
import type { Documents } from "../cache/documents.ts";
import { parseDocument } from "../cache/store.ts";
import { ApiError } from "../errors.ts";
import {
  readCollapse,
  readDays,
  readEpoch,
  readFeed,
  readPubkey,
  type Query,
  type Route,
} from "./parameters.ts";

/** Objects of the store, passed through unless a query asks for a part of one. */
export function documentRoutes(documents: Documents): Route[] {
  const kinds = Object.keys(MISSING) as (keyof typeof MISSING)[];
  return [...kinds.map((kind) => documentRoute(documents, kind)), walletRoute(documents)];
}

/**
 * What is answered without an object: an empty document,
 * or 404 and this text. An object has one name at most.
 */
type Missing = (network: Network, name: string | number) => object | string;

export const unknownValidator = (network: Network, votePubkey: string | number) =>
  `No validator of ${network} has the vote account ${votePubkey}.`;
const withoutHistory: Missing = (network, votePubkey) =>
  listOfValidator({ network, votePubkey: String(votePubkey) }, []);
const withoutEvent: Missing = (network, votePubkey) =>
  `No feed shows ${votePubkey} on ${network}: it has no confirmed event, or no validator has this vote account. ` +
  `/api/v1/validators/${votePubkey}?network=${network} tells which.`;
const notExported: Missing = (network, epoch) =>
  `Epoch ${epoch} of ${network} has no export, because it is not tracked or has not closed. ` +
  `/api/v1/exports?network=${network} lists all files.`;
const nothingClosed: Missing = (network) =>
  `No tracked epoch of ${network} has closed yet, so there are no exports.`;
const unpublished: Missing = (network) => `This has not been published for ${network} yet.`;

const MISSING = {
  validator: unknownValidator,
  badge: unknownValidator,
  validatorEvents: withoutHistory,
  commissionHistory: withoutHistory,
  stakeHistory: withoutHistory,
  uptime: (network, votePubkey) => listUptime({ network, votePubkey: String(votePubkey) }, []),
  location: (network, votePubkey) => `No location is known of ${votePubkey} on ${network}.`,
  validatorAtomFeed: withoutEvent,
  validatorJsonFeed: withoutEvent,
  epochEvents: (network, epoch) => listEpochEvents({ network, epoch: Number(epoch) }, []),
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

function documentRoute(documents: Documents, kind: keyof typeof MISSING): Route {
  const { named, cache } = OBJECTS[kind];
  const { notFound = "not_found" }: Operation = OPERATIONS[kind];
  return {
    operation: kind,
    async answer({ network, names, query }) {
      const name = READ_NAME[named](names[named]);
      const toPart = PARTS[kind]?.(query) ?? null;
      const cached = await documents.get(network, kind, { [named]: name } as NamesOf<typeof kind>);
      const { value } = cached;
      if (value !== null && toPart === null) return { ...cached, value };
      const found = value && toPart?.({ network, votePubkey: String(name) }, value.body);
      const document = found ?? MISSING[kind](network, name);
      if (typeof document === "string") throw new ApiError(notFound, document);
      return { ...cached, value: toAnswer(JSON.stringify(document), cache) };
    },
  };
}

const READ_NAME = { votePubkey: readPubkey, epoch: readEpoch, feed: readFeed, none: () => "" };

/** Makes the part of a document that a query asks for. */
type ToPart = (of: { network: Network; votePubkey: string }, body: Uint8Array) => object;

/** null: the whole document is asked for. */
const PARTS: { [Kind in ObjectKind]?: (query: Query) => ToPart | null } = {
  uptime(query) {
    const days = readDays(query);
    return days === undefined
      ? null
      : (of, body) => listUptime(of, parseDocument("uptime", body).data, { days });
  },
  validatorEvents: (query) =>
    readCollapse(query)
      ? (of, body) =>
          listOfValidator(of, withoutRepeats(parseDocument("validatorEvents", body).data))
      : null,
};

/** Reads how many shards there are, then the key's shard. */
function walletRoute(documents: Documents): Route {
  const refuse = (why: string) => new ApiError("wallet_not_found", why);
  return {
    operation: "wallet",
    async answer({ network, names }) {
      const pubkey = readPubkey(names["pubkey"], PARAMETERS.pubkey);
      const index = await documents.get(network, "wallets", {});
      if (index.value === null)
        throw refuse(`The wallet index of ${network} has not been published yet.`);
      const { shards, epoch } = parseDocument("wallets", index.value.body).data;
      const cached = await documents.get(network, "walletShard", {
        shard: toWalletShard(pubkey, shards),
      });
      const wallet =
        cached.value && findWallet(parseDocument("walletShard", cached.value.body), pubkey);
      if (wallet !== null)
        return { ...cached, value: toAnswer(JSON.stringify(wallet), OPERATIONS.wallet.cache) };
      throw refuse(
        `The wallet index of ${network}, read in epoch ${epoch}, has no stake account or withdraw authority ${pubkey}. ` +
          "Give one of these keys, not a vote account or an identity.",
      );
    },
  };
}
