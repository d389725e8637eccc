import { OBJECTS } from "../../generator/contract/objects.ts";
import { toReference, type Put, type SimulatedDay } from "./simulated-day.ts";
import type { TidiedDay } from "./tidied-day.ts";

/** S3 Standard at list price, in US dollars (us-east-1). Deletions are free. */
const DOLLARS_PER_WRITE = 0.005 / 1000;
const DOLLARS_PER_READ = 0.0004 / 1000;
const DOLLARS_PER_GIGABYTE_MONTH = 0.023;

const DAYS_OF_YEAR = 365;
/** Today, the two days before it, and the hours in which the day before those is tidied. */
const LOOSE_DAYS = 3.2;

/** What a day costs, and what lies in the stores of a service a year old. */
export interface Bill {
  requestDollarsPerDay: number;
  storedBytes: number;
}

/**
 * The bill of a network with so many times the validators. Writes of the time cost the same on every network; those of
 * validators go with their number, and so do the bytes.
 *
 * @param tidied the day's journal: packs are kept for ever, loose entries for days.
 */
export function toBill({ counts, puts }: SimulatedDay, tidied: TidiedDay, times: number): Bill {
  const ofValidators = puts.filter(isOfValidator).length;
  // Tidying gets each entry once and puts their pack; it lists the journal, some pages of it, each hour.
  const entries = [...tidied.loose.values()].reduce((total, { count }) => total + count, 0);
  const pages = 24 * Math.ceil((entries * LOOSE_DAYS + DAYS_OF_YEAR) / 1000);
  const writes = counts.puts - ofValidators + ofValidators * times + counts.lists + pages + 1;
  const requestDollarsPerDay = writes * DOLLARS_PER_WRITE + (counts.gets + entries) * DOLLARS_PER_READ;
  const journal = tidied.packBytes * DAYS_OF_YEAR + tidied.looseBytes * LOOSE_DAYS;
  return { requestDollarsPerDay, storedBytes: (journal + otherBytes(puts)) * times };
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
