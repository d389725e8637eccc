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
  const answer = sum(averages) / averages.length;
  return { public: bytes, manifest, checkpoint: checkpoint.bytes, answer };
}

/** What programs ask for: files to download, and what only the proxy reads, are others. */
function isAnswer(kind: ObjectKind): boolean {
  return OBJECTS[kind].form === "document" && kind !== "index";
}

/** A day of a network with so many times the validators, with years behind it. */
export function toStoreDay(
  { day, compacted, grown, kept }: { day: SimulatedDay; compacted: CompactedDay; grown: GrownSizes; kept: number },
  times: number,
): StoreDay {
  const derived = day.puts.filter((put) => toReference(put) === null && toKind(put) !== "journal");
  const entries = countEntries(compacted);
  const folded = (compacted.looseBytes / entries) * ENTRIES_AFTER_CHECKPOINT;
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

/** The bytes of what was put or read, as if each manifest and each checkpoint were as large as it is after years. */
function sumGrown(objects: Put[], grown: GrownSizes): number {
  const sizes: Record<string, number> = { manifest: grown.manifest, checkpoints: grown.checkpoint };
  return sum(objects.map((object) => sizes[toKind(object)] ?? object.bytes));
}

/** S3 Standard at list price, in US dollars. Deletions are free. */
const DOLLARS_PER_WRITE = PRICES.s3Writes.dollars / PRICES.s3Writes.per;
const DOLLARS_PER_READ = PRICES.s3Reads.dollars / PRICES.s3Reads.per;
const DOLLARS_PER_GIGABYTE_MONTH = PRICES.s3Storage.dollars;

const DAYS_OF_YEAR = 365;
/** Today, the two days before it, and the hours in which the day before those is compacted. */
const LOOSE_DAYS = 3.2;

/** What a day asks of the stores that is paid for. */
interface Requests {
  /** PUTs, and pages of listings. */
  writes: number;
  /** GETs and HEADs. */
  reads: number;
}

/** What a day costs, and what lies in the stores of a service a year old. */
interface Bill {
  requestDollarsPerDay: number;
  storedBytes: number;
}

/**
 * The requests of a network with so many times the validators. Writes of the time are as many on every network; those of
 * validators go with their number.
 */
function toRequests({ counts, puts }: SimulatedDay, compacted: CompactedDay, times: number): Requests {
  const ofValidators = puts.filter(isOfValidator).length;
  // Compaction gets each entry once and puts their pack; it lists the journal, some pages of it, each hour.
  const entries = countEntries(compacted);
  const pages = 24 * Math.ceil((entries * LOOSE_DAYS + DAYS_OF_YEAR) / 1000);
  const writes = counts.puts - ofValidators + ofValidators * times + counts.lists + pages + 1;
  return { writes, reads: counts.gets + entries };
}

/**
 * The bill of a network with so many times the validators, and so many times the bytes.
 *
 * @param compacted the day's journal: packs are kept for ever, loose entries for days.
 */
export function toBill(day: SimulatedDay, compacted: CompactedDay, times: number): Bill {
  const { writes, reads } = toRequests(day, compacted, times);
  const requestDollarsPerDay = writes * DOLLARS_PER_WRITE + reads * DOLLARS_PER_READ;
  return { requestDollarsPerDay, storedBytes: (toJournalBytes(compacted) + otherBytes(day.puts)) * times };
}

function countEntries({ loose }: CompactedDay): number {
  return sum([...loose.values()].map(({ count }) => count));
}

/** The journal of a year. */
function toJournalBytes({ packBytes, looseBytes }: CompactedDay): number {
  return packBytes * DAYS_OF_YEAR + looseBytes * LOOSE_DAYS;
}

/** @param months of a service a year old, each of 365 / 12 days. */
export function toDollars(bill: Bill, months: number): { requests: number; storage: number } {
  return {
    requests: (bill.requestDollarsPerDay * DAYS_OF_YEAR * months) / 12,
    storage: (bill.storedBytes / 1e9) * DOLLARS_PER_GIGABYTE_MONTH * months,
  };
}

/** S3's share of a month, of a network with so many times the validators. */
export function toMonthDollars({ day, compacted }: { day: SimulatedDay; compacted: CompactedDay }, times = 1): number {
  const { requests, storage } = toDollars(toBill(day, compacted, times), 1);
  return requests + storage;
}

function isOfValidator(put: Put): boolean {
  const reference = toReference(put);
  return reference !== null && OBJECTS[reference.kind].named === "votePubkey";
}

/** What lies there at the day's end but the journal: each object as it was put last. */
function otherBytes(puts: Put[]): number {
  const newest = new Map(puts.map(({ key, bytes }) => [key, bytes]));
  const others = [...newest].filter(([key]) => !key.startsWith("journal/"));
  return sum(others.map(([, bytes]) => bytes));
}

const HOURS_OF_YEAR = 8760;
const HOUR_MILLISECONDS = 3_600_000;

/** So many of a year's checkpoints stay, one made each hour. */
export function countKeptCheckpoints(): number {
  const heads = Array.from({ length: HOURS_OF_YEAR }, (_, ago) => {
    const time = new Date(Date.UTC(2026, 10, 20, 12) - ago * HOUR_MILLISECONDS).toISOString();
    return { moment: `${time.slice(0, 10)}/${time.slice(11).replaceAll(/\D/g, "")}`, key: time, digest: "" };
  });
  return heads.length - findSpare(heads).length;
}
