import type { NamedEntry } from "../entries/entry.ts";
import { messageOf } from "../contract/error-message.ts";
import { getOrDamaged } from "../store/damaged.ts";
import {
  MISSING,
  parseEntry,
  readHead,
  unpackEntry,
  type EntryHead,
  type Fault,
  type Link,
  type Stored,
  type StoredReferring,
  type UnreadableEntry,
} from "./entries.ts";
import { toEntryKey, type JournalPlace } from "./names.ts";
import { openPack, packRangeOf, type OpenPack } from "./packs.ts";
import {
  isObservation,
  refuseReference,
  resolve,
  type Observation,
  type References,
} from "./references.ts";

/** Objects fetched ahead. Only one at a time is unpacked, to ten times its size. */
const READ_AHEAD = 16;

/** If at least so many entries of a pack are wanted, the pack is cheaper than loose objects. */
const WORTH_THE_PACK = 32;

/** An entry, the hash of its JSON, and that of the entry before it when it was written. */
export type ReadEntry = NamedEntry & Link;

interface Reading {
  /** Names in ascending order. */
  names: Iterable<string>;
  references: References;
  /** Entries for which it is false are skipped without being parsed. */
  isWanted?: (head: EntryHead) => boolean;
}

/** Reads entries in order. A thousand packed entries take one request. */
export async function* readEntries(
  place: JournalPlace,
  { names, references, isWanted }: Reading,
): AsyncGenerator<ReadEntry | UnreadableEntry> {
  /** Tens of observations may refer to one entry. */
  const lost = new Map<string, Lost>();
  for (const run of toRuns(names)) {
    for await (const { name, json } of readRun(place, run)) {
      const stored =
        json instanceof Uint8Array ? parseWanted(place, { name, json }, isWanted) : json;
      if (stored === null) continue;
      if ("entry" in stored) references.add(stored.name, stored.entry);
      yield "referring" in stored ? await complete(place, stored, { references, lost }) : stored;
    }
  }
}

function parseWanted(
  place: JournalPlace,
  { name, json }: { name: string; json: Uint8Array },
  isWanted: Reading["isWanted"],
): Stored | null {
  const head = isWanted === undefined ? null : readHead(place, name, json);
  return head === null || isWanted?.(head) === true ? parseEntry(place, name, json) : null;
}

/** The stored JSON of an entry, loose or packed. */
export async function readJson(
  place: JournalPlace,
  name: string,
): Promise<Uint8Array | UnreadableEntry> {
  for await (const { json } of readRun(place, [name])) return json;
  return { name, unreadable: MISSING };
}

type Lost = Omit<UnreadableEntry, "name">;

async function complete(
  place: JournalPlace,
  { referring, ...link }: StoredReferring,
  { references, lost }: { references: References; lost: Map<string, Lost> },
): Promise<ReadEntry | UnreadableEntry> {
  const { name } = link;
  const refused = refuseReference(name, referring);
  if (refused !== null) return { name, unreadable: refused };
  const known = lost.get(referring.base);
  if (known !== undefined) return { name, ...known };
  const reference =
    references.recall(referring.base) ?? (await readReference(place, referring.base));
  if ("unreadable" in reference) {
    const found = {
      ...reference,
      unreadable: `it refers to ${referring.base}, which cannot be used: ${reference.unreadable}`,
    };
    lost.set(referring.base, found);
    return { name, ...found };
  }
  references.add(referring.base, reference);
  try {
    return { ...link, entry: resolve(referring, reference) };
  } catch (error) {
    return { name, unreadable: messageOf(error) };
  }
}

async function readReference(place: JournalPlace, name: string): Promise<Observation | Lost> {
  const json = await readJson(place, name);
  const stored = json instanceof Uint8Array ? parseEntry(place, name, json) : json;
  if ("unreadable" in stored)
    return { unreadable: stored.unreadable, ...(stored.isOfNewer && { isOfNewer: true }) };
  if ("entry" in stored && isObservation(stored.entry)) return stored.entry;
  return { unreadable: "it is no observation stored whole" };
}

/** Names of one pack each. */
function* toRuns(names: Iterable<string>): Generator<string[]> {
  let run: string[] = [];
  for (const name of names) {
    const last = run.at(-1);
    if (
      last !== undefined &&
      (packRangeOf(last).first !== packRangeOf(name).first || last >= name)
    ) {
      yield run;
      run = [];
    }
    run.push(name);
  }
  if (run.length > 0) yield run;
}

interface Raw {
  name: string;
  json: Uint8Array | UnreadableEntry;
}

async function* readRun(place: JournalPlace, run: readonly string[]): AsyncGenerator<Raw> {
  const pack = createPackOf(place, run[0] ?? "");
  try {
    if (run.length >= WORTH_THE_PACK) await pack.open();
    const ahead: { name: string; read: () => Promise<Raw["json"]> }[] = [];
    for (const name of run) {
      ahead.push({
        name,
        read: pack.has(name) ? () => readPacked(place, pack, name) : startLoose(place, pack, name),
      });
      const next = ahead.length === READ_AHEAD ? ahead.shift() : undefined;
      if (next !== undefined) yield { name: next.name, json: await next.read() };
    }
    for (const { name, read } of ahead) yield { name, json: await read() };
  } finally {
    await pack.close();
  }
}

async function readPacked(place: JournalPlace, pack: PackOf, name: string): Promise<Raw["json"]> {
  const packed = await pack.take(name);
  if (packed instanceof Uint8Array) return packed;
  const loose = unpackEntry(name, await getOrDamaged(place.store, toEntryKey(place, name)));
  return choose(loose, packed);
}

/** An entry that is missing or damaged may be in the pack. */
function startLoose(place: JournalPlace, pack: PackOf, name: string): () => Promise<Raw["json"]> {
  // A failure before its turn must not be an unhandled rejection.
  const got = Promise.allSettled([getOrDamaged(place.store, toEntryKey(place, name))]);
  return async () => {
    const [result] = await got;
    if (result.status === "rejected") throw result.reason;
    const loose = unpackEntry(name, result.value);
    if (loose instanceof Uint8Array) return loose;
    await pack.open();
    return choose(loose, await pack.take(name));
  };
}

function choose(loose: Raw["json"], packed: Raw["json"] | null): Raw["json"] {
  if (loose instanceof Uint8Array || packed === null) return loose;
  return packed instanceof Uint8Array || loose.unreadable === MISSING ? packed : loose;
}

interface PackOf {
  open(): Promise<void>;
  has(name: string): boolean;
  /**
   * The JSON of an entry; null: no pack holds it, or the pack is missing. Call it at most once a
   * name, in order.
   */
  take(name: string): Promise<Raw["json"] | null>;
  close(): Promise<void>;
}

function createPackOf(place: JournalPlace, first: string): PackOf {
  let opened: OpenPack | Fault | null = null;
  const isOpen = (one: typeof opened): one is OpenPack => one !== null && "take" in one;
  return {
    async open() {
      opened ??= await openPack(place, packRangeOf(first));
    },
    has: (name) => isOpen(opened) && opened.names.has(name),
    async take(name) {
      if (isOpen(opened)) return opened.take(name);
      if (opened === null || opened.unreadable === MISSING) return null;
      return {
        ...opened,
        name,
        unreadable: `the pack that may hold it cannot be read: ${opened.unreadable}`,
      };
    },
    async close() {
      if (isOpen(opened)) await opened.close();
    },
  };
}
