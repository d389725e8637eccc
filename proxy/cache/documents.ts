import { LRUCache } from "lru-cache";
import type { Network } from "../../generator/contract/networks.ts";
import { OBJECTS, toObjectKey, type NamesOf, type ObjectKind } from "../../generator/contract/objects.ts";
import type { Log } from "../operations/log.ts";
import { toAnswer, type Answer, type Reading } from "./answer.ts";
import { MEMORY, type OnPlace } from "./memory.ts";
import {
  createRevalidated,
  createTrouble,
  PATIENCE_MILLISECONDS,
  withDeadline,
  type Revalidated,
} from "./revalidate.ts";
import type { Snapshots } from "./snapshots.ts";
import {
  assertDocument,
  assertHeld,
  unreadable,
  withTurns,
  type EveryName,
  type ObjectReader,
  type Wanted,
} from "./store.ts";

interface DocumentsOptions {
  /** Has a deadline. */
  objects: ObjectReader;
  snapshots: Snapshots;
  now: () => number;
  log: Log;
  onPlace?: OnPlace | undefined;
}

/** The static documents, passed through as they were published. */
export interface Documents {
  /** A document; null: there is none. */
  get<Kind extends ObjectKind>(network: Network, kind: Kind, names: NamesOf<Kind>): Promise<Reading<Answer | null>>;
}

/** What is published of every vote account and epoch that the index names, without exception. */
const PUBLISHED_OF_ALL: ReadonlySet<ObjectKind> = new Set([
  "validator",
  "validatorEvents",
  "commissionHistory",
  "stakeHistory",
  "uptime",
  "epochEvents",
]);

interface Loaded {
  answer: Answer | null;
  /** Of the object it was made from; null: there was none. */
  etag: string | null;
}

/**
 * Holds the documents asked for lately, each revalidated by itself.
 *
 * There are 2^256 well-formed keys, so a missing document costs next to nothing: what the snapshot does not know is not
 * looked for. The index is put behind the documents it names, so a new validator's profile appears when the lists show it.
 * Documents missing of what the snapshot knows, and those not read yet, have a place of their own, where they push out only
 * each other.
 */
export function createDocuments({ objects, snapshots, now, log, onPlace }: DocumentsOptions): Documents {
  const reader = withTurns(objects, { now });
  const found = new LRUCache<string, Revalidated<Loaded>>({ maxSize: MEMORY.documentsMaxBytes });
  const missing = new LRUCache<string, Revalidated<Loaded>>({ max: MEMORY.missingMaxEntries });
  const trouble = createTrouble({ subject: "documents", isHeld: () => found.size > 0, now, log });
  const { documentsMaxBytes, missingMaxEntries, entryBytes } = MEMORY;
  onPlace?.({ name: "documents", maxBytes: documentsMaxBytes, getBytes: () => found.calculatedSize });
  const getBytes = () => missing.size * entryBytes;
  onPlace?.({ name: "missing_documents", maxBytes: missingMaxEntries * entryBytes, getBytes });

  function hold(key: string, { network, kind, names }: Wanted): Revalidated<Loaded> {
    /** When the document was first not there any more. */
    let goneAt: number | null = null;

    /** An empty directory in place of the store also says that nothing is there: the index must not say otherwise. */
    async function assertMissing(wasHeld: boolean): Promise<void> {
      if (wasHeld) goneAt ??= now();
      const isNamed = await snapshots.isKnown(network, names).catch(() => null);
      if (PUBLISHED_OF_ALL.has(kind) && isNamed?.value === true)
        throw unreadable(`${key} is missing, but the index names it`);
      if (goneAt !== null && !snapshots.isConfirmedSince(network, goneAt))
        throw unreadable(`${key} has gone: the index must confirm it`);
    }

    async function load(loaded: Loaded | undefined): Promise<Loaded> {
      const object = await reader.getIfChanged(key, loaded?.etag ?? null);
      if (object === null) {
        await assertMissing(loaded !== undefined && loaded.answer !== null);
        found.delete(key);
        missing.set(key, entry);
        return { answer: null, etag: null };
      }
      goneAt = null;
      if (object === "unchanged") return assertHeld(key, loaded);
      const { body, etag } = object;
      if (body.byteLength > MEMORY.documentMaxBytes)
        throw unreadable(`${key} is longer than ${MEMORY.documentMaxBytes} bytes`);
      assertDocument(body, { network, kind, names });
      missing.delete(key);
      found.set(key, entry, { size: MEMORY.entryBytes + body.byteLength });
      return { answer: toAnswer(body, OBJECTS[kind].cache, OBJECTS[kind].form), etag };
    }

    const entry = createRevalidated<Loaded>({ load, now, trouble });
    missing.set(key, entry);
    return entry;
  }

  /** Null: whatever is held of the network does not tell, or there is nothing. The store must be asked. */
  async function findUnknown(network: Network, names: Partial<EveryName>): Promise<Reading<null> | null> {
    try {
      const known = await withDeadline(snapshots.isKnown(network, names), PATIENCE_MILLISECONDS);
      return known.value ? null : { ...known, value: null };
    } catch {
      return null;
    }
  }

  return {
    async get(network, kind, names) {
      const key = toObjectKey(network, kind, names);
      let entry = found.get(key);
      if (entry === undefined) {
        const nothing = await findUnknown(network, names);
        if (nothing !== null) return nothing;
        entry = found.get(key) ?? missing.get(key) ?? hold(key, { network, kind, names });
      }
      const reading = await entry.get();
      return { ...reading, value: reading.value.answer };
    },
  };
}
