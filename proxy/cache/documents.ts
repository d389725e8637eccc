import type { Network } from "../../generator/contract/networks.ts";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import { OBJECTS, type NamesOf, type ObjectKind } from "../../generator/contract/objects.ts";
import { toAnswer, type Answer } from "../answer.ts";
import { createCache, ENTRY_BYTES, type Cached } from "./cache.ts";
import type { Snapshots } from "./snapshots.ts";
import {
  assertDocument,
  assertCached,
  unreadable,
  withTurns,
  type Context,
  type Wanted,
} from "./store.ts";

/** 10,000 profiles. */
export const DOCUMENTS_MAX_BYTES = 64 * 1024 * 1024;
/** Ten times the largest document at planning size. */
export const DOCUMENT_MAX_BYTES = 8 * 1024 * 1024;

/** null: the store has none. */
interface Loaded {
  answer: Answer | null;
  etag: string | null;
}

/** The documents of the store, cached in memory. */
export interface Documents {
  /** Objects of the store; null: there is none. @throws {ApiError} `upstream_unavailable` */
  get<Kind extends ObjectKind>(
    network: Network,
    kind: Kind,
    names: NamesOf<Kind>,
  ): Promise<Cached<Answer | null>>;
}

/** Holds documents in 64 MB at most, and asks the store only for names that the index knows. */
export function createDocuments(context: Context, snapshots: Snapshots): Documents {
  const reader = withTurns(context);
  const cache = createCache<Loaded, Wanted>({
    ...context,
    describe: () => "documents",
    bound: {
      maxSize: DOCUMENTS_MAX_BYTES,
      toSize: (loaded) => ENTRY_BYTES + (loaded?.answer?.body.byteLength ?? 0),
    },
    load,
  });
  context.onPlace?.({ name: "documents", maxBytes: DOCUMENTS_MAX_BYTES, getBytes: cache.getBytes });

  async function load(key: string, cached: Loaded | undefined, wanted: Wanted): Promise<Loaded> {
    const object = await reader.getIfChanged(key, cached?.etag ?? null);
    if (object === "unchanged") return assertCached(key, cached);
    if (object === null) {
      await assertMissing(key, wanted);
      return { answer: null, etag: null };
    }
    const { body, etag, modifiedAt } = object;
    if (body.byteLength > DOCUMENT_MAX_BYTES)
      throw unreadable(`${key} is longer than ${DOCUMENT_MAX_BYTES} bytes`);
    assertDocument(body, wanted);
    const { cache: cacheClass, form } = OBJECTS[wanted.kind];
    return { answer: toAnswer(body, cacheClass, { form, modifiedAt }), etag };
  }

  /** An empty directory mounted in place of the store also has nothing: the index tells. */
  async function assertMissing(key: string, { network, kind, names }: Wanted): Promise<void> {
    const named = await snapshots.isKnown(network, names, true);
    if (named.stale || (OBJECTS[kind].ofEachName && named.value))
      throw unreadable(`${key} is missing, but the index names it, or cannot be read either`);
  }

  return {
    async get(network, kind, names) {
      const key = toObjectKey(network, kind, names);
      // Anybody can make up keys: the store is not asked for those that the index does not know.
      if (!cache.isCached(key) && isNamedByIndex(kind)) {
        const named = await snapshots.isKnown(network, names);
        if (!named.value) return { ...named, value: null };
      }
      const { value, ...age } = await cache.get(key, { network, kind, names });
      return { ...age, value: value.answer };
    },
  };
}

const isNamedByIndex = (kind: ObjectKind) => ["votePubkey", "epoch"].includes(OBJECTS[kind].named);
