import type { NamedEntry } from "../ledger/entry.ts";
import { getOrDamaged } from "../store/damaged.ts";
import { decodeEntry, MISSING, type UnreadableEntry } from "./entries.ts";
import { dayOf, toEntryKey, type JournalPlace } from "./names.ts";
import { openPacksOfDay, type PacksOfDay } from "./packs/day.ts";

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
export async function* readEntries(place: JournalPlace, names: Iterable<string>): AsyncGenerator<Read> {
  for (const run of toRuns(names)) yield* readRun(place, run);
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

async function* readRun(place: JournalPlace, run: string[]): AsyncGenerator<Read> {
  const packs = openPacksOfDay(place, dayOf(run[0] ?? ""));
  try {
    if (run.length >= WORTH_THE_PACKS) await packs.open();
    const ahead: (() => Promise<Read>)[] = [];
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

async function readPacked(place: JournalPlace, packs: PacksOfDay, name: string): Promise<Read> {
  const packed = await packs.take(name);
  if (packed !== null && "entry" in packed) return packed;
  const loose = await decodeEntry(place, name, await getOrDamaged(place.store, toEntryKey(place, name)));
  return choose(loose, packed);
}

/**
 * Begins to get an entry; it is unpacked when it is asked for. One that is not there may have been packed since its name was
 * listed; one that is damaged may have been packed before.
 */
function startLoose(place: JournalPlace, packs: PacksOfDay, name: string): () => Promise<Read> {
  // Settled rather than awaited: one that fails before its turn must not count as a rejection nobody handles.
  const got = Promise.allSettled([getOrDamaged(place.store, toEntryKey(place, name))]);
  return async () => {
    const [result] = await got;
    if (result.status === "rejected") throw result.reason;
    const loose = await decodeEntry(place, name, result.value);
    if ("entry" in loose) return loose;
    await packs.open();
    return choose(loose, await packs.take(name));
  };
}

function choose(loose: Read, packed: Read | null): Read {
  if ("entry" in loose || packed === null) return loose;
  return "entry" in packed || loose.unreadable === MISSING ? packed : loose;
}
