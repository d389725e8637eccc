import type { Network } from "../../generator/contract/networks.ts";
import {
  OBJECTS,
  toObjectKey,
  type NamesOf,
  type ObjectKind,
} from "../../generator/contract/objects.ts";
import { toAnswer, type Answer, type Cached } from "../answer.ts";
import { createPlace, MEMORY, toSize } from "./memory.ts";
import {
  createRevalidated,
  createTrouble,
  PATIENCE_MILLISECONDS,
  withDeadline,
} from "./revalidate.ts";
import type { Revalidated } from "./revalidate.ts";
import type { Snapshots } from "./snapshots.ts";
import {
  assertDocument,
  assertHeld,
  unreadable,
  withTurns,
  type Context,
  type Wanted,
} from "./store.ts";

export type Documents = ReturnType<typeof createDocuments>;

type Loaded = { answer: Answer | null; etag: string | null };

/**
 * Anybody can make up keys: those that the snapshot does not know
 * are not looked for, and missing ones push out only each other.
 */
export function createDocuments(context: Context, snapshots: Snapshots) {
  const { now, log, onPlace } = context;
  const reader = withTurns(context);
  const documents = createPlace<Revalidated<Loaded>>(
    "documents",
    MEMORY.documentsMaxBytes,
    onPlace,
  );
  const shards = createPlace<Revalidated<Loaded>>(
    "wallet_shards",
    MEMORY.walletShardsMaxBytes,
    onPlace,
  );
  const placeOf = (kind: ObjectKind) => (kind === "walletShard" ? shards : documents);
  const missing = createPlace<Revalidated<Loaded>>(
    "missing_documents",
    MEMORY.missingMaxBytes,
    onPlace,
  );
  const trouble = createTrouble("documents", () => documents.size > 0, now, log);

  function hold(key: string, { network, kind, names }: Wanted): Revalidated<Loaded> {
    const found = placeOf(kind);
    let goneAt: number | null = null;

    /** An empty directory mounted in place of the store also has nothing: the index must agree. */
    async function assertMissing(wasHeld: boolean): Promise<void> {
      if (wasHeld) goneAt ??= now();
      const named = await snapshots.isKnown(network, names).catch(() => null);
      if (named?.stale === true || (OBJECTS[kind].ofEachName && named?.value === true))
        throw unreadable(`${key} is missing, but the index names it, or cannot be read either`);
      if (goneAt !== null && !snapshots.isConfirmedSince(network, goneAt))
        throw unreadable(`${key} has gone: the index must confirm it`);
    }

    async function load(loaded: Loaded | undefined): Promise<Loaded> {
      const object = await reader.getIfChanged(key, loaded?.etag ?? null);
      if (object === null) {
        await assertMissing(loaded !== undefined && loaded.answer !== null);
        found.delete(key);
        missing.set(key, entry, toSize(0));
        return { answer: null, etag: null };
      }
      goneAt = null;
      if (object === "unchanged") return assertHeld(key, loaded);
      const { body, etag } = object;
      if (body.byteLength > MEMORY.documentMaxBytes)
        throw unreadable(`${key} is longer than ${MEMORY.documentMaxBytes} bytes`);
      assertDocument(body, { network, kind, names });
      missing.delete(key);
      found.set(key, entry, toSize(body.byteLength));
      return { answer: toAnswer(body, OBJECTS[kind].cache, OBJECTS[kind].form), etag };
    }

    const entry = createRevalidated<Loaded>({ load, now, trouble });
    missing.set(key, entry, toSize(0));
    return entry;
  }

  return {
    async get<Kind extends ObjectKind>(network: Network, kind: Kind, names: NamesOf<Kind>) {
      const key = toObjectKey(network, kind, names);
      const found = placeOf(kind);
      let entry = found.get(key);
      if (entry === undefined) {
        const known = await withDeadline(
          snapshots.isKnown(network, names),
          PATIENCE_MILLISECONDS,
        ).catch(() => null);
        if (known?.value === false) return { ...known, value: null };
        entry = found.get(key) ?? missing.get(key) ?? hold(key, { network, kind, names });
      }
      const cached = await entry();
      return { ...cached, value: cached.value.answer } satisfies Cached<Answer | null>;
    },
  };
}
