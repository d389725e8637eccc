import { z } from "zod";
import { messageOf } from "../contract/error-message.ts";
import { networkSchema } from "../contract/networks.ts";
import { getOrDamaged } from "../store/damaged.ts";
import {
  assertFormat,
  ENTRY_JSON_BYTES_MAX,
  MISSING,
  toFault,
  type Fault,
  type UnreadableEntry,
} from "./entries.ts";
import {
  isEntryName,
  numberOf,
  toName,
  toSeriesPrefix,
  type JournalPlace,
  type SeriesPlace,
} from "./names.ts";
import { packLines, unpackLines } from "./pack-lines.ts";

/*
 * A pack holds a thousand entries, always the same for a number: a header that names them, then
 * their bytes in that order. Read one with `zstdcat PACK | jq`.
 */

const PACK_FORMAT = 1;

/** Entry numbers that a pack covers. */
export const PACK_ENTRIES = 1_000;

const KEY_PATTERN = /^(\d{10})-(\d{10})\.ndjson\.zst$/;

const headerSchema = z.object({
  format: z.literal(PACK_FORMAT),
  network: networkSchema,
  series: z.int(),
  names: z.array(z.string()).min(1).max(PACK_ENTRIES),
});

/** First and last number, both included. */
export interface PackRange {
  first: number;
  last: number;
}

/** A pack that is being read. Call `close` even after a failure. */
export interface OpenPack {
  key: string;
  names: ReadonlySet<string>;
  /**
   * The JSON of an entry; null: the pack does not name it. Call it at most once a name, in order.
   */
  take(name: string): Promise<Uint8Array | UnreadableEntry | null>;
  /** @throws {Error} when the bytes are damaged or hold more than the header names */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Numbers of the pack that holds an entry. */
export function packRangeOf(name: string): PackRange {
  const first = Math.floor((numberOf(name) - 1) / PACK_ENTRIES) * PACK_ENTRIES + 1;
  return { first, last: first + PACK_ENTRIES - 1 };
}

/** `packs/mainnet/0001/0000001001-0000002000.ndjson.zst` */
export function toPackKey(place: SeriesPlace, { first, last }: PackRange): string {
  return `${toSeriesPrefix(place, "packs")}${toName(first)}-${toName(last)}.ndjson.zst`;
}

/** Packs of a place, oldest first. */
export async function listPacks(place: JournalPlace): Promise<PackRange[]> {
  const ranges: PackRange[] = [];
  const prefix = toSeriesPrefix(place, "packs");
  for await (const { key } of place.store.list(prefix)) {
    const [, first, last] = KEY_PATTERN.exec(key.slice(prefix.length)) ?? [];
    if (first === undefined || last === undefined || !isEntryName(first)) continue;
    const range = packRangeOf(first);
    if (toPackKey(place, range) === key) ranges.push(range);
  }
  return ranges;
}

/**
 * Encodes a pack.
 * @param jsons in the order of the names; none may hold a line end
 */
export function encodePack(
  { network, series }: SeriesPlace,
  names: readonly string[],
  jsons: AsyncIterable<Uint8Array>,
): Promise<Buffer> {
  const header = { format: PACK_FORMAT, network, series, names };
  return packLines(
    (async function* () {
      yield new TextEncoder().encode(JSON.stringify(header));
      yield* jsons;
    })(),
  );
}

/**
 * Opens a pack and reads its header, or says why it cannot be read.
 * @throws {StoreError} when the store fails
 */
export async function openPack(place: JournalPlace, range: PackRange): Promise<OpenPack | Fault> {
  const key = toPackKey(place, range);
  const object = await getOrDamaged(place.store, key);
  if (object === null) return { unreadable: MISSING };
  if ("damaged" in object) return { unreadable: object.damaged };
  const lines = unpackLines(object.body, { lineBytesMax: ENTRY_JSON_BYTES_MAX });
  try {
    const names = parseHeader(place, range, (await lines.next()).value);
    return readPack(key, names, lines);
  } catch (error) {
    await lines.return(undefined);
    return toFault(error);
  }
}

function parseHeader(place: SeriesPlace, { first, last }: PackRange, line: unknown): string[] {
  if (!(line instanceof Uint8Array)) throw new Error("it is empty");
  const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  assertFormat(value, [PACK_FORMAT]);
  const { network, series, names } = headerSchema.parse(value);
  if (network !== place.network || series !== place.series)
    throw new Error(`it belongs to ${network}, series ${series}`);
  const isInOrder = names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name);
  const isOfRange = (name: string) =>
    isEntryName(name) && numberOf(name) >= first && numberOf(name) <= last;
  if (!isInOrder || !names.every(isOfRange)) throw new Error("its content does not match its key");
  return names;
}

function readPack(
  key: string,
  names: readonly string[],
  lines: AsyncGenerator<Uint8Array>,
): OpenPack {
  const named = new Set(names);
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
    names: named,
    async take(name) {
      if (!named.has(name)) return null;
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
