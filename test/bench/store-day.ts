import { gzipSync } from "node:zlib";
import { fromObjectKey } from "../../generator/contract/object-keys.ts";
import { OBJECTS, type ObjectKind } from "../../generator/contract/objects.ts";
import { findSpare } from "../../generator/journal/checkpoints.ts";
import { toName } from "../../generator/journal/names.ts";
import { PACK_ENTRIES } from "../../generator/journal/packs.ts";
import { openFileStore } from "../../generator/store/files.ts";
import { sum } from "./measuring.ts";
import type { StoreDay } from "./month.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";
import type { PreparedState } from "./prepared-state.ts";
import { PRICES } from "./prices.ts";
import { toReference, type Put, type SimulatedDay } from "./simulated-day.ts";
import type { PackedDay } from "./packed-day.ts";

const { network } = PLANNED_CLUSTER;
/** Most entries that a fresh process folds (service/projection/checkpoints.ts). */
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

export async function measureGrown({
  directories,
  checkpoint,
}: PreparedState): Promise<GrownSizes> {
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
  const manifest = (await openFileStore(directories.state).head(`manifest/${network}.json.zst`))
    ?.size;
  if (manifest === undefined || kinds.size === 0) throw new Error("nothing was published");
  const averages = [...kinds.values()].map(({ count, gzipBytes }) => gzipBytes / count);
  const answer = sum(averages) / averages.length;
  return { public: bytes, manifest, checkpoint: checkpoint.bytes, answer };
}

function isAnswer(kind: ObjectKind): boolean {
  return OBJECTS[kind].form === "document" && kind !== "index";
}

export function toStoreDay(
  {
    day,
    packed,
    grown,
    kept,
  }: { day: SimulatedDay; packed: PackedDay; grown: GrownSizes; kept: number },
  times: number,
): StoreDay {
  const derived = day.puts.filter((put) => toReference(put) === null && toKind(put) !== "journal");
  const folded = (packed.looseBytes / packed.entries) * ENTRIES_AFTER_CHECKPOINT;
  const bytes = {
    readBytes: sumGrown(day.reads, grown),
    coldStartBytes: grown.checkpoint + grown.manifest + folded,
    looseBytes: packed.looseBytes,
    derivedBytes: sumGrown(derived, grown),
    publicBytes: grown.public,
    stateBytes: toJournalBytes(packed) + grown.checkpoint * kept + grown.manifest,
  };
  const scaled = Object.fromEntries(
    Object.entries(bytes).map(([name, value]) => [name, Math.round(value * times)]),
  );
  const { writes, reads } = toRequests(day, packed, times);
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
/** Of the newest pack and after it, at most (journal/packing.ts). */
const LOOSE_ENTRIES = 2 * PACK_ENTRIES;

interface Requests {
  /** PUTs and listed pages. */
  writes: number;
  reads: number;
}

/** With `times` as many validators: only validators' documents scale. */
function toRequests({ counts, puts }: SimulatedDay, packed: PackedDay, times: number): Requests {
  const ofValidators = puts.filter(isOfValidator).length;
  // Packing gets each entry once, puts a pack for a thousand, and lists some pages hourly.
  const pages =
    24 * Math.ceil((LOOSE_ENTRIES + (packed.entries * DAYS_OF_YEAR) / PACK_ENTRIES) / 1000);
  const packs = packed.entries / PACK_ENTRIES;
  const writes = counts.puts - ofValidators + ofValidators * times + counts.lists + pages + packs;
  return { writes, reads: counts.gets + packed.entries };
}

function toJournalBytes({ packBytes, looseBytes, entries }: PackedDay): number {
  return packBytes * DAYS_OF_YEAR + (looseBytes / entries) * LOOSE_ENTRIES;
}

/** In a service a year old. */
export function toMonthDollars(
  { day, packed }: { day: SimulatedDay; packed: PackedDay },
  times = 1,
): number {
  const { writes, reads } = toRequests(day, packed, times);
  const requests = (writes * DOLLARS_PER_WRITE + reads * DOLLARS_PER_READ) * (DAYS_OF_YEAR / 12);
  const storedBytes = (toJournalBytes(packed) + otherBytes(day.puts)) * times;
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

const ENTRIES_OF_YEAR = 525_600;
const ENTRIES_BETWEEN = 50;

/** After a year of checks each minute. */
export function countKeptCheckpoints(): number {
  let kept: { name: string }[] = [];
  for (let number = ENTRIES_BETWEEN; number <= ENTRIES_OF_YEAR; number += ENTRIES_BETWEEN) {
    const heads = [{ name: toName(number) }, ...kept];
    const spare = new Set(findSpare(heads));
    kept = heads.filter((head) => !spare.has(head));
  }
  return kept.length;
}
