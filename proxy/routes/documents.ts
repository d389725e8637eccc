import { listOfValidator, listUptime } from "../../generator/contract/lists.ts";
import type { Network } from "../../generator/contract/networks.ts";
import {
  OBJECTS,
  type AnsweredKind,
  type NamesOf,
  type ObjectKind,
} from "../../generator/contract/objects.ts";
import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { withoutRepeats } from "../../generator/contract/repeats.ts";
import { findWallet, toWalletShard } from "../../generator/contract/wallets.ts";
import { toAnswer } from "../answer.ts";
import { toAgeHeaders, toJointAge, type Age } from "../cache/cache.ts";
import type { Documents } from "../cache/documents.ts";
import type { Snapshots } from "../cache/snapshots.ts";
import { parseDocument } from "../cache/store.ts";
import { ApiError } from "../errors.ts";
import {
  readCollapse,
  readDays,
  readEpoch,
  readFeed,
  readMonth,
  readWholeNumber,
  toPubkey,
  type Query,
  type Route,
} from "./parameters.ts";

/** Objects of the store, passed through unless a query asks for a part of one. */
export function documentRoutes(documents: Documents, snapshots: Snapshots): Route[] {
  const kinds = Object.keys(OBJECTS) as ObjectKind[];
  return [
    ...kinds.filter(isAnswered).map((kind) => documentRoute(documents, kind)),
    walletRoute(documents, snapshots),
  ];
}

function isAnswered(kind: ObjectKind): kind is AnsweredKind {
  const { hasOperation, whenMissing } = OBJECTS[kind];
  return hasOperation && whenMissing !== null;
}

function documentRoute(documents: Documents, kind: AnsweredKind): Route {
  const { named, cache, whenMissing } = OBJECTS[kind];
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
      const document = found ?? whenMissing(network, name);
      if (typeof document === "string")
        throw new ApiError(notFound, document, { headers: toAgeHeaders(cached) });
      const modifiedAt = value?.modifiedAt ?? null;
      return { ...cached, value: toAnswer(JSON.stringify(document), cache, { modifiedAt }) };
    },
  };
}

const READ_NAME = {
  votePubkey: toPubkey,
  epoch: readEpoch,
  feed: readFeed,
  month: readMonth,
  none: () => "",
};

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
function walletRoute(documents: Documents, snapshots: Snapshots): Route {
  const refuse = (why: string, age: Age) =>
    new ApiError("wallet_not_found", why, { headers: toAgeHeaders(age) });
  return {
    operation: "wallet",
    async answer({ network, names, query }) {
      const pubkey = toPubkey(names["pubkey"], PARAMETERS.pubkey);
      const page = readWholeNumber(query, PARAMETERS.page);
      const limit = readWholeNumber(query, PARAMETERS.walletLimit);
      const index = await documents.get(network, "wallets", {});
      if (index.value === null)
        throw refuse(`The wallet index of ${network} has not been published yet.`, index);
      const { shards, epoch } = parseDocument("wallets", index.value.body).data;
      const cached = await documents.get(network, "walletShard", {
        shard: toWalletShard(pubkey, shards),
      });
      const snapshot = await snapshots.get(network);
      const { validators } = snapshot.value.index;
      const wallet =
        cached.value &&
        findWallet(parseDocument("walletShard", cached.value.body), pubkey, {
          page,
          limit,
          validators,
        });
      if (wallet !== null)
        return {
          ...toJointAge(cached, snapshot),
          value: toAnswer(JSON.stringify(wallet), OPERATIONS.wallet.cache),
        };
      throw refuse(
        `The wallet index of ${network}, read in epoch ${epoch}, has no stake account or withdraw authority ${pubkey}. ` +
          "Give one of these keys, not a vote account or an identity.",
        cached,
      );
    },
  };
}
