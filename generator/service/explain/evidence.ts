import { compareText } from "../../contract/lists.ts";
import { toMoment } from "../../journal/names.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { proofsBehind } from "./transactions.ts";
import type { ExplainedEvent } from "./event.ts";
import type { UnreadableEntry } from "../../journal/entries.ts";
import type { Entry, EntryKind, NamedEntry, RulingEntry } from "../../entries/entry.ts";
import { IGNORED } from "../../ledger/rulings.ts";
import { readingsOf, type Reading } from "./readings.ts";

/** Entries to look at on each side of an epoch's end. */
const NEAREST = 20;

/** A name is `DAY/TIME-KIND-HASH`. */
const MOMENT_LENGTH = "2026-11-20/153000000".length;
const HASH_LENGTH = "-0123456789abcdef".length;

/** The first UTC day to list; null: the journal's first. */
export function firstDayNeeded(event: ExplainedEvent, ledger: Ledger): string | null {
  // A public history may have been read at any time.
  if (!event.confirmed) return null;
  const times = [event.previousSeenAt ?? event.createdAt, ...proofsBehind(ledger, event).map(({ foundAt }) => foundAt)];
  const [first] = times.filter((time) => time !== null).sort();
  return first?.slice(0, "YYYY-MM-DD".length) ?? null;
}

/**
 * Names from the last entry with the old value to the one that decided, those with the event's transactions, and all
 * rulings. For an event of a public history: all its readings, and the observations next to the boundary.
 * @param names in order, from {@link firstDayNeeded} on
 */
export function namesBehind(names: readonly string[], event: ExplainedEvent, ledger: Ledger): string[] {
  const standing = event.ruling?.name;
  const chosen = event.confirmed ? inWindow(names, event) : aboutBoundary(names, event, ledger);
  const rulings = names.filter((name) => kindOf(name) === "ruling");
  // May lie before the window: a late entry can move the event.
  const proofs = ofTransactions(names, event, ledger);
  return [...new Set([...chosen, ...proofs, ...rulings, ...(standing === undefined ? [] : [standing])])].sort();
}

function ofTransactions(names: readonly string[], event: ExplainedEvent, ledger: Ledger): string[] {
  const moments = new Set(proofsBehind(ledger, event).map(({ foundAt }) => toMoment(foundAt)));
  return names.filter((name) => kindOf(name) === "transactions" && moments.has(momentOf(name)));
}

function inWindow(names: readonly string[], event: ExplainedEvent): string[] {
  if (event.isSwept) return [];
  const from = toMoment(event.previousSeenAt ?? event.createdAt ?? "");
  const to = toMoment(event.confirmedAt ?? event.createdAt ?? "");
  const kinds = kindsTelling(event);
  return names.filter((name) => isOfKind(name, kinds) && momentOf(name) >= from && momentOf(name) <= to);
}

function aboutBoundary(names: readonly string[], event: ExplainedEvent, { epochs }: Ledger): string[] {
  const kinds = kindsTelling(event);
  const observed = names.filter((name) => isOfKind(name, kinds));
  const before = epochs.findLast(({ epoch }) => epoch < event.epoch);
  const end = before === undefined ? "" : toMoment(before.last.time);
  const isTracked = epochs.some(({ epoch }) => epoch === event.epoch);
  return [
    ...names.filter((name) => kindOf(name) === "history"),
    ...(before?.epoch === event.epoch - 1 ? observed.filter((name) => momentOf(name) <= end).slice(-NEAREST) : []),
    ...(isTracked ? observed.filter((name) => momentOf(name) > end).slice(0, NEAREST) : []),
  ];
}

/** Checks do not read MEV commissions. */
function kindsTelling({ source }: ExplainedEvent): EntryKind[] {
  return source === "COMMISSION" ? ["check", "snapshot"] : ["snapshot"];
}

function isOfKind(name: string, kinds: readonly EntryKind[]): boolean {
  return (kinds as readonly string[]).includes(kindOf(name));
}

export function kindOf(name: string): string {
  return name.slice(MOMENT_LENGTH + 1, -HASH_LENGTH);
}

function momentOf(name: string): string {
  return name.slice(0, MOMENT_LENGTH);
}

/**
 * `before`: last with the old value; `between`: decided nothing; `first`: first with the new value; `second`: confirmed
 * it, where the first did not; `history`: a public history; `ruling`: an operator's.
 */
export type Role = "before" | "between" | "first" | "second" | "history" | "ruling";

