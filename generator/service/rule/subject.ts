import { MISSING, type Fault, type UnreadableEntry } from "../../journal/entries.ts";
import type { Journal } from "../../journal/journal.ts";
import { fromEntryKey, timeOf, toEntryKey, type SeriesPlace } from "../../journal/names.ts";
import { fromPackKey, toPackPrefix } from "../../journal/packs.ts";
import type { RulingEntry } from "../../entries/entry.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { EventRecord } from "../../ledger/event-record.ts";
import { findEvent, toExplained, UnknownSubjectError } from "../explain/event.ts";
import { readingsOf } from "../explain/readings.ts";
import { kindOf } from "../explain/entry-names.ts";

/** What a ruling is about, as the command line names it. */
export type SubjectWanted = { of: "observation"; key: string } | { of: "event"; id: string };

/** What a ruling is about, found in the journal. */
export interface Subject {
  subject: RulingEntry["subject"];
  /** Time of the entry that the ruling must precede; ISO 8601 in UTC. */
  time: string;
  /** null: an observation or a pack. */
  event: EventRecord | null;
  /** Whether it is known by its key alone. */
  isUnreadable: boolean;
}

interface SubjectSearch {
  journal: Journal;
  place: SeriesPlace;
  ledger: Ledger;
  /** What the ledger lacks. */
  holes: readonly UnreadableEntry[];
}

/** @throws {Error} when there is none, or a newer version wrote it; says where to find names */
export async function findSubject(search: SubjectSearch, wanted: SubjectWanted): Promise<Subject> {
  return wanted.of === "event" ? findEventSubject(search, wanted.id) : findObservation(search, wanted.key);
}

async function findEventSubject({ journal, ledger }: SubjectSearch, text: string): Promise<Subject> {
  const event = findEvent(ledger, text);
  // An event known from transactions alone was recorded with the entry that brought them.
  const time = event.createdAt ?? event.confirmedAt ?? (await findHistoryTime(journal, ledger, event));
  return { subject: { of: "event", id: event.id }, time, event, isUnreadable: false };
}

/** When the first public history was read that covers one of its epochs. */
async function findHistoryTime(journal: Journal, ledger: Ledger, event: EventRecord): Promise<string> {
  const sought = toExplained(ledger, event);
  const { names } = await journal.names();
  const histories = names.filter((name) => kindOf(name) === "history");
  for await (const read of journal.read(histories)) {
    if ("entry" in read && readingsOf(read.entry, sought).length > 0) return read.entry.time;
  }
  throw new Error(`the event ${event.id} comes from public history, and no readable entry contains it`);
}

async function findObservation(search: SubjectSearch, key: string): Promise<Subject> {
  const pack = toPack(search.place, key);
  if (pack !== null) return findPack(search, pack);
  const { journal, place } = search;
  const name = toName(place, key);
  if (name === null) {
    throw new UnknownSubjectError(
      `${JSON.stringify(key.slice(0, 200))} is not the name of an observation of ${place.network}: ${WHERE_NAMES_ARE}`,
    );
  }
  const isUnreadable = !(await isObservation(journal, name, search.holes));
  return toSubject(name, new Date(timeOf(name)).toISOString(), isUnreadable);
}

/** A ruling on a pack precedes its day. */
async function findPack(
  { journal, holes }: SubjectSearch,
  { key, day }: { key: string; day: string },
): Promise<Subject> {
  const fault = await journal.findPackFault(key);
  if (fault === null) throw new Error(`${key} can be read: rule on its observations instead`);
  if (fault.unreadable === MISSING && !holes.some(({ name }) => name === key))
    throw new UnknownSubjectError(
      `there is no pack ${key}: \`quarantined\` of status.json names those that cannot be read`,
    );
  refuseNewer(key, fault);
  return toSubject(key, `${day}T00:00:00.000Z`, true);
}

function toSubject(key: string, time: string, isUnreadable: boolean): Subject {
  return { subject: { of: "observation", key }, time, event: null, isUnreadable };
}

const WHERE_NAMES_ARE =
  "it looks like 2026-11-20/153000000-check-0123456789abcdef; status.json names the refused ones, `explain EVENT` those behind an event";

/** An entry's name or key, with or without the ending. */
function toName(place: SeriesPlace, key: string): string | null {
  const ending = toEntryKey(place, "").slice(toEntryKey(place, "").lastIndexOf("/") + 1);
  const whole = key.endsWith(ending) ? key : key + ending;
  const prefix = toEntryKey(place, "").slice(0, -ending.length);
  return fromEntryKey(place, whole.startsWith(prefix) ? whole : prefix + whole);
}

/** A pack's key, with or without the folder and the ending; null: it is none. */
function toPack(place: SeriesPlace, key: string): { key: string; day: string } | null {
  const ending = ".ndjson.zst";
  const folder = toPackPrefix(place, "").slice(0, -"/pack-".length);
  const whole = key.endsWith(ending) ? key : key + ending;
  return fromPackKey(place, whole.startsWith(folder) ? whole : folder + whole);
}

async function isObservation(journal: Journal, name: string, holes: readonly UnreadableEntry[]): Promise<boolean> {
  for await (const read of journal.read([name])) {
    if ("unreadable" in read) {
      // The ledger lacked it before it vanished.
      const isKnown = read.unreadable !== MISSING || holes.some((hole) => hole.name === name);
      if (!isKnown) throw new UnknownSubjectError(`there is no observation ${name}: ${WHERE_NAMES_ARE}`);
      refuseNewer(name, read);
      return false;
    }
    if (read.entry.kind !== "ruling") return true;
  }
  throw new UnknownSubjectError(`${name} is a ruling itself: make a new one on its subject instead`);
}

function refuseNewer(key: string, { unreadable, isOfNewer }: Fault): void {
  if (isOfNewer) throw new Error(`${key}: ${unreadable}, and can rule on it`);
}
