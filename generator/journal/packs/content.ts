import { z } from "zod";
import { networkSchema } from "../../contract/networks.ts";
import { getOrDamaged } from "../../store/damaged.ts";
import { digestOfNames } from "../digest.ts";
import { ENTRY_JSON_BYTES_MAX, MISSING, toReason, type UnreadableEntry } from "../entries.ts";
import { assertFormat } from "../formats.ts";
import { dayOf, isEntryName, type JournalPlace, type SeriesPlace } from "../names.ts";
import type { PackHead } from "./key.ts";
import { packLines, unpackLines } from "./lines.ts";

/*
 * A pack is newline-delimited JSON in one zstd frame: a line that says what it is and names its entries, then the very bytes
 * of each entry, in the order of their names. So `zstdcat PACK | jq` works for anyone, and each name vouches for its line.
 */

const PACK_FORMAT = 1;

/** Most entries of one pack: several generators write some thousands a day, and a day may have several packs. */
export const PACK_ENTRIES_MAX = 20_000;

const headerSchema = z.object({
  format: z.literal(PACK_FORMAT),
  network: networkSchema,
  series: z.int(),
  day: z.string(),
  names: z.array(z.string()).min(1).max(PACK_ENTRIES_MAX),
});

/** A pack being read, from its first entry to its last. */
export interface OpenPack {
  key: string;
  /** Of its entries, in order. */
  names: readonly string[];
  /** The bytes under one of its names, or why there are none. Each name at most once, in their order. */
  take(name: string): Promise<Uint8Array | UnreadableEntry>;
  /** Reads what is left of it. @throws {Error} where the bytes are damaged, or hold more than was named. */
  finish(): Promise<void>;
  /** Must be called when nothing more is read. */
  close(): Promise<void>;
}

/** @param jsons of the entries, in the order of the names; none may hold a line end. */
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

/**
 * Opens a pack, or says why nothing in it can be believed: it is gone, cut, damaged, of a newer format, or not what its key
 * says.
 *
 * @throws {StoreError}
 */
export async function openPack(place: JournalPlace, head: PackHead): Promise<OpenPack | { unreadable: string }> {
  const object = await getOrDamaged(place.store, head.key);
  if (object === null) return { unreadable: MISSING };
  if ("damaged" in object) return { unreadable: object.damaged };
  const lines = unpackLines(object.body, { lineBytesMax: ENTRY_JSON_BYTES_MAX });
  try {
    const names = parseHeader(place, head, (await lines.next()).value);
    return readPack({ key: head.key, names, lines });
  } catch (error) {
    await lines.return(undefined);
    return { unreadable: toReason(error) };
  }
}

function parseHeader(place: SeriesPlace, head: PackHead, line: unknown): string[] {
  if (!(line instanceof Uint8Array)) throw new Error("nothing is packed in it");
  const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  // Said apart from all other faults of shape: it tells the operator that a newer generator writes this journal.
  assertFormat(value, [PACK_FORMAT]);
  const { network, series, day, names } = headerSchema.parse(value);
  if (network !== place.network || series !== place.series) throw new Error(`it is of ${network}, series ${series}`);
  const isOfKey = day === head.day && digestOfNames(names) === head.digest;
  const isInOrder = names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name);
  if (!isOfKey || !isInOrder || !names.every((name) => isEntryName(name) && dayOf(name) === day))
    throw new Error("its content does not fit its key");
  return names;
}

function readPack(options: {
  key: string;
  names: readonly string[];
  /** What follows the header. */
  lines: AsyncGenerator<Uint8Array>;
}): OpenPack {
  const { key, names, lines } = options;
  let position = 0;
  let broken: string | null = null;

  /** The line of a name, skipping those before it; null: there is none any more. */
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
        broken = toReason(error);
      }
      return { name, unreadable: `${key} does not hold it: ${broken ?? "it ends before"}` };
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
