import { LRUCache } from "lru-cache";
import { OBJECTS, toObjectKey, type NamesOf, type ObjectKind } from "../../generator/contract/objects.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { toAnswer, type Answer, type Reading } from "../answers/answer.ts";
import { createHeld, type Held } from "./held.ts";
import type { Log } from "../operations/log.ts";
import type { ObjectReader } from "./objects.ts";

/** Bytes of documents held at most, entries for missing ones included. */
const DOCUMENTS_MAX_BYTES = 64 * 1024 * 1024;
/** What an entry costs beside its body: it bounds how many missing documents are remembered. */
const ENTRY_BYTES = 2_048;

interface DocumentsOptions {
  objects: ObjectReader;
  now: () => number;
  log: Log;
}

/** The static documents, passed through as they were published. */
export interface Documents {
  /** A document; null: there is none. */
  get<Kind extends ObjectKind>(network: Network, kind: Kind, names: NamesOf<Kind>): Promise<Reading<Answer | null>>;
}

interface Loaded {
  answer: Answer | null;
  /** Of the object it was made from; null: there was none. */
  etag: string | null;
}

/** Holds the documents asked for lately, and that a document was missing; see held.ts for how each is revalidated. */
export function createDocuments({ objects, now, log }: DocumentsOptions): Documents {
  const held = new LRUCache<string, Held<Loaded>>({ maxSize: DOCUMENTS_MAX_BYTES });

  function hold(key: string, kind: ObjectKind): Held<Loaded> {
    const entry = createHeld<Loaded>({
      now,
      onFailure: (error) => log({ level: "warn", message: `cannot read ${key}, keeping what is held`, error }),
      async load(loaded) {
        const object = await objects.get(key);
        if (loaded !== undefined && loaded.etag === (object?.etag ?? null)) return loaded;
        // Only now is the size known: until it was read, the entry counted as a missing one.
        held.set(key, entry, { size: ENTRY_BYTES + (object?.body.byteLength ?? 0) });
        return { answer: object && toAnswer(object.body, OBJECTS[kind].cache), etag: object?.etag ?? null };
      },
    });
    held.set(key, entry, { size: ENTRY_BYTES });
    return entry;
  }

  return {
    async get(network, kind, names) {
      const key = toObjectKey(network, kind, names);
      const { value, stale } = await (held.get(key) ?? hold(key, kind)).get();
      return { value: value.answer, stale };
    },
  };
}
