import { OBJECTS } from "../../generator/contract/objects.ts";
import { toReference, type Put, type SimulatedDay } from "./simulated-day.ts";

/** S3 Standard at list price, in US dollars (us-east-1). */
const DOLLARS_PER_WRITE = 0.005 / 1000;
const DOLLARS_PER_READ = 0.0004 / 1000;
const DOLLARS_PER_GIGABYTE_MONTH = 0.023;

const DAYS_OF_MONTH = 30;
/** The journal is kept for ever: the month is one of a service a year old. */
const DAYS_OF_JOURNAL = 365;

/**
 * What a month of such days costs in US dollars, of a network with so many times the validators: requests, and what lies in
 * the stores. Writes of the time cost the same on every network; those of validators go with their number.
 */
export function toMonthlyDollars({ counts, puts }: SimulatedDay, times: number): number {
  const ofValidators = puts.filter(isOfValidator).length;
  const writes = counts.puts - ofValidators + ofValidators * times + counts.lists;
  const requests = writes * DOLLARS_PER_WRITE + counts.gets * DOLLARS_PER_READ;
  const stored = (storedBytes(puts) * times) / 1e9;
  return requests * DAYS_OF_MONTH + stored * DOLLARS_PER_GIGABYTE_MONTH;
}

function isOfValidator(put: Put): boolean {
  const reference = toReference(put);
  return reference !== null && OBJECTS[reference.kind].named === "votePubkey";
}

function storedBytes(puts: Put[]): number {
  const journal = puts.filter(({ key }) => key.startsWith("journal/"));
  const newest = new Map(puts.map(({ key, bytes }) => [key, bytes]));
  return sum(journal.map(({ bytes }) => bytes)) * (DAYS_OF_JOURNAL - 1) + sum([...newest.values()]);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
