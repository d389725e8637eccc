import type { UnreadableEntry } from "../../journal/entries.ts";
import { isEntryName, numberOf, toName } from "../../journal/names.ts";
import type { Ruling } from "../../entries/ruling.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { EventRecord } from "../../ledger/event-record.ts";
import { findEvent, UnknownSubjectError } from "../explain/event.ts";

/** What a ruling is about, as the command line names it. */
export type SubjectWanted = { of: "observation"; key: string } | { of: "event"; id: string };

/** What a ruling is about, found in the journal. */
export interface Subject {
  subject: Ruling["subject"];
  /** The entry after which the ruling acts; null: before the first. */
  after: string | null;
  /** null: observations. */
  event: EventRecord | null;
  /** Whether none of its entries can be read. */
  isUnreadable: boolean;
}

interface SubjectSearch {
  ledger: Ledger;
  /** What the ledger lacks. */
  holes: readonly UnreadableEntry[];
}

/** @throws {Error} when there is none, or a newer version wrote it; says where to find numbers */
export function findSubject(search: SubjectSearch, wanted: SubjectWanted): Subject {
  return wanted.of === "event"
    ? findEventSubject(search, wanted.id)
    : findObservations(search, wanted.key);
}

/** The observations that made the event stay; it is withdrawn from now on. */
function findEventSubject({ ledger }: SubjectSearch, text: string): Subject {
  const event = findEvent(ledger, text);
  const subject = { of: "event", id: event.id } as const;
  return { subject, after: ledger.position?.name ?? null, event, isUnreadable: false };
}

const WHERE_NUMBERS_ARE =
  "it is a number like 123456 or a range like 123456-123460; status.json names the refused " +
  "ones, `explain EVENT` those behind an event";

function findObservations({ ledger, holes }: SubjectSearch, key: string): Subject {
  const [first, last = first] = key.split("-").map(toEntryName);
  const newest = [ledger.position?.name ?? "", ...holes.map(({ name }) => name)]
    .filter(isEntryName)
    .sort()
    .at(-1);
  if (first == null || last == null || first > last)
    throw new UnknownSubjectError(
      `${JSON.stringify(key.slice(0, 200))} is no observation: ${WHERE_NUMBERS_ARE}`,
    );
  if (newest === undefined || last > newest)
    throw new UnknownSubjectError(
      `there is no observation ${last}, the newest is ${newest ?? "none"}`,
    );
  const lost = holes.filter(({ name }) => first <= name && name <= last);
  const newer = lost.find(({ isOfNewer }) => isOfNewer);
  if (newer !== undefined)
    throw new Error(`${newer.name}: ${newer.unreadable}, and can rule on it`);
  return {
    subject: { of: "observation", first, last },
    after: numberOf(first) === 1 ? null : toName(numberOf(first) - 1),
    event: null,
    isUnreadable: lost.length === numberOf(last) - numberOf(first) + 1,
  };
}

/** With or without leading zeros. */
function toEntryName(text: string): string | null {
  const name = /^\d{1,10}$/.test(text) ? text.padStart(10, "0") : "";
  return isEntryName(name) ? name : null;
}
