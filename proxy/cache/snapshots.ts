import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { toObjectKey } from "../../generator/contract/objects.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import type { Log } from "../operations/log.ts";
import type { Reading } from "./answer.ts";
import { MEMORY, type OnPlace } from "./memory.ts";
import { createRevalidated, createTrouble } from "./revalidate.ts";
import { countAnswerBytes, toSnapshot, type Snapshot } from "./snapshot.ts";
import { assertHeld, parseDocument, unreadable, type EveryName, type ObjectReader } from "./store.ts";

interface SnapshotsOptions {
  /** Has a deadline. */
  objects: ObjectReader;
  now: () => number;
  log: Log;
  /** Told of each snapshot that takes the place of the one before. */
  onSnapshot?: ((index: SnapshotIndex) => void) | undefined;
  onPlace?: OnPlace | undefined;
}

/** The newest snapshot of each network. */
export interface Snapshots {
  /** Whole or not at all: a caller that keeps to one reading answers from one snapshot. */
  get(network: Network): Promise<Reading<Snapshot>>;
  /** Whether the snapshot knows the vote account or tracks the epoch; what has no name is known. Throws as `get` does. */
  isKnown(network: Network, names: Partial<EveryName>): Promise<Reading<boolean>>;
  /** Whether the store was asked for the index at that time or later, and gave one to go by. */
  isConfirmedSince(network: Network, time: number): boolean;
}

interface Loaded {
  snapshot: Snapshot;
  /** All vote accounts and epochs of which there can be documents: the generator names every one in its index. */
  votePubkeys: ReadonlySet<string>;
  epochs: ReadonlySet<number>;
  /** Of the object it was made from; null: there was none. */
  etag: string | null;
}

/** Holds the snapshot of each network; see revalidate.ts for when it is read anew and what happens while the store fails. */
export function createSnapshots(options: SnapshotsOptions): Snapshots {
  const watched = new Map(NETWORKS.map((network) => [network, watchSnapshot(network, options)]));

  function find(network: Network) {
    const found = watched.get(network);
    if (found === undefined) throw new Error(`no such network: ${network}`);
    return found;
  }

  return {
    async get(network) {
      const reading = await find(network).held.get();
      return { ...reading, value: reading.value.snapshot };
    },
    async isKnown(network, { votePubkey, epoch }) {
      const reading = await find(network).held.get();
      const { votePubkeys, epochs } = reading.value;
      const isKnown =
        (votePubkey === undefined || votePubkeys.has(votePubkey)) && (epoch === undefined || epochs.has(epoch));
      return { ...reading, value: isKnown };
    },
    isConfirmedSince: (network, time) => find(network).confirmedAt() >= time,
  };
}

function watchSnapshot(network: Network, { objects, now, log, onSnapshot, onPlace }: SnapshotsOptions) {
  const key = toObjectKey(network, "index", {});
  let confirmedAt = -Infinity;
  let doubtedSince: number | null = null;
  let current: Snapshot | null = null;
  const getBytes = () => (current === null ? 0 : countAnswerBytes(current));
  onPlace?.({ name: "answers", maxBytes: MEMORY.answersOfNetworkMaxBytes, getBytes });

  /** @throws {ApiError} its cause says why the index held is better */
  function assertTrusted(held: SnapshotIndex, next: SnapshotIndex): void {
    const doubt = findDoubt(held, next);
    doubtedSince = doubt === null ? null : (doubtedSince ?? now());
    if (doubtedSince !== null && now() - doubtedSince < DOUBT_MILLISECONDS) throw unreadable(`${key}: ${doubt}`);
    doubtedSince = null;
  }

  async function read(loaded: Loaded | undefined): Promise<Loaded> {
    const object = await objects.getIfChanged(key, loaded?.etag ?? null);
    if (object === "unchanged" || (object === null && loaded?.etag === null)) {
      doubtedSince = null;
      return assertHeld(key, loaded);
    }
    // An index is never deleted: what has lost it is an empty directory in place of the store.
    if (object === null && loaded !== undefined) throw unreadable(`${key} has gone`);
    const index = object === null ? toEmptyIndex(network) : parseDocument("index", object.body);
    if (index.network !== network) throw unreadable(`the index of ${network} is that of ${index.network}`);
    if (loaded !== undefined) assertTrusted(loaded.snapshot.index, index);
    return toLoaded(index, object?.etag ?? null);
  }

  const held = createRevalidated<Loaded>({
    now,
    trouble: createTrouble({ subject: key, isHeld: () => current !== null, now, log }),
    async load(loaded) {
      const askedAt = now();
      const next = await read(loaded);
      confirmedAt = askedAt;
      current = next.snapshot;
      if (next !== loaded) onSnapshot?.(next.snapshot.index);
      return next;
    },
  });
  return { held, confirmedAt: () => confirmedAt };
}

function toLoaded(index: SnapshotIndex, etag: string | null): Loaded {
  return {
    snapshot: toSnapshot(index),
    votePubkeys: new Set([...index.validators, ...index.unlisted].map(({ votePubkey }) => votePubkey)),
    epochs: new Set(index.rugsPerEpoch.map(({ epoch }) => epoch)),
    etag,
  };
}

/** A doubtful index that the store still gives out after this time is what the generator means: a new series, a rebuild. */
export const DOUBT_MILLISECONDS = 600_000;
/** Percent of the vote accounts known so far that an index must know. None is ever forgotten but by a new series. */
const KNOWN_MIN_PERCENT = 80;

/** Why an index should not replace the one held at once; null: it is newer, and no smaller than the chain explains. */
function findDoubt(held: SnapshotIndex, next: SnapshotIndex): string | null {
  const toTime = ({ snapshotAt }: SnapshotIndex) => (snapshotAt === null ? -Infinity : Date.parse(snapshotAt));
  const countKnown = ({ validators, unlisted }: SnapshotIndex) => validators.length + unlisted.length;
  if (toTime(next) < toTime(held))
    return `it is older than the one held: of ${next.snapshotAt}, not ${held.snapshotAt}`;
  const [known, knows] = [countKnown(held), countKnown(next)];
  if (knows * 100 < known * KNOWN_MIN_PERCENT) return `it knows ${knows} vote accounts, the one held ${known}`;
  return null;
}

/** The index of a network of which nothing is published yet: its lists are empty, not missing. */
export function toEmptyIndex(network: Network): SnapshotIndex {
  return {
    network,
    snapshotAt: null,
    latestEpoch: null,
    epoch: null,
    networkStake: { lamports: "0", sol: 0 },
    validators: [],
    unlisted: [],
    events: [],
    rugsPerEpoch: [],
    rugsGlobal: {
      totalRuggedValidators: 0,
      repeatOffenders: 0,
      epochsTracked: 0,
      peakEpoch: null,
      peakValidators: 0,
      averagePerEpoch: 0,
      commissionEvents: 0,
      mevEvents: 0,
    },
  };
}
