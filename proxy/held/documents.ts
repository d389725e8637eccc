import { LRUCache } from "lru-cache";
import { OBJECTS, toObjectKey, type NamesOf, type ObjectKind } from "../../generator/contract/objects.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { toAnswer, type Answer, type Reading } from "../answers/answer.ts";
import { withDeadline } from "./deadline.ts";
import { assertDocument, type EveryName, type Wanted } from "./document-check.ts";
import { createHeld, PATIENCE_MILLISECONDS, type Held } from "./held.ts";
import type { Log } from "../log/entry.ts";
import { MEMORY, type OnPlace } from "../memory.ts";
import { assertHeld, unreadable, withTurns, type ObjectReader } from "./objects.ts";
import type { Snapshots } from "./snapshots.ts";
import { createTrouble } from "./trouble.ts";

interface DocumentsOptions {
  /** Has a deadline. */
  objects: ObjectReader;
  snapshots: Snapshots;
  now: () => number;
  log: Log;
  /** Told of the places where documents are kept, found and missing ones. */
  onPlace?: OnPlace;
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
 * Holds the documents asked for lately; see held.ts for how each is revalidated.
 *
 * There are 2^256 well-formed keys, so a missing document costs next to nothing: what the snapshot does not know is not
 * looked for. The index is put behind the documents it names, so for the time of a publish and of one revalidation a new
 * validator has a profile that is not shown: it appears when the lists show it too. Documents missing of what the snapshot
 * knows, and those that could not be read yet, have a place of their own, where they push out only each other.
 */
export function createDocuments({ objects, snapshots, now, log, onPlace }: DocumentsOptions): Documents {
  const reader = withTurns(objects, { now });
  const found = new LRUCache<string, Held<Loaded>>({ maxSize: MEMORY.documentsMaxBytes });
  const missing = new LRUCache<string, Held<Loaded>>({ max: MEMORY.missingMaxEntries });
  const trouble = createTrouble({ subject: "documents", isHeld: () => found.size > 0, now, log });
  onPlace?.({ name: "documents", maxBytes: MEMORY.documentsMaxBytes, getBytes: () => found.calculatedSize });
  onPlace?.({
    name: "missing_documents",
    maxBytes: MEMORY.missingMaxEntries * MEMORY.entryBytes,
    getBytes: () => missing.size * MEMORY.entryBytes,
  });

  function hold(key: string, { network, kind, names }: Wanted): Held<Loaded> {
    /** When the document was first not there any more. */
    let goneAt: number | null = null;

    /** An empty directory in place of the store also says that nothing is there: the index must not say otherwise. */
    async function assertMissing(wasHeld: boolean): Promise<void> {
      if (PUBLISHED_OF_ALL.has(kind) && (await isNamed()))
        throw unreadable(`${key} is missing, but the index names it`);
      if (!wasHeld) return;
      goneAt ??= now();
      // It is read anew when somebody asks for it, and what is held makes nobody ask.
      void snapshots.get(network).catch(() => undefined);
      if (!snapshots.isConfirmedSince(network, goneAt)) throw unreadable(`${key} has gone: the index must confirm it`);
    }

    function isNamed(): Promise<boolean> {
      return snapshots.isKnown(network, names).then(
        ({ value }) => value,
        () => false,
      );
    }

    const entry = createHeld<Loaded>({
      now,
      onFailure: (error) => trouble.failed(error),
      onSuccess: () => trouble.succeeded(),
      async load(loaded) {
        const object = await reader.getIfChanged(key, loaded?.etag ?? null);
        if (object === "unchanged") {
          goneAt = null;
          return assertHeld(key, loaded);
        }
        if (object === null) {
          await assertMissing(loaded !== undefined && loaded.answer !== null);
          found.delete(key);
          missing.set(key, entry);
          return { answer: null, etag: null };
        }
        goneAt = null;
        if (object.body.byteLength > MEMORY.documentMaxBytes)
          throw unreadable(`${key} is longer than ${MEMORY.documentMaxBytes} bytes`);
        assertDocument(object.body, { network, kind, names });
        missing.delete(key);
        found.set(key, entry, { size: MEMORY.entryBytes + object.body.byteLength });
        return { answer: toAnswer(object.body, OBJECTS[kind].cache, OBJECTS[kind].form), etag: object.etag };
      },
    });
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
