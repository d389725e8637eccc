import { createHash } from "node:crypto";
import { messageOf } from "../contract/error-message.ts";
import { rulingSchema, type NamedRuling, type Ruling } from "../entries/ruling.ts";
import { getOrDamaged } from "../store/damaged.ts";
import { hashOf, MISSING, type UnreadableEntry } from "./entries.ts";
import { toSeriesPrefix, type JournalPlace, type SeriesPlace } from "./names.ts";

/* Rulings are objects of their own beside the entries,
   numbered from 1: a listing of new entries shows them too. */

const RULINGS_MAX = 9_999;

/** A ruling with the SHA-256 of its stored bytes. */
export interface StoredRuling extends NamedRuling {
  hash: string;
}

/** `journal/mainnet/0001/rulings/0001.json` */
function toRulingKey(series: SeriesPlace, name: string): string {
  return `${toSeriesPrefix(series, "journal")}rulings/${name}.json`;
}

/** Name of the ruling with this key; null: it is no ruling's key. */
export function fromRulingKey(series: SeriesPlace, key: string): string | null {
  const name = /\/rulings\/(\d{4})\.json$/.exec(key)?.[1];
  return name !== undefined && toRulingKey(series, name) === key ? name : null;
}

/** Names of all rulings, oldest first. */
export async function listRulings(place: JournalPlace): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of place.store.list(`${toSeriesPrefix(place, "journal")}rulings/`)) {
    const name = fromRulingKey(place, key);
    if (name !== null) names.push(name);
  }
  return names;
}

/** Writes a ruling after the last known one and returns its name. */
export async function writeRuling(
  place: JournalPlace,
  ruling: Ruling,
  known: number,
): Promise<string> {
  const body = new TextEncoder().encode(JSON.stringify(rulingSchema.parse(ruling)));
  for (let number = known + 1; number <= RULINGS_MAX; number += 1) {
    const name = String(number).padStart(4, "0");
    const options = { expect: "absent", contentType: "application/json" } as const;
    if ((await place.store.put(toRulingKey(place, name), body, options)) !== null) return name;
    const winner = await getOrDamaged(place.store, toRulingKey(place, name));
    if (winner !== null && "body" in winner && Buffer.from(winner.body).equals(body)) return name;
  }
  throw new Error(`there are ${RULINGS_MAX} rulings, and no room for another`);
}

/**
 * A ruling, or why it cannot be read.
 * @throws {StoreError} when the store fails
 */
export async function readRuling(
  place: JournalPlace,
  name: string,
): Promise<StoredRuling | UnreadableEntry> {
  const key = toRulingKey(place, name);
  const object = await getOrDamaged(place.store, key);
  if (object === null) return { name: key, unreadable: MISSING };
  if ("damaged" in object) return { name: key, unreadable: object.damaged };
  try {
    const ruling = rulingSchema.parse(
      JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(object.body)),
    );
    if (ruling.network !== place.network)
      throw new Error(`it belongs to the network ${ruling.network}`);
    return { name, ruling, hash: hashOf(object.body) };
  } catch (error) {
    return { name: key, unreadable: messageOf(error) };
  }
}

const DIGEST_DIGITS = 32;

/**
 * Digest of an entry's hash and the rulings that act by it, in order. Equal digests mean that the
 * same past was folded.
 */
export function digestOfPosition(hash: string, acting: readonly StoredRuling[]): string {
  const text = [hash, ...acting.map((one) => `${one.name} ${one.hash}`)].join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_DIGITS);
}

/** Whether a ruling acts once this entry is folded. */
export function actsBy({ after }: Pick<Ruling, "after">, name: string | null): boolean {
  return after === null || (name !== null && after <= name);
}
