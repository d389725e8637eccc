import { LRUCache } from "lru-cache";
import type { CacheClass } from "../../generator/contract/cache.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import { toEmptyIndex, type SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { toAnswer, type Answer } from "../answer.ts";
import { createCache, ENTRY_BYTES, type Cached } from "./cache.ts";
import { toSearchTable, type SearchTable } from "./search-table.ts";
import {
  assertCached,
  parseDocument,
  unreadable,
  type Context,
  type EveryName,
  type ObjectRead,
} from "./store.ts";

/** Of each network. */
export const ANSWERS_MAX_BYTES = 16 * 1024 * 1024;

/** An index of the store, with what is computed of it. */
export interface Snapshot {
  index: SnapshotIndex;
  search: SearchTable;
  /** Answers computed of this snapshot, and of those before it until they are asked for again. */
  answers: LRUCache<string, ComputedAnswer>;
  /** The index names all vote accounts and epochs that can have documents. */
  votePubkeys: ReadonlySet<string>;
  epochs: ReadonlySet<number>;
  etag: string | null;
  /** When the index was put, in milliseconds since the epoch; null: not known. */
  modifiedAt: number | null;
}

interface ComputedAnswer {
  answer: Answer;
  /** ETag of the index that it is known to be the answer of. */
  indexEtag: string | null;
}

/** The newest index of each network. */
export interface Snapshots {
  /** @throws {ApiError} `upstream_unavailable` */
  get(network: Network): Promise<Cached<Snapshot>>;
  /** Whether the store has no snapshot of any network. Throws as `get` does. */
  isEmpty(): Promise<boolean>;
  /**
   * Whether the index names the vote account and the epoch, if given.
   * Throws as `get` does.
   * @param forceRefresh asks the store first
   */
  isKnown(
    network: Network,
    names: Partial<EveryName>,
    forceRefresh?: boolean,
  ): Promise<Cached<boolean>>;
}

/** Holds the index of each network, and puts off one that looks older or far smaller. */
export function createSnapshots(context: Context): Snapshots {
  const { objects, steadyNow, onSnapshot, onPlace } = context;
  const objectedSince = new Map<Network, number>();
  const current = new Map<Network, Snapshot>();
  const cache = createCache<Snapshot, Network>({
    ...context,
    describe: (key) => key,
    // How large they are, the generator decides.
    bound: { max: NETWORKS.length },
    isEmpty: ({ etag }) => etag === null,
    async load(key, cached, network) {
      const snapshot = await read(key, cached, network);
      if (snapshot !== cached) {
        current.set(network, snapshot);
        onSnapshot?.(snapshot.index);
      }
      return snapshot;
    },
  });
  onPlace?.({
    name: "answers",
    maxBytes: NETWORKS.length * ANSWERS_MAX_BYTES,
    getBytes: () => current.values().reduce((sum, { answers }) => sum + answers.calculatedSize, 0),
  });

  async function read(
    key: string,
    cached: Snapshot | undefined,
    network: Network,
  ): Promise<Snapshot> {
    const object = await objects.getIfChanged(key, cached?.etag ?? null);
    if (object === "unchanged" || (object === null && cached?.etag === null)) {
      objectedSince.delete(network);
      return assertCached(key, cached);
    }
    // The generator never deletes an index: this is an empty directory in place of the store.
    if (object === null && cached !== undefined) throw unreadable(`${key} has gone`);
    const index = object === null ? toEmptyIndex(network) : parseDocument("index", object.body);
    if (index.network !== network)
      throw unreadable(`the index of ${network} is that of ${index.network}`);
    if (cached !== undefined) assertTrusted(cached.index, index);
    return toSnapshot(index, object, cached?.answers);
  }

  function assertTrusted(cached: SnapshotIndex, next: SnapshotIndex): void {
    const { network } = next;
    const objection = findObjection(cached, next);
    const since = objectedSince.get(network) ?? steadyNow();
    if (objection !== null && steadyNow() - since < OBJECTION_MILLISECONDS) {
      objectedSince.set(network, since);
      throw unreadable(`the index of ${network}: ${objection}`);
    }
    objectedSince.delete(network);
  }

  const get = (network: Network, forceRefresh?: boolean) =>
    cache.get(toObjectKey(network, "index", {}), network, forceRefresh);

  return {
    get: (network) => get(network),
    async isEmpty() {
      const readings = await Promise.all(NETWORKS.map((network) => get(network)));
      return readings.every(({ value }) => value.index.snapshotAt === null);
    },
    async isKnown(network, { votePubkey, epoch }, forceRefresh) {
      const cached = await get(network, forceRefresh);
      const { votePubkeys, epochs } = cached.value;
      const isKnown = votePubkey === undefined || votePubkeys.has(votePubkey);
      return { ...cached, value: isKnown && (epoch === undefined || epochs.has(epoch)) };
    },
  };
}

/**
 * Makes a snapshot of an index.
 * @param object the index in the store; null: nothing is published yet
 * @param answers those of the snapshot before
 */
export function toSnapshot(
  index: SnapshotIndex,
  object: Pick<ObjectRead, "etag" | "modifiedAt"> | null,
  answers: Snapshot["answers"] = new LRUCache({ maxSize: ANSWERS_MAX_BYTES }),
): Snapshot {
  return {
    index,
    search: toSearchTable(index),
    answers,
    votePubkeys: new Set(
      [...index.validators, ...index.unlisted].map(({ votePubkey }) => votePubkey),
    ),
    epochs: new Set(index.rugsPerEpoch.map(({ epoch }) => epoch)),
    etag: object?.etag ?? null,
    modifiedAt: object?.modifiedAt ?? null,
  };
}

/**
 * Returns a computed answer, and keeps it; 16 MB at most. One whose bytes a new snapshot does not
 * change stays as it is: nginx answers 304 only where neither ETag nor Last-Modified has changed.
 */
export function getAnswer(
  { answers, etag: indexEtag, modifiedAt }: Snapshot,
  key: string,
  cache: CacheClass,
  toDocument: () => object,
): Answer {
  const known = answers.get(key);
  if (known?.indexEtag === indexEtag) return known.answer;
  const made = toAnswer(JSON.stringify(toDocument()), cache, { modifiedAt });
  const answer = known?.answer.etag === made.etag ? known.answer : made;
  answers.set(key, { answer, indexEtag }, { size: ENTRY_BYTES + answer.body.byteLength });
  return answer;
}

/** A doubtful index that stands this long is meant: a new series, a rebuild. */
const OBJECTION_MILLISECONDS = 600_000;
/** Percent of the known vote accounts that a new index must have: only a new series forgets any. */
const KNOWN_MIN_PERCENT = 80;

/** Why an index should not replace the cached one at once; null: it may. */
function findObjection(cached: SnapshotIndex, next: SnapshotIndex): string | null {
  const toTime = ({ snapshotAt }: SnapshotIndex) =>
    snapshotAt === null ? -Infinity : Date.parse(snapshotAt);
  const countKnown = ({ validators, unlisted }: SnapshotIndex) =>
    validators.length + unlisted.length;
  if (toTime(next) < toTime(cached))
    return `it is older than the one cached: of ${next.snapshotAt}, not ${cached.snapshotAt}`;
  const [known, knows] = [countKnown(cached), countKnown(next)];
  return knows * 100 < known * KNOWN_MIN_PERCENT
    ? `it knows ${knows} vote accounts, the one cached ${known}`
    : null;
}
