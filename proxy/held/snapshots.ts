import { toObjectKey } from "../../generator/contract/objects.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import type { Reading } from "../answers/answer.ts";
import { countAnswerBytes, toEmptyIndex, toSnapshot, type Snapshot } from "../answers/snapshot.ts";
import type { EveryName } from "./document-check.ts";
import { createHeld } from "./held.ts";
import { assertOfNetwork, DOUBT_MILLISECONDS, findDoubt } from "./index-change.ts";
import type { Log } from "../log/entry.ts";
import { MEMORY, type OnPlace } from "../memory.ts";
import { assertHeld, unreadable, type ObjectReader } from "./objects.ts";
import { parseDocument } from "./parse-document.ts";
import { createTrouble } from "./trouble.ts";

interface SnapshotsOptions {
  /** Has a deadline. */
  objects: ObjectReader;
  now: () => number;
  log: Log;
  /** Told of each snapshot that takes the place of the one before. */
  onSnapshot?: (index: SnapshotIndex) => void;
  /** Told of the places where the answers of each network are kept. */
  onPlace?: OnPlace;
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

/** Holds the snapshot of each network; see held.ts for when it is read anew and what happens while the store fails. */
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
      const { value } = reading;
      const isKnown =
        (votePubkey === undefined || value.votePubkeys.has(votePubkey)) &&
        (epoch === undefined || value.epochs.has(epoch));
      return { ...reading, value: isKnown };
    },
    isConfirmedSince: (network, time) => find(network).confirmedAt() >= time,
  };
}

function watchSnapshot(network: Network, { objects, now, log, onSnapshot, onPlace }: SnapshotsOptions) {
  const key = toObjectKey(network, "index", {});
  const trouble = createTrouble({ subject: key, isHeld: () => current !== null, now, log });
  let confirmedAt = -Infinity;
  let doubtedSince: number | null = null;
  let current: Snapshot | null = null;
  onPlace?.({
    name: "answers",
    maxBytes: MEMORY.answersOfNetworkMaxBytes,
    getBytes: () => (current === null ? 0 : countAnswerBytes(current)),
  });

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
    assertOfNetwork(index, network);
    if (loaded !== undefined) assertTrusted(loaded.snapshot.index, index);
    return toLoaded(index, object?.etag ?? null);
  }

  const held = createHeld<Loaded>({
    now,
    onFailure: (error) => trouble.failed(error),
    onSuccess: () => trouble.succeeded(),
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
  const votePubkeys = new Set([...index.validators, ...index.unlisted].map(({ votePubkey }) => votePubkey));
  return {
    snapshot: toSnapshot(index),
    votePubkeys,
    epochs: new Set(index.rugsPerEpoch.map(({ epoch }) => epoch)),
    etag,
  };
}
