import { digestOfNames } from "../digest.ts";
import { toSeriesPrefix, type SeriesPlace } from "../names.ts";

/** A pack of a day's entries, as its key tells of it. */
export interface PackHead {
  key: string;
  /** UTC day of all its entries. */
  day: string;
  /** When it was made, by the clock of who made it; milliseconds since 1970. */
  packedAt: number;
  /** Of the names of its entries. */
  digest: string;
}

const KEY_PATTERN =
  /^(\d{4}-\d\d-\d\d)\/pack-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-([0-9a-f]{32})\.ndjson\.zst$/;

/**
 * The key of a pack, `journal/mainnet/0001/2026-11-20/pack-20261121T031500000Z-DIGEST.ndjson.zst`.
 *
 * It lies among the entries of its day and sorts after them all: a listing meets the pack after the entries. So it never
 * misses one that is deleted meanwhile: what was gone before it came by had been packed long before.
 *
 * @param pack its names in order; `packedAt` in milliseconds since 1970.
 */
export function toPackKey(
  place: SeriesPlace,
  { day, packedAt, names }: { day: string; packedAt: number; names: readonly string[] },
): string {
  const timestamp = new Date(packedAt).toISOString().replaceAll(/[-:.]/g, "");
  return `${toPackPrefix(place, day)}${timestamp}-${digestOfNames(names)}.ndjson.zst`;
}

/** What the keys of all packs of a UTC day begin with. */
export function toPackPrefix(place: SeriesPlace, day: string): string {
  return `${toSeriesPrefix(place, "journal")}${day}/pack-`;
}

/** What a key tells of a pack; null: it is none of one. The inverse of {@link toPackKey}. */
export function fromPackKey(place: SeriesPlace, key: string): PackHead | null {
  const prefix = toSeriesPrefix(place, "journal");
  if (!key.startsWith(prefix)) return null;
  const [, day, year, month, date, hours, minutes, seconds, milliseconds, digest] =
    KEY_PATTERN.exec(key.slice(prefix.length)) ?? [];
  if (day === undefined || digest === undefined) return null;
  const packedAt = Date.parse(`${year}-${month}-${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
  return Number.isNaN(packedAt) ? null : { key, day, packedAt, digest };
}
