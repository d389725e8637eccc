import { LRUCache } from "lru-cache";
import { messageOf } from "../contract/error-message.ts";
import { z } from "zod";
import { networkSchema } from "../contract/networks.ts";
import { getOrDamaged } from "../store/damaged.ts";
import { assertFormat, ENTRY_JSON_BYTES_MAX, MISSING, toFault, type Fault, type UnreadableEntry } from "./entries.ts";
import { dayOf, digestOfNames, isEntryName, toSeriesPrefix, type JournalPlace, type SeriesPlace } from "./names.ts";
import { packLines, unpackLines } from "./pack-lines.ts";

/* A header that names the entries, then their bytes in that order. Read one with `zstdcat PACK | jq`. */

const PACK_FORMAT = 1;

/** Several generators write some thousands a day. */
export const PACK_ENTRIES_MAX = 20_000;

/** The packs of the days that every run looks at. */
const KEPT_MAX = 8;

const KEY_PATTERN =
  /^(\d{4}-\d\d-\d\d)\/pack-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-([0-9a-f]{32})\.ndjson\.zst$/;

const headerSchema = z.object({
  format: z.literal(PACK_FORMAT),
  network: networkSchema,
  series: z.int(),
  day: z.string(),
  names: z.array(z.string()).min(1).max(PACK_ENTRIES_MAX),
});

export interface PackHead {
  key: string;
  day: string;
  /** Milliseconds since 1970, by its maker's clock. */
  packedAt: number;
  digest: string;
}

export interface OpenPack {
  key: string;
  names: readonly string[];
  /** At most once for each name, in order. */
  take(name: string): Promise<Uint8Array | UnreadableEntry>;
  /** @throws {Error} when the bytes are damaged or hold more than was named */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Packs never change. */
export interface PackNames {
  of(head: PackHead): Promise<readonly string[] | Fault>;
}

/**
 * `journal/mainnet/0001/2026-11-20/pack-20261121T031500000Z-DIGEST.ndjson.zst`: sorts after the day's entries, so that
 * a listing never misses an entry that is being deleted.
 */
export function toPackKey(
  place: SeriesPlace,
  { day, packedAt, names }: { day: string; packedAt: number; names: readonly string[] },
): string {
  const timestamp = new Date(packedAt).toISOString().replaceAll(/[-:.]/g, "");
  return `${toPackPrefix(place, day)}${timestamp}-${digestOfNames(names)}.ndjson.zst`;
}

export function toPackPrefix(place: SeriesPlace, day: string): string {
  return `${toSeriesPrefix(place, "journal")}${day}/pack-`;
}

export function fromPackKey(place: SeriesPlace, key: string): PackHead | null {
  const prefix = toSeriesPrefix(place, "journal");
  if (!key.startsWith(prefix)) return null;
  const [, day, year, month, date, hours, minutes, seconds, milliseconds, digest] =
    KEY_PATTERN.exec(key.slice(prefix.length)) ?? [];
  if (day === undefined || digest === undefined) return null;
  const packedAt = Date.parse(`${year}-${month}-${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
  return Number.isNaN(packedAt) ? null : { key, day, packedAt, digest };
}

/** A pack of any series. */
export function dayOfPack(key: string): string | null {
  return /(?:^|\/)(\d{4}-\d\d-\d\d)\/pack-[^/]+$/.exec(key)?.[1] ?? null;
}

/** @param jsons none may hold a line end */
export function encodePack(
  { network, series }: SeriesPlace,
  { day, names }: { day: string; names: readonly string[] },
  jsons: AsyncIterable<Uint8Array>,
): Promise<Buffer> {
  const header = { format: PACK_FORMAT, network, series, day, names };
  return packLines(
    (async function* () {
      yield new TextEncoder().encode(JSON.stringify(header));
      yield* jsons;
    })(),
  );
}

export async function openPack(place: JournalPlace, head: PackHead): Promise<OpenPack | Fault> {
  const object = await getOrDamaged(place.store, head.key);
  if (object === null) return { unreadable: MISSING };
  if ("damaged" in object) return { unreadable: object.damaged };
  const lines = unpackLines(object.body, { lineBytesMax: ENTRY_JSON_BYTES_MAX });
  try {
    const names = parseHeader(place, head, (await lines.next()).value);
    return readPack(head.key, names, lines);
  } catch (error) {
    await lines.return(undefined);
    return toFault(error);
  }
}

export function createPackNames(place: JournalPlace): PackNames {
  const kept = new LRUCache<string, readonly string[]>({ max: KEPT_MAX });
  return {
    async of(head) {
      const known = kept.get(head.key);
      if (known !== undefined) return known;
      const pack = await openPack(place, head);
      if ("unreadable" in pack) return pack;
      await pack.close();
      kept.set(head.key, pack.names);
      return pack.names;
    },
  };
}

function parseHeader(place: SeriesPlace, head: PackHead, line: unknown): string[] {
  if (!(line instanceof Uint8Array)) throw new Error("it is empty");
  const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  assertFormat(value, [PACK_FORMAT]);
  const { network, series, day, names } = headerSchema.parse(value);
  if (network !== place.network || series !== place.series)
    throw new Error(`it belongs to ${network}, series ${series}`);
  const isOfKey = day === head.day && digestOfNames(names) === head.digest;
  const isInOrder = names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name);
  if (!isOfKey || !isInOrder || !names.every((name) => isEntryName(name) && dayOf(name) === day))
    throw new Error("its content does not match its key");
  return names;
}

function readPack(key: string, names: readonly string[], lines: AsyncGenerator<Uint8Array>): OpenPack {
  let position = 0;
  let broken: string | null = null;

  async function seek(name: string): Promise<Uint8Array | null> {
    for (;;) {
      const { value } = (await lines.next()) as { value: Uint8Array | undefined };
      if (value === undefined) return null;
      position += 1;
      if (names[position - 1] === name) return value;
    }
  }

  return {
    key,
    names,
    async take(name) {
      try {
        const line = broken === null ? await seek(name) : null;
        if (line !== null) return line;
      } catch (error) {
        broken = messageOf(error);
      }
      return { name, unreadable: `${key} does not contain it: ${broken ?? "it ends early"}` };
    },
    async finish() {
      if (broken !== null) throw new Error(broken);
      while (!(await lines.next()).done) {
        position += 1;
        if (position > names.length) throw new Error("it holds more than it names");
      }
    },
    async close() {
      await lines.return(undefined);
    },
  };
}
