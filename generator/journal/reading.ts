import type { CheckEntry, NamedEntry } from "../entries/entry.ts";
import { messageOf } from "../contract/error-message.ts";
import { getOrDamaged } from "../store/damaged.ts";
import { decodeEntry, MISSING, parseEntry, type NamedReferring, type Stored, type UnreadableEntry } from "./entries.ts";
import { dayOf, toEntryKey, type JournalPlace } from "./names.ts";
import { fromPackKey, openPack, toPackPrefix, type OpenPack } from "./packs.ts";
import { refuseReference, resolve, type References } from "./references.ts";

/** Only one at a time is unpacked, to ten times its size. */
const READ_AHEAD = 16;

/** From so many entries of a day on, its packs are cheaper. */
const WORTH_THE_PACKS = 32;

type Read = NamedEntry | UnreadableEntry;

/** A whole packed day takes two requests. */
export async function* readEntries(
  place: JournalPlace,
  { names, references }: { names: Iterable<string>; references: References },
): AsyncGenerator<Read> {
  /** Tens of checks may refer to one. */
  const lost = new Map<string, Lost>();
  for (const run of toRuns(names)) {
    for await (const stored of readRun(place, run)) {
      if ("entry" in stored) references.remember(stored);
      yield "referring" in stored ? await complete(place, stored, { references, lost }) : stored;
    }
  }
}

type Lost = Omit<UnreadableEntry, "name">;

async function complete(
  place: JournalPlace,
  { name, referring }: NamedReferring,
  { references, lost }: { references: References; lost: Map<string, Lost> },
): Promise<Read> {
  const refused = refuseReference(name, referring);
  if (refused !== null) return { name, unreadable: refused };
  const known = lost.get(referring.base);
  if (known !== undefined) return { name, ...known };
  const reference = references.recall(referring.base) ?? (await readReference(place, referring.base));
  if ("unreadable" in reference) {
    const unreadable = `it refers to ${referring.base}, which cannot be used: ${reference.unreadable}`;
    const found = { ...reference, unreadable };
    lost.set(referring.base, found);
    return { name, ...found };
  }
  references.remember({ name: referring.base, entry: reference });
  try {
    return { name, entry: resolve(referring, reference) };
  } catch (error) {
    return { name, unreadable: messageOf(error) };
  }
}

async function readReference(place: JournalPlace, name: string): Promise<CheckEntry | Lost> {
  for await (const stored of readRun(place, [name])) {
    if ("unreadable" in stored) return toLost(stored);
    if ("entry" in stored && stored.entry.kind === "check") return stored.entry;
  }
  return { unreadable: "its reference is itself a reference" };
}

function toLost({ unreadable, isOfNewer, pack }: UnreadableEntry): Lost {
  return { unreadable, ...(isOfNewer && { isOfNewer }), ...(pack !== undefined && { pack }) };
}

function* toRuns(names: Iterable<string>): Generator<string[]> {
  let run: string[] = [];
  for (const name of names) {
    const last = run.at(-1);
    if (last !== undefined && (dayOf(last) !== dayOf(name) || last >= name)) {
      yield run;
      run = [];
    }
    run.push(name);
  }
  if (run.length > 0) yield run;
}

async function* readRun(place: JournalPlace, run: string[]): AsyncGenerator<Stored> {
  const packs = openPacksOfDay(place, dayOf(run[0] ?? ""));
  try {
    if (run.length >= WORTH_THE_PACKS) await packs.open();
    const ahead: (() => Promise<Stored>)[] = [];
    for (const name of run) {
      ahead.push(packs.name(name) ? () => readPacked(place, packs, name) : startLoose(place, packs, name));
      const next = ahead.length === READ_AHEAD ? ahead.shift() : undefined;
      if (next !== undefined) yield await next();
    }
    for (const next of ahead) yield await next();
  } finally {
    await packs.close();
  }
}

async function readPacked(place: JournalPlace, packs: PacksOfDay, name: string): Promise<Stored> {
  const packed = await packs.take(name);
  if (packed !== null && !("unreadable" in packed)) return packed;
  const loose = await decodeEntry(place, name, await getOrDamaged(place.store, toEntryKey(place, name)));
  return choose(loose, packed);
}

/** An entry that is missing or damaged may be in a pack. */
function startLoose(place: JournalPlace, packs: PacksOfDay, name: string): () => Promise<Stored> {
  // A failure before its turn must not be an unhandled rejection.
  const got = Promise.allSettled([getOrDamaged(place.store, toEntryKey(place, name))]);
  return async () => {
    const [result] = await got;
    if (result.status === "rejected") throw result.reason;
    const loose = await decodeEntry(place, name, result.value);
    if (!("unreadable" in loose)) return loose;
    await packs.open();
    return choose(loose, await packs.take(name));
  };
}

function choose(loose: Stored, packed: Stored | null): Stored {
  if (!("unreadable" in loose) || packed === null) return loose;
  return !("unreadable" in packed) || loose.unreadable === MISSING ? packed : loose;
}

interface PacksOfDay {
  /** Leaves out packs that it cannot read. */
  open(): Promise<void>;
  name(name: string): boolean;
  /** At most once for each name, in order. null: no pack names it. */
  take(name: string): Promise<Stored | null>;
  close(): Promise<void>;
}

function openPacksOfDay(place: JournalPlace, day: string): PacksOfDay {
  let holders: Map<string, OpenPack[]> | null = null;
  const opened: OpenPack[] = [];

  return {
    async open() {
      if (holders !== null) return;
      const found = new Map<string, OpenPack[]>();
      for await (const { key } of place.store.list(toPackPrefix(place, day))) {
        const head = fromPackKey(place, key);
        const pack = head === null ? null : await openPack(place, head);
        if (pack === null || "unreadable" in pack) continue;
        opened.push(pack);
        for (const name of pack.names) found.set(name, [...(found.get(name) ?? []), pack]);
      }
      holders = found;
    },

    name: (name) => holders?.has(name) ?? false,

    async take(name) {
      let result: Stored | null = null;
      for (const pack of holders?.get(name) ?? []) {
        const line = await pack.take(name);
        const read = line instanceof Uint8Array ? parseEntry(place, name, line) : line;
        if (!("unreadable" in read)) return read;
        result = { ...read, pack: pack.key };
      }
      return result;
    },

    async close() {
      for (const pack of opened) await pack.close();
    },
  };
}
