import { toMoment } from "../../journal/names.ts";
import type { EntryKind } from "../../entries/entry.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { proofsBehind } from "./transactions.ts";
import type { ExplainedEvent } from "./subject.ts";

/** So many entries about the end or the beginning of an epoch are looked at for one that tells of the validator. */
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
 * The names of the entries that can be behind an event: those from the last that showed the old value to the one that
 * decided, those that brought its transactions, and every ruling, of which there are few. Of an event of a public history: every reading of such, and what was
 * observed next to the boundary.
 *
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
