import { getOrDamaged, type DamagedObject } from "../../store/damaged.ts";
import type { StoredObject } from "../../store/store.ts";
import { refuseBytes, unpackEntry, type UnreadableEntry } from "../entries.ts";
import { toEntryKey, type JournalPlace } from "../names.ts";
import { encodePack, PACK_ENTRIES_MAX } from "./content.ts";
import { toPackKey } from "./key.ts";

/** Objects got at the same time. */
const READ_AHEAD = 16;

const LINE_END = 0x0a;

/** What became of entries that were to be packed. */
export interface Packed {
  /** null: none of them could be read. */
  pack: { key: string; entries: number; bytes: number } | null;
  /** Those left out. They stay as they are. */
  unreadable: UnreadableEntry[];
}

/**
 * Packs loose entries of one UTC day, at most as many as a pack may hold. An entry is packed only when it reads back.
 *
 * A pack is created under a name that tells its time and content, and never written again. One that takes effect long after
 * its writer died names nothing that was not in the journal: the union of all stays as it was.
 *
 * @param options names in order; `now` in milliseconds since 1970.
 * @throws {StoreError}
 */
export async function makePack(
  place: JournalPlace,
  { day, names, now }: { day: string; names: readonly string[]; now: number },
): Promise<Packed> {
  let wanted = names.slice(0, PACK_ENTRIES_MAX);
  const unreadable: UnreadableEntry[] = [];
  // The header names the entries before they are read: where one cannot be, all begins anew without it.
  while (wanted.length > 0) {
    const left: UnreadableEntry[] = [];
    const body = await encodePack(place, { day, names: wanted }, readJsons(place, wanted, left));
    if (left.length === 0) {
      const key = toPackKey(place, { day, packedAt: now, names: wanted });
      await place.store.put(key, body, { expect: "absent", contentType: "application/zstd" });
      return { pack: { key, entries: wanted.length, bytes: body.byteLength }, unreadable };
    }
    unreadable.push(...left);
    const out = new Set(left.map(({ name }) => name));
    wanted = wanted.filter((name) => !out.has(name));
  }
  return { pack: null, unreadable };
}

/** The bytes of the entries; those that cannot be read go to `left`. */
async function* readJsons(
  place: JournalPlace,
  names: readonly string[],
  left: UnreadableEntry[],
): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < names.length; start += READ_AHEAD) {
    const batch = names.slice(start, start + READ_AHEAD);
    const objects = await Promise.all(batch.map((name) => getOrDamaged(place.store, toEntryKey(place, name))));
    for (const [index, name] of batch.entries()) {
      const json = await unpackJson(place, name, objects[index] ?? null);
      if (json instanceof Uint8Array) yield json;
      else left.push(json);
    }
  }
}

/** The bytes of an entry that can be packed, or why they cannot. */
async function unpackJson(
  place: JournalPlace,
  name: string,
  object: StoredObject | DamagedObject | null,
): Promise<Uint8Array | UnreadableEntry> {
  const json = await unpackEntry(name, object);
  if (!(json instanceof Uint8Array)) return json;
  const refused = refuseBytes(place, name, json);
  if (refused !== null) return refused;
  return json.includes(LINE_END) ? { name, unreadable: "its JSON is not on one line" } : json;
}
