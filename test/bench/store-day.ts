import { gzipSync } from "node:zlib";
import { fromObjectKey, OBJECTS, type ObjectKind } from "../../generator/contract/objects.ts";
import { openFileStore } from "../../generator/store/files.ts";
import type { StoreDay } from "./month.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";
import type { PreparedState } from "./prepared-state.ts";
import { toReference, type Put, type SimulatedDay } from "./simulated-day.ts";
import { toJournalBytes, toRequests } from "./store-prices.ts";
import type { TidiedDay } from "./tidied-day.ts";

const { network } = PLANNED_CLUSTER;
/** A process that begins anew folds at most so much of a day (see projection.ts). */
const ENTRIES_AFTER_CHECKPOINT = 70;
const GZIP_LEVEL = 6;

/** How large things are of a service with years behind it; all in bytes. */
export interface GrownSizes {
  public: number;
  manifest: number;
  checkpoint: number;
  /** An answer of an endpoint, on average, compressed. */
  answer: number;
}

/** The kind of a public object, or the folder of one in the state store. */
export function toKind(put: Put): string {
  return toReference(put)?.kind ?? put.key.slice(0, put.key.indexOf("/"));
}

/** Measures what was prepared, and compresses each of its documents as a CDN does. */
export async function measureGrown({ directories, checkpoint }: PreparedState): Promise<GrownSizes> {
  const kinds = new Map<ObjectKind, { count: number; gzipBytes: number }>();
  const publicStore = openFileStore(directories.public);
  let bytes = 0;
  for await (const { key, size } of publicStore.list("")) {
    bytes += size;
    const kind = fromObjectKey(network, key)?.kind;
    if (kind === undefined || !isAnswer(kind)) continue;
    const body = (await publicStore.get(key))?.body ?? new Uint8Array();
    const sum = kinds.get(kind) ?? { count: 0, gzipBytes: 0 };
    const gzipBytes = sum.gzipBytes + gzipSync(body, { level: GZIP_LEVEL }).byteLength;
    kinds.set(kind, { count: sum.count + 1, gzipBytes });
  }
  const manifest = (await openFileStore(directories.state).head(`manifest/${network}.json.zst`))?.size;
  if (manifest === undefined || kinds.size === 0) throw new Error("nothing was published");
  const averages = [...kinds.values()].map(({ count, gzipBytes }) => gzipBytes / count);
  const answer = averages.reduce((total, average) => total + average, 0) / averages.length;
  return { public: bytes, manifest, checkpoint: checkpoint.bytes, answer };
}

/** What programs ask for: files to download, and what only the proxy reads, are others. */
function isAnswer(kind: ObjectKind): boolean {
  return OBJECTS[kind].form === "document" && kind !== "index";
}

/** A day of a network with so many times the validators, with years behind it. */
export function toStoreDay(
  { day, tidied, grown, kept }: { day: SimulatedDay; tidied: TidiedDay; grown: GrownSizes; kept: number },
  times: number,
): StoreDay {
  const derived = day.puts.filter((put) => toReference(put) === null && toKind(put) !== "journal");
  const entries = [...tidied.loose.values()].reduce((total, { count }) => total + count, 0);
  const folded = (tidied.looseBytes / entries) * ENTRIES_AFTER_CHECKPOINT;
  const bytes = {
    readBytes: sumGrown(day.reads, grown),
    coldStartBytes: grown.checkpoint + grown.manifest + folded,
    looseBytes: tidied.looseBytes,
    derivedBytes: sumGrown(derived, grown),
    publicBytes: grown.public,
    stateBytes: toJournalBytes(tidied) + grown.checkpoint * kept + grown.manifest,
  };
  const scaled = Object.fromEntries(Object.entries(bytes).map(([name, value]) => [name, Math.round(value * times)]));
  const { writes, reads } = toRequests(day, tidied, times);
  const indexWrites = day.puts.filter((put) => toKind(put) === "index").length;
  return { writes: Math.round(writes), reads, indexWrites, ...(scaled as typeof bytes) };
}

/** The bytes of what was put or read, as if each manifest and each checkpoint were as large as it is after years. */
function sumGrown(objects: Put[], grown: GrownSizes): number {
  const sizes: Record<string, number> = { manifest: grown.manifest, checkpoints: grown.checkpoint };
  return objects.reduce((total, object) => total + (sizes[toKind(object)] ?? object.bytes), 0);
}
