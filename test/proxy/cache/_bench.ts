import { hash } from "node:crypto";
import { createDocuments } from "../../../proxy/cache/documents.ts";
import { createSnapshots } from "../../../proxy/cache/snapshots.ts";
import { withStoreDeadline } from "../../../proxy/cache/store.ts";
import type { LogEntry } from "../../../proxy/log.ts";
import { SEEN_AT, type PublishedObject } from "../fixtures.ts";

/** A store that a test controls, and the proxy's caches over it, still empty. */
export function openBench(published: readonly PublishedObject[]) {
  const bench = {
    now: Date.parse(SEEN_AT),
    objects: new Map<string, Uint8Array>(),
    /** Keys read so far, and bodies given out. */
    reads: [] as string[],
    bodies: 0,
    /** Runs before each reading: throws to fail it, stays pending to hang. */
    beforeRead: (): Promise<void> => Promise.resolve(),
    log: [] as LogEntry[],
    put(...more: PublishedObject[]) {
      for (const { key, body } of more) bench.objects.set(key, body);
    },
  };
  const objects = withStoreDeadline({
    async getIfChanged(key, knownEtag) {
      bench.reads.push(key);
      await bench.beforeRead();
      const body = bench.objects.get(key);
      if (body === undefined) return null;
      const etag = hash("sha256", body);
      if (etag === knownEtag) return "unchanged";
      bench.bodies += 1;
      return { body, etag, modifiedAt: null };
    },
  });
  bench.put(...published);
  const context = {
    objects,
    now: () => bench.now,
    steadyNow: () => bench.now,
    log: (entry: LogEntry) => void bench.log.push(entry),
  };
  const snapshots = createSnapshots(context);
  return Object.assign(bench, {
    context,
    snapshots,
    documents: createDocuments(context, snapshots),
  });
}

export type Bench = ReturnType<typeof openBench>;

/** Lets what goes on behind an answer come to its end. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
