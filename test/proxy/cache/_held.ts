import { hash } from "node:crypto";
import { createDocuments, type Documents } from "../../../proxy/cache/documents.ts";
import { withStoreDeadline } from "../../../proxy/cache/store.ts";
import { createSnapshots, type Snapshots } from "../../../proxy/cache/snapshots.ts";
import type { LogEntry } from "../../../proxy/operations/log.ts";
import { SEEN_AT, type PublishedObject } from "../fixtures.ts";

/** What the proxy holds, over a store in a test's hands. */
export interface Bench {
  /** Milliseconds since the epoch. */
  now: number;
  /** The store: what lies under its keys. */
  objects: Map<string, Uint8Array>;
  /** Keys read so far. */
  reads: string[];
  /** Bodies given out so far. */
  bodies: number;
  /** Done before each reading; what it throws fails it, and while it does not settle the store hangs. */
  beforeRead: (key: string) => Promise<void>;
  log: LogEntry[];
  put(...objects: PublishedObject[]): void;
  snapshots: Snapshots;
  documents: Documents;
}

/** A store that holds these, and nothing held of them yet. */
export function openBench(published: PublishedObject[]): Bench {
  const objects = new Map<string, Uint8Array>();
  const reader = withStoreDeadline({
    async getIfChanged(key, knownEtag) {
      bench.reads.push(key);
      await bench.beforeRead(key);
      const body = objects.get(key);
      if (body === undefined) return null;
      const etag = hash("sha256", body);
      if (etag === knownEtag) return "unchanged";
      bench.bodies += 1;
      return { body, etag };
    },
  });
  const options = { objects: reader, now: () => bench.now, log: (entry: LogEntry) => void bench.log.push(entry) };
  const snapshots = createSnapshots(options);
  const bench: Bench = {
    now: Date.parse(SEEN_AT),
    objects,
    reads: [],
    bodies: 0,
    beforeRead: () => Promise.resolve(),
    log: [],
    put(...more) {
      for (const { key, body } of more) objects.set(key, body);
    },
    snapshots,
    documents: createDocuments({ ...options, snapshots }),
  };
  bench.put(...published);
  return bench;
}

/** Lets what goes on behind an answer come to its end. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
