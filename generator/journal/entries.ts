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
 * An entry is stored as JSON with its number and the hash of the entry before
 * it: who changes one breaks the chain, and the newest hash is published.
 */

/** Ten times a snapshot at planning size. */
export const ENTRY_JSON_BYTES_MAX = 64 * 1024 * 1024;

/** Why an object cannot be read. */
export interface Fault {
  /** For people. */
  unreadable: string;
  /** A newer version wrote it: it is not damaged, but nothing may be published without it. */
  isOfNewer?: true;
}

export interface UnreadableEntry extends Fault {
  name: string;
}

/** What an entry is stored with. */
export interface Link {
  name: string;
  /** SHA-256 of the entry before it, as JSON; null: the first, or the one before cannot be read. */
  previous: string | null;
}

/** An entry as it was read. */
interface StoredEntry extends Link, NamedEntry {}

/** Stored as its difference from another. */
export interface StoredReferring extends Link {
  hash: string;
  referring: Referring;
}

export type Stored = StoredEntry | StoredReferring | UnreadableEntry;

export const MISSING = "the object is missing";

/**
 * Equal entries after the same one are equal bytes.
 * @throws {Error} for one that could not be read back
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

export function packEntry(json: Uint8Array): Promise<Uint8Array> {
  return compress(json);
}

export async function unpackEntry(
  name: string,
  object: StoredObject | DamagedObject | null,
): Promise<Uint8Array | UnreadableEntry> {
  if (object === null) return { name, unreadable: MISSING };
  if ("damaged" in object) return { name, unreadable: object.damaged };
  try {
    return await decompress(object.body, { bytesMax: ENTRY_JSON_BYTES_MAX });
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

/** How an entry begins. */
export interface EntryHead {
  kind: string;
  /** ISO 8601 in UTC. */
  time: string;
}

/** As {@link entryToJson} begins every entry. */
const HEAD_PATTERN =
  /^\{"number":(\d+),"previous":(?:null|"[0-9a-f]{64}"),"kind":"([a-z]+)","format":(\d+),"network":"([a-z]+)","time":"(\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z)",/;
const HEAD_BYTES = 256;

/**
 * A hundred times as fast as {@link parseEntry}; null:
 * spelt otherwise, damaged, or not of this place.
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

/** Of an object that is whole. */
class NewerFormatError extends Error {
  override name = "NewerFormatError";
}

/**
 * @throws {NewerFormatError}
 * @throws {Error} for any other format that this generator does not know
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

export function toFault(error: unknown): Fault {
  return {
    unreadable: messageOf(error),
    ...(error instanceof NewerFormatError && { isOfNewer: true }),
  };
}