export interface Evidence {
  role: Role;
  /** An entry's key without `journal/…/` and `.json.zst`. */
  name: string;
  time: string;
  /** null: the entry has none. */
  slot: number | null;
  epoch: number | null;
  /** Of the list kept whole, or of the public history: an address without path and query. null: none was asked. */
  endpoint: string | null;
  readings: Reading[];
  /** Why it does not count, as far as the ledger remembers. */
  refused: string | null;
  ruling: Pick<RulingEntry, "subject" | "verdict" | "reason" | "ruledAt"> | null;
}

/**
 * Evidence in the order of the journal, then the rulings.
 * @param read the entries of {@link namesBehind}
 */
export function toEvidence(
  event: ExplainedEvent,
  read: readonly (NamedEntry | UnreadableEntry)[],
  ledger: Ledger,
): Evidence[] {
  const entries = read.filter((one) => "entry" in one);
  const found = event.confirmed ? ofSeen(event, entries, ledger) : ofTold(event, entries, ledger);
  const names = new Set(found.map(({ name }) => name));
  const rulings = entries.flatMap(({ name, entry }) =>
    entry.kind === "ruling" && isAbout(entry, event, names)
      ? [toPiece("ruling", { name, entry }, { event, ledger })]
      : [],
  );
  return [...found, ...rulings.sort((a, b) => compareText(a.ruling?.ruledAt ?? "", b.ruling?.ruledAt ?? ""))];
}

/** Evidence of a seen event: the ledger knows the times that decided. */
function ofSeen(event: ExplainedEvent, entries: readonly NamedEntry[], ledger: Ledger): Evidence[] {
  const taken = new Set<Role>();
  return entries.flatMap(({ name, entry }) => {
    if (entry.kind !== "check" && entry.kind !== "snapshot") return [];
    const readings = readingsOf(entry, event);
    const role = roleOf(event, entry, readings);
    // Two generators can read in the same millisecond: one reading counts.
    const own = role !== "between" && taken.has(role) ? "between" : role;
    if (own === "between" && readings.length === 0) return [];
    taken.add(own);
    return [toPiece(own, { name, entry }, { event, ledger })];
  });
}

function roleOf(event: ExplainedEvent, { time }: Entry, readings: readonly Reading[]): Role {
  const showsNew = readings.some(({ shows }) => shows === "new" || shows === "either");
  // An observation can show the old value to most and the new one to some: it is the first.
  if (time === event.createdAt && showsNew) return "first";
  if (time === event.confirmedAt && showsNew) return "second";
  return time === event.previousSeenAt ? "before" : "between";
}

/** Evidence of a public history's event: all its readings, and the observations on the observed side. */
function ofTold(event: ExplainedEvent, entries: readonly NamedEntry[], ledger: Ledger): Evidence[] {
  const telling = entries.filter(({ entry }) => readingsOf(entry, event).length > 0);
  const inEpoch = (epoch: number) => telling.filter(({ entry }) => "slot" in entry && entry.epoch === epoch);
  const before = inEpoch(event.epoch - 1).at(-1);
  const [first] = inEpoch(event.epoch);
  return telling.flatMap((one) => {
    const role = one.entry.kind === "history" ? "history" : one === before ? "before" : one === first ? "first" : null;
    return role === null ? [] : [toPiece(role, one, { event, ledger })];
  });
}

function isAbout({ subject }: RulingEntry, { id }: ExplainedEvent, names: ReadonlySet<string>): boolean {
  return subject.of === "event" ? subject.id === id : names.has(subject.key);
}

function toPiece(
  role: Role,
  { name, entry }: NamedEntry,
  { event, ledger }: { event: ExplainedEvent; ledger: Ledger },
): Evidence {
  return {
    role,
    name,
    time: entry.time,
    slot: "slot" in entry ? entry.slot : null,
    epoch: "slot" in entry ? entry.epoch : null,
    endpoint: "endpoint" in entry ? entry.endpoint : entry.kind === "history" ? entry.source : null,
    readings: readingsOf(entry, event),
    refused: whyRefused(name, ledger),
    ruling: entry.kind === "ruling" ? toRuling(entry) : null,
  };
}

function whyRefused(name: string, { rulings, acceptance }: Ledger): string | null {
  if (rulings.observations.get(name)?.verdict === "ignore") return IGNORED.reason;
  return acceptance.refusedObservations.find((refusal) => refusal.name === name)?.reason ?? null;
}

function toRuling({ subject, verdict, reason, ruledAt }: RulingEntry): Evidence["ruling"] {
  return { subject, verdict, reason, ruledAt };
}
