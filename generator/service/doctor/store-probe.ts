import type { ObjectStore } from "../../store/store.ts";
import { messageOf } from "./findings.ts";

/** What is asked of a store, in this order. */
export const STORE_OPERATIONS = ["write", "read", "create-if-absent", "overwrite", "list", "delete"] as const;

type StoreOperation = (typeof STORE_OPERATIONS)[number];

export interface StoreProbe {
  /** How long each operation took that was tried. */
  milliseconds: Partial<Record<StoreOperation, number>>;
  /** What did not do as a store must; `error` where it threw. */
  faults: { operation: StoreOperation; reason: string; error: unknown }[];
}

const FIRST = new TextEncoder().encode("rugwatch doctor\n");
const SECOND = new TextEncoder().encode("rugwatch doctor, a second time\n");

/**
 * Does once with one object all that Rugwatch does with a store, and looks whether it did it. After the first operation that
 * throws no other is tried; the object is removed in any case.
 *
 * @param probing.key the one that is written, and removed again
 * @param probing.timer milliseconds from any beginning
 */
export async function probeStore(probing: {
  store: ObjectStore;
  key: string;
  timer: () => number;
}): Promise<StoreProbe> {
  const { store, key, timer } = probing;
  const probe: StoreProbe = { milliseconds: {}, faults: [] };
  const trials = toTrials(store, key);
  for (const operation of STORE_OPERATIONS) {
    const startedAt = timer();
    try {
      const reason = await trials[operation]();
      if (reason !== null) probe.faults.push({ operation, reason, error: null });
    } catch (error) {
      probe.faults.push({ operation, reason: messageOf(error), error });
      // The failure that led here is the one to tell; that this fails too is its consequence.
      await store.delete(key).catch(() => undefined);
      return probe;
    }
    probe.milliseconds[operation] = timer() - startedAt;
  }
  return probe;
}

/** Each answers what was wrong; null: nothing. */
function toTrials(store: ObjectStore, key: string): Record<StoreOperation, () => Promise<string | null>> {
  const put = (body: Uint8Array, expect: "any" | "absent") =>
    store.put(key, body, { expect, contentType: "text/plain; charset=utf-8" });
  let etag = "";
  return {
    async write() {
      const written = await put(FIRST, "absent");
      etag = written?.etag ?? "";
      return written === null ? "a new object was taken for one that exists" : null;
    },
    read: () => compare(store, key, FIRST),
    async "create-if-absent"() {
      const written = await put(SECOND, "absent");
      return written === null ? compare(store, key, FIRST) : "it overwrites where it was told to create only";
    },
    async overwrite() {
      const written = await put(SECOND, "any");
      if (written === null) return "nothing was written";
      if (written.etag === etag) return "the ETag did not change with the object";
      etag = written.etag;
      return compare(store, key, SECOND);
    },
    async list() {
      const [head, ...others] = await Array.fromAsync(store.list(key));
      if (head?.key !== key || others.length > 0) return "the object is not in the list";
      return head.etag === etag ? null : "the list has another ETag than the write";
    },
    async delete() {
      await store.delete(key);
      return (await store.get(key)) === null ? null : "the object is still there";
    },
  };
}

async function compare(store: ObjectStore, key: string, body: Uint8Array): Promise<string | null> {
  const object = await store.get(key);
  if (object === null) return "the object that was written is not there";
  return Buffer.compare(object.body, body) === 0 ? null : "other bytes came back than were written";
}
