import { toObjectKey } from "../../generator/contract/objects.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import type { Reading } from "../answers/answer.ts";
import { createHeld, type Held } from "./held.ts";
import type { Log } from "../operations/log.ts";
import type { ObjectReader } from "./objects.ts";
import { parseDocument } from "./parse-document.ts";
import { toEmptyIndex, toSnapshot, type Snapshot } from "../answers/snapshot.ts";

interface SnapshotsOptions {
  objects: ObjectReader;
  now: () => number;
  log: Log;
}

/** The newest snapshot of each network. */
export interface Snapshots {
  /** Whole or not at all: a caller that keeps to one reading answers from one snapshot. */
  get(network: Network): Promise<Reading<Snapshot>>;
}

interface Loaded {
  snapshot: Snapshot;
  /** Of the object it was made from; null: there was none. */
  etag: string | null;
}

/** Holds the snapshot of each network; see held.ts for when it is read anew and what happens while the store fails. */
export function createSnapshots(options: SnapshotsOptions): Snapshots {
  const held = new Map(NETWORKS.map((network) => [network, holdSnapshot(network, options)]));
  return {
    async get(network) {
      const reading = await held.get(network)?.get();
      if (reading === undefined) throw new Error(`no such network: ${network}`);
      return { value: reading.value.snapshot, stale: reading.stale };
    },
  };
}

function holdSnapshot(network: Network, { objects, now, log }: SnapshotsOptions): Held<Loaded> {
  const key = toObjectKey(network, "index", {});
  return createHeld<Loaded>({
    now,
    onFailure: (error) => log({ level: "warn", message: `cannot read ${key}, keeping what is held`, error }),
    async load(loaded) {
      const object = await objects.get(key);
      if (loaded !== undefined && loaded.etag === (object?.etag ?? null)) return loaded;
      const index = object === null ? toEmptyIndex(network) : parseDocument("index", object.body);
      return { snapshot: toSnapshot(index), etag: object?.etag ?? null };
    },
  });
}
