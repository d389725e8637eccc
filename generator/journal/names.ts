import { createHash } from "node:crypto";
import type { Network } from "../contract/networks.ts";
import type { Entry } from "../entries/entry.ts";
import type { ObjectStore } from "../store/store.ts";

/** A cluster with a new genesis continues in the next series. */
export interface SeriesPlace {
  network: Network;
  series: number;
}

export interface JournalPlace extends SeriesPlace {
  store: ObjectStore;
}

type EntryFolder = "journal" | "backdated";

const HASH_DIGITS = 16;
const DIGEST_DIGITS = 32;
const NAME_PATTERN = /^\d{4}-\d\d-\d\d\/\d{9}-[a-z]+-[0-9a-f]{16}$/;
const EXTENSION = ".json.zst";
const DAY_MILLISECONDS = 86_400_000;

/**
 * `2026-11-20/153000000-check-0123456789abcdef`: sorts by time; equal entries have equal names.
 * @param json uncompressed
 */
export function toEntryName({ time, kind }: Pick<Entry, "time" | "kind">, json: Uint8Array): string {
  const hash = createHash("sha256").update(json).digest("hex").slice(0, HASH_DIGITS);
  return `${toMoment(time)}-${kind}-${hash}`;
}

/** `journal/mainnet/0001/2026-11-20/153000000-check-0123456789abcdef.json.zst` */
export function toEntryKey(series: SeriesPlace, name: string, folder: EntryFolder = "journal"): string {
  return `${toSeriesPrefix(series, folder)}${name}${EXTENSION}`;
}

export function fromEntryKey(series: SeriesPlace, key: string, folder: EntryFolder = "journal"): string | null {
  const prefix = toSeriesPrefix(series, folder);
  if (!key.startsWith(prefix) || !key.endsWith(EXTENSION)) return null;
  const name = key.slice(prefix.length, -EXTENSION.length);
  return isEntryName(name) ? name : null;
}

export function isEntryName(text: string): boolean {
  return NAME_PATTERN.test(text);
}

/** `journal/mainnet/0001/` */
export function toSeriesPrefix({ network, series }: SeriesPlace, folder: string): string {
  return `${folder}/${network}/${String(series).padStart(4, "0")}/`;
}

/**
 * `2026-11-20/153000000`
 * @throws {RangeError} unless in UTC with milliseconds: it would not sort
 */
export function toMoment(time: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)) {
    throw new RangeError(`the time ${JSON.stringify(time)} is not in UTC with milliseconds`);
  }
  return `${time.slice(0, 10)}/${time.slice(11).replace(/\D/g, "")}`;
}

/** Milliseconds since 1970. */
export function timeOf(name: string): number {
  const [, day = "", hours, minutes, seconds, milliseconds] = /^(.{10})\/(\d\d)(\d\d)(\d\d)(\d{3})/.exec(name) ?? [];
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
}

export function shiftDay(day: string, days: number): string {
  return toDay(Date.parse(day) + days * DAY_MILLISECONDS);
}

/** @param time milliseconds since 1970 */
export function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function dayOf(name: string): string {
  return name.slice(0, 10);
}

export function digestOfNames(names: Iterable<string>): string {
  const digest = createNameDigest();
  for (const name of names) digest.add(name);
  return digest.digest();
}

export function createNameDigest() {
  const hash = createHash("sha256");
  let isEmpty = true;
  return {
    add(name: string): void {
      hash.update(isEmpty ? name : `\n${name}`);
      isEmpty = false;
    },
    digest: () => hash.copy().digest("hex").slice(0, DIGEST_DIGITS),
  };
}
