import { OBJECTS } from "../../generator/contract/objects.ts";
import { PRICES } from "./prices.ts";
import { toReference, type Put, type SimulatedDay } from "./simulated-day.ts";
import type { CompactedDay } from "./compacted-day.ts";

/** S3 Standard at list price, in US dollars. Deletions are free. */
const DOLLARS_PER_WRITE = PRICES.s3Writes.dollars / PRICES.s3Writes.per;
const DOLLARS_PER_READ = PRICES.s3Reads.dollars / PRICES.s3Reads.per;
const DOLLARS_PER_GIGABYTE_MONTH = PRICES.s3Storage.dollars;

const DAYS_OF_YEAR = 365;
/** Today, the two days before it, and the hours in which the day before those is compacted. */
const LOOSE_DAYS = 3.2;

/** What a day asks of the stores that is paid for. */
export interface Requests {
  /** PUTs, and pages of listings. */
  writes: number;
  /** GETs and HEADs. */
  reads: number;
}

/** What a day costs, and what lies in the stores of a service a year old. */
export interface Bill {
  requestDollarsPerDay: number;
  storedBytes: number;
}

/**
 * The requests of a network with so many times the validators. Writes of the time are as many on every network; those of
 * validators go with their number.
 */
export function toRequests({ counts, puts }: SimulatedDay, compacted: CompactedDay, times: number): Requests {
  const ofValidators = puts.filter(isOfValidator).length;
  // Tidying gets each entry once and puts their pack; it lists the journal, some pages of it, each hour.
  const entries = [...compacted.loose.values()].reduce((total, { count }) => total + count, 0);
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

/** The journal of a year. */
export function toJournalBytes({ packBytes, looseBytes }: CompactedDay): number {
  return packBytes * DAYS_OF_YEAR + looseBytes * LOOSE_DAYS;
}

/** @param months of a service a year old, each of 365 / 12 days. */
export function toDollars(bill: Bill, months: number): { requests: number; storage: number } {
  return {
    requests: (bill.requestDollarsPerDay * DAYS_OF_YEAR * months) / 12,
    storage: (bill.storedBytes / 1e9) * DOLLARS_PER_GIGABYTE_MONTH * months,
  };
}

function isOfValidator(put: Put): boolean {
  const reference = toReference(put);
  return reference !== null && OBJECTS[reference.kind].named === "votePubkey";
}

/** What lies there at the day's end but the journal: each object as it was put last. */
function otherBytes(puts: Put[]): number {
  const newest = new Map(puts.map(({ key, bytes }) => [key, bytes]));
  const others = [...newest].filter(([key]) => !key.startsWith("journal/"));
  return others.reduce((total, [, bytes]) => total + bytes, 0);
}
