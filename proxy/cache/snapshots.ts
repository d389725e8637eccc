import type { LRUCache } from "lru-cache";
import type { CacheClass } from "../../generator/contract/cache.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { toObjectKey } from "../../generator/contract/objects.ts";
import { toEmptyIndex, type SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { toAnswer, type Answer, type Cached } from "../answer.ts";
import { createPlace, MEMORY, toSize } from "./memory.ts";
import { createRevalidated, createTrouble } from "./revalidate.ts";
import { toSearchTable, type SearchTable } from "./search-table.ts";
import { assertHeld, parseDocument, unreadable, type Context, type EveryName } from "./store.ts";

export interface Snapshot {
  index: SnapshotIndex;
  search: SearchTable;
  /** Computed answers; they go with the snapshot. */
  answers: LRUCache<string, Answer>;
  /** The index names all vote accounts and epochs that can have documents. */
  votePubkeys: ReadonlySet<string>;
  epochs: ReadonlySet<number>;
  etag: string | null;
}

export type Snapshots = ReturnType<typeof createSnapshots>;

export function createSnapshots(context: Context) {
  const watched = perNetwork((network) => watchSnapshot(network, context));
  return {
    get: (network: Network) => watched[network].get(),
    /** Whether the store has no snapshot of any network. Throws as `get` does. */
    async isEmpty(): Promise<boolean> {
      const readings = await Promise.all(NETWORKS.map((network) => watched[network].get()));
      return readings.every(({ value }) => value.index.snapshotAt === null);
    },
    /** Whether the index names the vote account and the epoch, if given. Throws as `get` does. */
    async isKnown(
      network: Network,
      { votePubkey, epoch }: Partial<EveryName>,
    ): Promise<Cached<boolean>> {
      const cached = await watched[network].get();
      const { votePubkeys, epochs } = cached.value;
      const isKnown = votePubkey === undefined || votePubkeys.has(votePubkey);
      return { ...cached, value: isKnown && (epoch === undefined || epochs.has(epoch)) };
    },
    /** Whether the store was asked for the index at that time or later, and gave a trusted one. */
    isConfirmedSince: (network: Network, time: number) => watched[network].confirmedAt() >= time,
  };
}

export function perNetwork<Value>(make: (network: Network) => Value): Record<Network, Value> {
  return Object.fromEntries(NETWORKS.map((network) => [network, make(network)])) as Record<
    Network,
    Value
  >;
}

function watchSnapshot(network: Network, { objects, now, log, onSnapshot, onPlace }: Context) {
  const key = toObjectKey(network, "index", {});
  let confirmedAt = -Infinity;
  let doubtedSince: number | null = null;
  let current: Snapshot | null = null;
  const getBytes = () => current?.answers.calculatedSize ?? 0;
  onPlace?.({ name: "answers", maxBytes: MEMORY.answersOfNetworkMaxBytes, getBytes });

  function assertTrusted(held: SnapshotIndex, next: SnapshotIndex): void {
    const doubt = findDoubt(held, next);
    doubtedSince = doubt === null ? null : (doubtedSince ?? now());
    if (doubtedSince !== null && now() - doubtedSince < DOUBT_MILLISECONDS)
      throw unreadable(`${key}: ${doubt}`);
    doubtedSince = null;
  }

  async function read(held: Snapshot | undefined): Promise<Snapshot> {
    const object = await objects.getIfChanged(key, held?.etag ?? null);
    if (object === "unchanged" || (object === null && held?.etag === null)) {
      doubtedSince = null;
      return assertHeld(key, held);
    }
    // The generator never deletes an index: this is an empty directory in place of the store.
    if (object === null && held !== undefined) throw unreadable(`${key} has gone`);
    const index = object === null ? toEmptyIndex(network) : parseDocument("index", object.body);
    if (index.network !== network)
      throw unreadable(`the index of ${network} is that of ${index.network}`);
    if (held !== undefined) assertTrusted(held.index, index);
    return toSnapshot(index, object?.etag ?? null);
  }

  const get = createRevalidated<Snapshot>({
    now,
    trouble: createTrouble(key, () => current !== null, now, log),
    async load(held) {
      const askedAt = now();
      current = await read(held);
      confirmedAt = askedAt;
      if (current !== held) onSnapshot?.(current.index);
      return current;
    },
  });
  return { get, confirmedAt: () => confirmedAt };
}

export function toSnapshot(index: SnapshotIndex, etag: string | null): Snapshot {
  return {
    index,
    search: toSearchTable(index),
    answers: createPlace("answers", MEMORY.answersOfNetworkMaxBytes),
    votePubkeys: new Set(
      [...index.validators, ...index.unlisted].map(({ votePubkey }) => votePubkey),
    ),
    epochs: new Set(index.rugsPerEpoch.map(({ epoch }) => epoch)),
    etag,
  };
}

export function getAnswer(
  { answers }: Snapshot,
  key: string,
  cache: CacheClass,
  toDocument: () => object,
): Answer {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = toAnswer(JSON.stringify(toDocument()), cache);
  answers.set(key, answer, toSize(answer.body.byteLength));
  return answer;
}

/** A doubtful index that stands this long is meant: a new series, a rebuild. */
const DOUBT_MILLISECONDS = 600_000;
/** Percent of the known vote accounts that a new index must have: only a new series forgets any. */
const KNOWN_MIN_PERCENT = 80;

/** Why an index should not replace the held one at once; null: it may. */
function findDoubt(held: SnapshotIndex, next: SnapshotIndex): string | null {
  const toTime = ({ snapshotAt }: SnapshotIndex) =>
    snapshotAt === null ? -Infinity : Date.parse(snapshotAt);
  const countKnown = ({ validators, unlisted }: SnapshotIndex) =>
    validators.length + unlisted.length;
  if (toTime(next) < toTime(held))
    return `it is older than the one held: of ${next.snapshotAt}, not ${held.snapshotAt}`;
  const [known, knows] = [countKnown(held), countKnown(next)];
  return knows * 100 < known * KNOWN_MIN_PERCENT
    ? `it knows ${knows} vote accounts, the one held ${known}`
    : null;
}
