import { gzipSync } from "node:zlib";
import { fromObjectKey, OBJECTS, type ObjectKind } from "../../generator/contract/objects.ts";
import { findSpare } from "../../generator/journal/checkpoints.ts";
import { openFileStore } from "../../generator/store/files.ts";
import { sum } from "./measuring.ts";
import type { StoreDay } from "./month.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";
import type { PreparedState } from "./prepared-state.ts";
import { PRICES } from "./prices.ts";
import { toReference, type Put, type SimulatedDay } from "./simulated-day.ts";
import type { CompactedDay } from "./compacted-day.ts";

const { network } = PLANNED_CLUSTER;
/** Most entries that a fresh process folds (projection.ts). */
const ENTRIES_AFTER_CHECKPOINT = 70;
const GZIP_LEVEL = 6;

interface GrownSizes {
  public: number;
  manifest: number;
  checkpoint: number;
  answer: number;
}

export function toKind(put: Put): string {
  return toReference(put)?.kind ?? put.key.slice(0, put.key.indexOf("/"));
}

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
  const answer = sum(averages) / averages.length;
  return { public: bytes, manifest, checkpoint: checkpoint.bytes, answer };
}

function isAnswer(kind: ObjectKind): boolean {
  return OBJECTS[kind].form === "document" && kind !== "index";
}

export function toStoreDay(
  { day, compacted, grown, kept }: { day: SimulatedDay; compacted: CompactedDay; grown: GrownSizes; kept: number },
  times: number,
): StoreDay {
  const derived = day.puts.filter((put) => toReference(put) === null && toKind(put) !== "journal");
  const folded = (compacted.looseBytes / compacted.entries) * ENTRIES_AFTER_CHECKPOINT;
  const bytes = {
    readBytes: sumGrown(day.reads, grown),
    coldStartBytes: grown.checkpoint + grown.manifest + folded,
    looseBytes: compacted.looseBytes,
    derivedBytes: sumGrown(derived, grown),
    publicBytes: grown.public,
    stateBytes: toJournalBytes(compacted) + grown.checkpoint * kept + grown.manifest,
  };
  const scaled = Object.fromEntries(Object.entries(bytes).map(([name, value]) => [name, Math.round(value * times)]));
  const { writes, reads } = toRequests(day, compacted, times);
  const indexWrites = day.puts.filter((put) => toKind(put) === "index").length;
  return { writes: Math.round(writes), reads, indexWrites, ...(scaled as typeof bytes) };
}

/** With manifests and checkpoints as large as after years. */
function sumGrown(objects: Put[], grown: GrownSizes): number {
  const sizes: Record<string, number> = { manifest: grown.manifest, checkpoints: grown.checkpoint };
  return sum(objects.map((object) => sizes[toKind(object)] ?? object.bytes));
}

/** S3 Standard; deletions are free. */
const DOLLARS_PER_WRITE = PRICES.s3Writes.dollars / PRICES.s3Writes.per;
const DOLLARS_PER_READ = PRICES.s3Reads.dollars / PRICES.s3Reads.per;
const DOLLARS_PER_GIGABYTE_MONTH = PRICES.s3Storage.dollars;

const DAYS_OF_YEAR = 365;
/** Today, two days before, and the hours until the next compaction. */
const LOOSE_DAYS = 3.2;

interface Requests {
  /** PUTs and listed pages. */
  writes: number;
  reads: number;
}

/** With `times` as many validators: only validators' documents scale. */
function toRequests({ counts, puts }: SimulatedDay, compacted: CompactedDay, times: number): Requests {
  const ofValidators = puts.filter(isOfValidator).length;
  // Compaction gets each entry once, puts a pack, and lists some pages hourly.
  const pages = 24 * Math.ceil((compacted.entries * LOOSE_DAYS + DAYS_OF_YEAR) / 1000);
  const writes = counts.puts - ofValidators + ofValidators * times + counts.lists + pages + 1;
  return { writes, reads: counts.gets + compacted.entries };
}

function toJournalBytes({ packBytes, looseBytes }: CompactedDay): number {
  return packBytes * DAYS_OF_YEAR + looseBytes * LOOSE_DAYS;
}

/** In a service a year old. */
export function toMonthDollars({ day, compacted }: { day: SimulatedDay; compacted: CompactedDay }, times = 1): number {
  const { writes, reads } = toRequests(day, compacted, times);
  const requests = (writes * DOLLARS_PER_WRITE + reads * DOLLARS_PER_READ) * (DAYS_OF_YEAR / 12);
  const storedBytes = (toJournalBytes(compacted) + otherBytes(day.puts)) * times;
  return requests + (storedBytes / 1e9) * DOLLARS_PER_GIGABYTE_MONTH;
}

function isOfValidator(put: Put): boolean {
  const reference = toReference(put);
  return reference !== null && OBJECTS[reference.kind].named === "votePubkey";
}

function otherBytes(puts: Put[]): number {
  const newest = new Map(puts.map(({ key, bytes }) => [key, bytes]));
  const others = [...newest].filter(([key]) => !key.startsWith("journal/"));
  return sum(others.map(([, bytes]) => bytes));
}

const HOURS_OF_YEAR = 8760;
const HOUR_MILLISECONDS = 3_600_000;

export function countKeptCheckpoints(): number {
  const heads = Array.from({ length: HOURS_OF_YEAR }, (_, ago) => {
    const time = new Date(Date.UTC(2026, 10, 20, 12) - ago * HOUR_MILLISECONDS).toISOString();
    return { moment: `${time.slice(0, 10)}/${time.slice(11).replaceAll(/\D/g, "")}`, key: time, digest: "" };
  });
  return heads.length - findSpare(heads).length;
}
