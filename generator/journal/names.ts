import type { Network } from "../contract/networks.ts";
import type { ObjectStore } from "../store/store.ts";

/** A cluster with a new genesis continues in the next series. */
export interface SeriesPlace {
  network: Network;
  series: number;
}

/** A series in its store. */
export interface JournalPlace extends SeriesPlace {
  store: ObjectStore;
}

/** Two entries a second fill it in 150 years. */
const NUMBER_MAX = 9_999_999_999;

const NUMBER_DIGITS = 10;
const NAME_PATTERN = /^\d{10}$/;
const EXTENSION = ".json.zst";

/** An entry's number in ten digits, `0000123456`: names sort as numbers do. The first is 1. */
export function toName(number: number): string {
  if (number > NUMBER_MAX) throw new RangeError(`an entry's number is at most ${NUMBER_MAX}`);
  return String(number).padStart(NUMBER_DIGITS, "0");
}

/**
 * The number of an entry; 0 before the first.
 * @param name null: before the first
 */
export function numberOf(name: string | null): number {
  return name === null ? 0 : Number(name);
}

/**
 * The name of the next entry.
 * @param name null: before the first
 */
export function nameAfter(name: string | null): string {
  return toName(numberOf(name) + 1);
}

/** Names from the first number to the last, both included. */
export function toNames(first: number, last: number): string[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => toName(first + index));
}

/** Whether a text is an entry's number in ten digits, from 1. */
export function isEntryName(text: string): boolean {
  return NAME_PATTERN.test(text) && Number(text) > 0;
}

/** `journal/mainnet/0001/0000123456.json.zst` */
export function toEntryKey(series: SeriesPlace, name: string): string {
  return `${toSeriesPrefix(series, "journal")}${name}${EXTENSION}`;
}

/** Name of the entry with this key; null: it is no entry's key. */
export function fromEntryKey(series: SeriesPlace, key: string): string | null {
  const prefix = toSeriesPrefix(series, "journal");
  if (!key.startsWith(prefix) || !key.endsWith(EXTENSION)) return null;
  const name = key.slice(prefix.length, -EXTENSION.length);
  return isEntryName(name) ? name : null;
}

/** `journal/mainnet/0001/` */
export function toSeriesPrefix({ network, series }: SeriesPlace, folder: string): string {
  return `${folder}/${network}/${String(series).padStart(4, "0")}/`;
}
