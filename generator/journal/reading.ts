import type { CheckEntry, NamedEntry } from "../entries/entry.ts";
import { getOrDamaged } from "../store/damaged.ts";
import type { Bases } from "./bases.ts";
import { decodeEntry, MISSING, toReason, type NamedReferring, type Stored, type UnreadableEntry } from "./entries.ts";
import { dayOf, toEntryKey, type JournalPlace } from "./names.ts";
import { openPacksOfDay, type PacksOfDay } from "./packs/day.ts";
import { refuseBase, resolve } from "./referring.ts";

/** Objects got at the same time: hides the way to the store. Only one of them at a time is unpacked, to ten times its size. */
const READ_AHEAD = 16;

/** So many entries of a day are rather got from its packs than one by one, where it has any. */
const WORTH_THE_PACKS = 32;

type Read = NamedEntry | UnreadableEntry;

/**
 * The entries under these names, in the order given, each from wherever it can be read: its own object or any pack that
 * names it. Names in their order are read with few requests: a whole packed day with two.
 *
 * @throws {StoreError}
 */
export async function* readEntries(
  place: JournalPlace,
  { names, bases }: { names: Iterable<string>; bases: Bases },
): AsyncGenerator<Read> {
  /** Of those that could not be had; asked for once in a reading, for tens of checks may refer to one. */
  const lost = new Map<string, string>();
  for (const run of toRuns(names)) {
    for await (const stored of readRun(place, run)) {
      if ("entry" in stored) bases.remember(stored);
      yield "referring" in stored ? await complete(place, stored, { bases, lost }) : stored;
    }
  }
}

/** A check with the rows of its base, or why it cannot have them: they are never guessed. */
async function complete(
  place: JournalPlace,
  { name, referring }: NamedReferring,
  { bases, lost }: { bases: Bases; lost: Map<string, string> },
): Promise<Read> {
  const refused = refuseBase(name, referring) ?? lost.get(referring.base);
  if (refused !== undefined) return { name, unreadable: refused };
  const base = bases.recall(referring.base) ?? (await readBase(place, referring.base));
  if ("unreadable" in base) {
    lost.set(referring.base, `it refers to ${referring.base}, which cannot be used: ${base.unreadable}`);
    return { name, unreadable: lost.get(referring.base) ?? "" };
  }
  bases.remember({ name: referring.base, entry: base });
  try {
    return { name, entry: resolve(referring, base) };
  } catch (error) {
    return { name, unreadable: toReason(error) };
  }
}

async function readBase(place: JournalPlace, name: string): Promise<CheckEntry | { unreadable: string }> {
  for await (const stored of readRun(place, [name])) {
    if ("unreadable" in stored) return stored;
    if ("entry" in stored && stored.entry.kind === "check") return stored.entry;
  }
  return { unreadable: "it refers to another itself" };
}

/** Cuts names where another day begins, and where they do not ascend. */
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

/**
 * Begins to get an entry; it is unpacked when it is asked for. One that is not there may have been packed since its name was
 * listed; one that is damaged may have been packed before.
 */
function startLoose(place: JournalPlace, packs: PacksOfDay, name: string): () => Promise<Stored> {
  // Settled rather than awaited: one that fails before its turn must not count as a rejection nobody handles.
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
