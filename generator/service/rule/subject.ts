import { MISSING } from "../../journal/entries.ts";
import type { Journal } from "../../journal/journal.ts";
import { fromEntryKey, toEntryKey, type SeriesPlace } from "../../journal/names.ts";
import type { Entry, RulingEntry } from "../../entries/entry.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { EventRecord } from "../../ledger/records.ts";
import { findEvent, toExplained, UnknownSubjectError } from "../explain/event.ts";
import { readingsOf } from "../explain/readings.ts";
import { kindOf } from "../explain/evidence.ts";

/** What a ruling is about, as the command line names it. */
export type SubjectWanted = { of: "observation"; key: string } | { of: "event"; id: string };

/** What a ruling is about, found in the journal. */
export interface Subject {
  subject: RulingEntry["subject"];
  /** Time of the entry that the ruling must precede; ISO 8601 in UTC. */
  time: string;
  /** null: an observation. */
  event: EventRecord | null;
}

export interface SubjectSearch {
  journal: Journal;
  place: SeriesPlace;
  ledger: Ledger;
}

/** @throws {Error} when there is no such subject, or it cannot be read; says where to find names */
export async function findSubject(search: SubjectSearch, wanted: SubjectWanted): Promise<Subject> {
  return wanted.of === "event" ? findEventSubject(search, wanted.id) : findObservation(search, wanted.key);
}

async function findEventSubject({ journal, ledger }: SubjectSearch, text: string): Promise<Subject> {
  const event = findEvent(ledger, text);
  // An event known from transactions alone was recorded with the entry that brought them.
  const time = event.createdAt ?? event.confirmedAt ?? (await findToldAt(journal, ledger, event));
  return { subject: { of: "event", id: event.id }, time, event };
}

/** When the first public history was read that covers one of the event's epochs. */
async function findToldAt(journal: Journal, ledger: Ledger, event: EventRecord): Promise<string> {
  const sought = toExplained(ledger, event);
  const { names } = await journal.names();
  const told = names.filter((name) => kindOf(name) === "history");
  for await (const read of journal.read(told)) {
    if ("entry" in read && readingsOf(read.entry, sought).length > 0) return read.entry.time;
  }
  throw new Error(`the event ${event.id} comes from public history, and no readable entry contains it`);
}

async function findObservation({ journal, place }: SubjectSearch, key: string): Promise<Subject> {
  const name = toName(place, key);
  if (name === null) {
    throw new UnknownSubjectError(
      `${JSON.stringify(key.slice(0, 200))} is not the name of an observation of ${place.network}: ${WHERE_NAMES_ARE}`,
    );
  }
  const { time } = await readObservation(journal, name);
  return { subject: { of: "observation", key: name }, time, event: null };
}

const WHERE_NAMES_ARE =
  "it looks like 2026-11-20/153000000-check-0123456789abcdef; status.json names the refused ones, `explain EVENT` those behind an event";

/** The name of an entry from its name or key, with or without the ending. */
function toName(place: SeriesPlace, key: string): string | null {
  const ending = toEntryKey(place, "").slice(toEntryKey(place, "").lastIndexOf("/") + 1);
  const whole = key.endsWith(ending) ? key : key + ending;
  const prefix = toEntryKey(place, "").slice(0, -ending.length);
  return fromEntryKey(place, whole.startsWith(prefix) ? whole : prefix + whole);
}

async function readObservation(journal: Journal, name: string): Promise<Entry> {
  for await (const read of journal.read([name])) {
    if ("unreadable" in read) {
      if (read.unreadable !== MISSING) throw new Error(`${name}: ${read.unreadable}`);
      throw new UnknownSubjectError(`there is no observation ${name}: ${WHERE_NAMES_ARE}`);
    }
    if (read.entry.kind !== "ruling") return read.entry;
  }
  throw new UnknownSubjectError(`${name} is a ruling itself: make a new one on its subject instead`);
}
