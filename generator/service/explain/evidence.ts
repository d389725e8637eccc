import { compareText } from "../../contract/lists.ts";
import { toMoment } from "../../journal/names.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { proofsBehind } from "./transactions.ts";
import type { ExplainedEvent } from "./event.ts";
import type { UnreadableEntry } from "../../journal/entries.ts";
import type { Entry, EntryKind, NamedEntry, RulingEntry } from "../../entries/entry.ts";
import { IGNORED } from "../../ledger/rulings.ts";
import { readingsOf, type Reading } from "./readings.ts";

/** Entries about an end of an epoch among which one is looked for that tells of the validator. */
const NEAREST = 20;

/** `DAY/TIME`, and what follows it: `-KIND-HASH`. */
const MOMENT_LENGTH = "2026-11-20/153000000".length;
const HASH_LENGTH = "-0123456789abcdef".length;

/** The UTC day from which the journal's names are needed to explain an event; null: from the first. */
export function firstDayNeeded(event: ExplainedEvent, ledger: Ledger): string | null {
  // What a public history told may have been read at any time, and is seen again by each later reading.
  if (!event.confirmed) return null;
  const times = [event.previousSeenAt ?? event.createdAt, ...proofsBehind(ledger, event).map(({ foundAt }) => foundAt)];
  const [first] = times.filter((time) => time !== null).sort();
  return first?.slice(0, "YYYY-MM-DD".length) ?? null;
}

/**
 * Those from the last that showed the old value to the one that decided, those that brought its transactions, and every
 * ruling, of which there are few. Of an event of a public history: every reading of such, and what was observed next to
 * the boundary.
 * @param names in order, from {@link firstDayNeeded} on
 */
export function namesBehind(names: readonly string[], event: ExplainedEvent, ledger: Ledger): string[] {
  const standing = event.ruling?.name;
  const chosen = event.confirmed ? inWindow(names, event) : aboutBoundary(names, event, ledger);
  const rulings = names.filter((name) => kindOf(name) === "ruling");
  // It may lie before the window: an entry that came late can have moved the event.
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
  const kinds = kindsTelling(event, ["confirm"]);
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

/** Checks tell nothing of MEV. */
function kindsTelling({ source }: ExplainedEvent, more: EntryKind[] = []): EntryKind[] {
  return source === "COMMISSION" ? ["check", "snapshot", ...more] : ["snapshot", ...more];
}

function isOfKind(name: string, kinds: readonly EntryKind[]): boolean {
  return (kinds as readonly string[]).includes(kindOf(name));
}

/** The kind of the entry of this name. */
export function kindOf(name: string): string {
  return name.slice(MOMENT_LENGTH + 1, -HASH_LENGTH);
}

function momentOf(name: string): string {
  return name.slice(0, MOMENT_LENGTH);
}

/**
 * `before`: the last with the old value; `between`: decided nothing; `first`: the first with the new one; `second`:
 * confirmed it; `history`: a reading of a public history; `ruling`: an operator's word.
 */
export type Role = "before" | "between" | "first" | "second" | "history" | "ruling";

/** One entry behind an event. */
export interface Evidence {
  role: Role;
  /** Of the entry; its object is this below the journal's prefix, with `.json.zst`. */
  name: string;
  time: string;
  /** null: the entry is of no slot or no epoch. */
  slot: number | null;
  epoch: number | null;
  /** Which endpoint or public history answered, without path and query; null: nobody was asked. */
  endpoint: string | null;
  readings: Reading[];
  /** Why it does not count, where that is still known: of refusals only the newest are remembered. */
  refused: string | null;
  /** What an operator said; null for all other entries. */
  ruling: Pick<RulingEntry, "subject" | "verdict" | "reason" | "ruledAt"> | null;
}

/**
 * In the order of the journal, then what operators said of any of it. Pure.
 * @param read the entries that may be behind it, in order ({@link namesBehind})
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

/** Of an event that was seen, the ledger knows the times of what decided. */
function ofSeen(event: ExplainedEvent, entries: readonly NamedEntry[], ledger: Ledger): Evidence[] {
  const taken = new Set<Role>();
  return entries.flatMap(({ name, entry }) => {
    if (entry.kind === "ruling" || entry.kind === "history" || entry.kind === "transactions") return [];
    const readings = readingsOf(entry, event);
    const role = roleOf(event, entry, readings);
    // Two generators can have read in the same millisecond: one of the readings is the one that counts.
    const own = role !== "between" && taken.has(role) ? "between" : role;
    if (own === "between" && readings.length === 0) return [];
    taken.add(own);
    return [toPiece(own, { name, entry }, { event, ledger })];
  });
}

function roleOf(event: ExplainedEvent, { kind, time }: Entry, readings: readonly Reading[]): Role {
  const showsNew = readings.some(({ shows }) => shows === "new" || shows === "either");
  const showsOld = readings.some(({ shows }) => shows === "old" || shows === "either");
  if (kind !== "confirm" && time === event.createdAt && showsNew) return "first";
  if (time === event.confirmedAt && showsNew) return "second";
  // A majority may have shown it last in a second reading of what was then not believed.
  if (time === event.previousSeenAt && (kind !== "confirm" || showsOld)) return "before";
  return "between";
}

/** Of an event of a public history: every reading of it, and the observations on the side that was observed. */
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
  return acceptance.refusals.find((refusal) => refusal.name === name)?.reason ?? null;
}

function toRuling({ subject, verdict, reason, ruledAt }: RulingEntry): Evidence["ruling"] {
  return { subject, verdict, reason, ruledAt };
}
