import { z } from "zod";
import { messageOf } from "../contract/error-message.ts";
import { ENTRY_FORMAT, entrySchema, type Entry, type NamedEntry } from "../entries/entry.ts";
import { getOrDamaged, type DamagedObject } from "../store/damaged.ts";
import type { StoredObject } from "../store/store.ts";
import { compress, decompress } from "../store/zstd.ts";
import { toEntryKey, toEntryName, type JournalPlace, type SeriesPlace } from "./names.ts";
import { REFERRING_FORMAT, referringCheckSchema, type ReferringCheck } from "./references.ts";

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
  /** Key of the damaged pack that should hold it, or the check it refers to. */
  pack?: string;
}

/** Stored as its difference from another check. */
export interface NamedReferring {
  name: string;
  referring: ReferringCheck;
}

export type Stored = NamedEntry | NamedReferring | UnreadableEntry;

/**
 * Unless it exists. Returns the name.
 * @throws {Error} for an entry that could not be read back
 */
export async function writeEntry(place: JournalPlace, entry: Entry | ReferringCheck): Promise<string> {
  if (entry.network !== place.network)
    throw new Error(`an entry of ${entry.network} is not for the journal of ${place.network}`);
  const json = entryToJson(entry);
  if (json.byteLength > ENTRY_JSON_BYTES_MAX)
    throw new Error(`an entry of ${json.byteLength} bytes is too large for the journal`);
  const name = toEntryName(entry, json);
  await place.store.put(toEntryKey(place, name), await compress(json), {
    expect: "absent",
    contentType: "application/zstd",
  });
  return name;
}

/** Another process has just moved the entry. */
export const MISSING = "the object is missing";

export async function readEntry(place: JournalPlace, name: string): Promise<Stored> {
  return decodeEntry(place, name, await getOrDamaged(place.store, toEntryKey(place, name)));
}

export async function decodeEntry(
  place: SeriesPlace,
  name: string,
  object: StoredObject | DamagedObject | null,
): Promise<Stored> {
  const json = await unpackEntry(name, object);
  return json instanceof Uint8Array ? parseEntry(place, name, json) : json;
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

export function parseEntry(place: SeriesPlace, name: string, json: Uint8Array): Stored {
  try {
    const entry = jsonToEntry(json);
    if (entry.network !== place.network) return { name, unreadable: `it belongs to the network ${entry.network}` };
    if (toEntryName(entry, json) !== name) return { name, unreadable: "its content does not match its name" };
    return entry.format === REFERRING_FORMAT ? { name, referring: entry } : { name, entry };
  } catch (error) {
    return { name, ...toFault(error) };
  }
}

/** As {@link entryToJson} begins every entry. */
const HEAD_PATTERN =
  /^\{"kind":"([a-z]+)","format":(\d+),"network":"([a-z]+)","time":"(\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z)",/;
const HEAD_BYTES = 256;

/** Checks only the hash, a hundred times as fast as {@link parseEntry}. */
export function refuseBytes(place: SeriesPlace, name: string, json: Uint8Array): UnreadableEntry | null {
  const head = HEAD_PATTERN.exec(new TextDecoder("latin1").decode(json.subarray(0, HEAD_BYTES)));
  const [, kind = "", format, network, time = ""] = head ?? [];
  const isKnown = Number(format) === ENTRY_FORMAT || Number(format) === REFERRING_FORMAT;
  const isOfHere = isKnown && network === place.network;
  if (isOfHere && toEntryName({ time, kind: kind as Entry["kind"] }, json) === name) return null;
  // Spelt otherwise or damaged: only parsing tells.
  const read = parseEntry(place, name, json);
  return "unreadable" in read ? read : null;
}

/** Equal entries are equal bytes. */
export function entryToJson(entry: Entry | ReferringCheck): Uint8Array {
  const ordered = entry.format === REFERRING_FORMAT ? referringCheckSchema.parse(entry) : entrySchema.parse(entry);
  const text = JSON.stringify(ordered, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
  return new TextEncoder().encode(text);
}

function jsonToEntry(json: Uint8Array): Entry | ReferringCheck {
  const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
  const format = assertFormat(value, [ENTRY_FORMAT, REFERRING_FORMAT]);
  return format === REFERRING_FORMAT ? referringCheckSchema.parse(value) : entrySchema.parse(value);
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
  if (typeof format === "number" && format > newest) throw new NewerFormatError(`${fault}: a newer version wrote it`);
  throw new Error(fault);
}

export function toFault(error: unknown): Fault {
  return { unreadable: messageOf(error), ...(error instanceof NewerFormatError && { isOfNewer: true }) };
}
