import { createHash } from "node:crypto";
import { z } from "zod";
import { messageOf } from "../contract/error-message.ts";
import { ENTRY_FORMAT, entrySchema, type Entry, type NamedEntry } from "../entries/entry.ts";
import type { DamagedObject } from "../store/damaged.ts";
import type { StoredObject } from "../store/store.ts";
import { compress, decompress } from "../store/zstd.ts";
import { numberOf, type SeriesPlace } from "./names.ts";
import { referringSchema, type Referring } from "./references.ts";
import { REFERRING_FORMAT } from "./referring.ts";

/*
 * An entry is stored as JSON with its number and the hash of the entry before it. Changing one
 * breaks the chain, and the newest hash is published.
 */

/** Ten times a snapshot at planning size. */
export const ENTRY_JSON_BYTES_MAX = 64 * 1024 * 1024;

/** Why an object cannot be read. */
export interface Fault {
  /** The reason, for people. */
  unreadable: string;
  /** A newer version wrote it. It is not damaged, but nothing may be published without it. */
  isOfNewer?: true;
}

/** An object that cannot be read: an entry by its name, or a ruling by its key. */
export interface UnreadableEntry extends Fault {
  name: string;
}

/** What links an entry to the one before it. */
export interface Link {
  name: string;
  /**
   * SHA-256 of the JSON of the entry before it; null: it is the first, or the one before cannot be
   * read.
   */
  previous: string | null;
}

/** An entry as it was read. */
interface StoredEntry extends Link, NamedEntry {}

/** An entry stored as its difference from another. */
export interface StoredReferring extends Link {
  hash: string;
  referring: Referring;
}

/** An entry, whole or as a difference, or why it cannot be read. */
export type Stored = StoredEntry | StoredReferring | UnreadableEntry;

/** Reason of a fault when there is no object. */
export const MISSING = "the object is missing";

/**
 * The bytes of an entry; equal entries after the same one give equal bytes.
 * @throws {Error} when it could not be read back
 */
export function entryToJson({ name, previous }: Link, entry: Entry | Referring): Uint8Array {
  const ordered =
    entry.format === REFERRING_FORMAT ? referringSchema.parse(entry) : entrySchema.parse(entry);
  const linked = { number: numberOf(name), previous, ...ordered };
  const text = JSON.stringify(linked, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  const json = new TextEncoder().encode(text);
  if (json.byteLength > ENTRY_JSON_BYTES_MAX)
    throw new Error(`an entry of ${json.byteLength} bytes is too large for the journal`);
  return json;
}

/** SHA-256 in hexadecimal digits. */
export function hashOf(json: Uint8Array): string {
  return createHash("sha256").update(json).digest("hex");
}

/** Compresses the JSON of one entry, as loose entries are stored. */
export function packEntry(json: Uint8Array): Uint8Array {
  return compress(json);
}

/**
 * JSON of a loose entry, or why it cannot be read. It unpacks at most {@link
 * ENTRY_JSON_BYTES_MAX}.
 */
export function unpackEntry(
  name: string,
  object: StoredObject | DamagedObject | null,
): Uint8Array | UnreadableEntry {
  if (object === null) return { name, unreadable: MISSING };
  if ("damaged" in object) return { name, unreadable: object.damaged };
  try {
    return decompress(object.body, { bytesMax: ENTRY_JSON_BYTES_MAX });
  } catch (error) {
    return { name, unreadable: messageOf(error) };
  }
}

const linkSchema = z.looseObject({
  number: z.int(),
  previous: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
});

/**
 * Parses and validates an entry. It never throws: a fault is returned, also for an entry of
 * another network or number.
 */
export function parseEntry(place: SeriesPlace, name: string, json: Uint8Array): Stored {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
    const format = assertFormat(value, [ENTRY_FORMAT, REFERRING_FORMAT]);
    const { number, previous } = linkSchema.parse(value);
    const entry =
      format === REFERRING_FORMAT ? referringSchema.parse(value) : entrySchema.parse(value);
    if (entry.network !== place.network)
      return { name, unreadable: `it belongs to the network ${entry.network}` };
    if (number !== numberOf(name)) return { name, unreadable: `it is the entry ${number}` };
    const link = { name, previous, hash: hashOf(json) };
    return entry.format === REFERRING_FORMAT ? { ...link, referring: entry } : { ...link, entry };
  } catch (error) {
    return { name, ...toFault(error) };
  }
}

/** The first fields of an entry. */
export interface EntryHead {
  kind: string;
  /** ISO 8601 in UTC. */
  time: string;
}

/** The beginning of every entry that {@link entryToJson} writes. */
const HEAD_PATTERN =
  /^\{"number":(\d+),"previous":(?:null|"[0-9a-f]{64}"),"kind":"([a-z]+)","format":(\d+),"network":"([a-z]+)","time":"(\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z)",/;
const HEAD_BYTES = 256;

/**
 * Reads the first fields a hundred times as fast as {@link parseEntry}. Null: the entry is written
 * differently, damaged, or of another place.
 */
export function readHead(place: SeriesPlace, name: string, json: Uint8Array): EntryHead | null {
  const head = HEAD_PATTERN.exec(new TextDecoder("latin1").decode(json.subarray(0, HEAD_BYTES)));
  const [, number, kind = "", format, network, time = ""] = head ?? [];
  const isKnown = Number(format) === ENTRY_FORMAT || Number(format) === REFERRING_FORMAT;
  return isKnown && network === place.network && Number(number) === numberOf(name)
    ? { kind, time }
    : null;
}

const formatSchema = z.looseObject({ format: z.unknown() });

/** The object is whole, but a newer version wrote it. */
class NewerFormatError extends Error {
  override name = "NewerFormatError";
}

/**
 * Returns the format of a value.
 * @param value JSON from outside
 * @param known formats that this version knows, ascending
 * @throws {Error} for any other format; {@link toFault} tells a newer one apart
 */
export function assertFormat(value: unknown, known: readonly number[]): number {
  const { format } = formatSchema.parse(value);
  const found = known.find((one) => one === format);
  if (found !== undefined) return found;
  const newest = known.at(-1) ?? 0;
  const fault = `it has the format ${JSON.stringify(format)}, this version knows ${newest}`;
  if (typeof format === "number" && format > newest)
    throw new NewerFormatError(`${fault}: a newer version wrote it`);
  throw new Error(fault);
}

/** The fault for an error of {@link assertFormat} or of a parser. */
export function toFault(error: unknown): Fault {
  return {
    unreadable: messageOf(error),
    ...(error instanceof NewerFormatError && { isOfNewer: true }),
  };
}
