import type { ObjectStore } from "../../store/store.ts";

/** What was asked of a store, in this order. */
export const STORE_OPERATIONS = ["write", "read", "create-if-absent", "overwrite", "list", "delete"] as const;

export type StoreOperation = (typeof STORE_OPERATIONS)[number];

export interface StoreProbe {
  /** How long each operation took that was tried. */
  milliseconds: Partial<Record<StoreOperation, number>>;
  /** What did not do as a store must; `error` where it threw. */
  faults: { operation: StoreOperation; reason: string; error: unknown }[];
}

interface Probing {
  store: ObjectStore;
  /** The one key that is written, and removed again. */
  key: string;
  /** Milliseconds from any beginning. */
  timer: () => number;
}

const FIRST = new TextEncoder().encode("rugwatch doctor\n");
const SECOND = new TextEncoder().encode("rugwatch doctor, a second time\n");
const CONTENT_TYPE = "text/plain; charset=utf-8";

/**
 * Does once with one object all that Rugwatch does with a store, and looks whether it did it. After the first operation
 * that throws no other is tried; the object is removed in any case.
 */
export async function probeStore({ store, key, timer }: Probing): Promise<StoreProbe> {
  const probe: StoreProbe = { milliseconds: {}, faults: [] };
  const trials = toTrials(store, key);
  try {
    for (const operation of STORE_OPERATIONS) {
      const startedAt = timer();
      const reason = await trials[operation]();
      probe.milliseconds[operation] = timer() - startedAt;
      if (reason !== null) probe.faults.push({ operation, reason, error: null });
    }
  } catch (error) {
    const operation = STORE_OPERATIONS.find((one) => probe.milliseconds[one] === undefined) ?? "delete";
    probe.faults.push({ operation, reason: error instanceof Error ? error.message : String(error), error });
    await removeQuietly(store, key);
  }
  return probe;
}

/** Each answers what was wrong; null: nothing. */
function toTrials(store: ObjectStore, key: string): Record<StoreOperation, () => Promise<string | null>> {
  const put = (body: Uint8Array, expect: "any" | "absent") =>
    store.put(key, body, { expect, contentType: CONTENT_TYPE });
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
      if (written !== null) return "it overwrites where it was told to create only";
      return compare(store, key, FIRST);
    },
    async overwrite() {
      const written = await put(SECOND, "any");
      if (written === null) return "nothing was written";
      if (written.etag === etag) return "the ETag did not change with the object";
      etag = written.etag;
      return compare(store, key, SECOND);
    },
    async list() {
      const listed = [];
      for await (const head of store.list(key)) listed.push(head);
      const [head] = listed;
      if (head?.key !== key || listed.length > 1) return "the object is not in the list";
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

/** The failure that led here is the one to tell; that this fails too is its consequence. */
async function removeQuietly(store: ObjectStore, key: string): Promise<void> {
  await store.delete(key).catch(() => undefined);
}
