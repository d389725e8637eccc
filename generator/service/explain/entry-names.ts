import { toMoment } from "../../journal/names.ts";
import type { EntryKind } from "../../entries/entry.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { ExplainedEvent } from "./event.ts";
import { proofsBehind } from "./transactions.ts";

/** Entries to look at on each side of an epoch's end. */
const NEAREST_ENTRIES = 20;

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
  const ruling = event.ruling?.name;
  const chosen = event.confirmed ? inWindow(names, event) : aroundBoundary(names, event, ledger);
  const rulings = names.filter((name) => kindOf(name) === "ruling");
  // May lie before the window: a late entry can move the event.
  const proofs = ofTransactions(names, event, ledger);
  return [...new Set([...chosen, ...proofs, ...rulings, ...(ruling === undefined ? [] : [ruling])])].sort();
}

function ofTransactions(names: readonly string[], event: ExplainedEvent, ledger: Ledger): string[] {
  const moments = new Set(proofsBehind(ledger, event).map(({ foundAt }) => toMoment(foundAt)));
  return names.filter((name) => kindOf(name) === "transactions" && moments.has(momentOf(name)));
}

function inWindow(names: readonly string[], event: ExplainedEvent): string[] {
  if (event.isSwept) return [];
  const from = toMoment(event.previousSeenAt ?? event.createdAt ?? "");
  const to = toMoment(event.confirmedAt ?? event.createdAt ?? "");
  const kinds = kindsReading(event);
  return names.filter((name) => isOfKind(name, kinds) && momentOf(name) >= from && momentOf(name) <= to);
}

function aroundBoundary(names: readonly string[], event: ExplainedEvent, { epochs }: Ledger): string[] {
  const kinds = kindsReading(event);
  const observed = names.filter((name) => isOfKind(name, kinds));
  const before = epochs.findLast(({ epoch }) => epoch < event.epoch);
  const end = before === undefined ? "" : toMoment(before.last.time);
  const isTracked = epochs.some(({ epoch }) => epoch === event.epoch);
  return [
    ...names.filter((name) => kindOf(name) === "history"),
    ...(before?.epoch === event.epoch - 1
      ? observed.filter((name) => momentOf(name) <= end).slice(-NEAREST_ENTRIES)
      : []),
    ...(isTracked ? observed.filter((name) => momentOf(name) > end).slice(0, NEAREST_ENTRIES) : []),
  ];
}

/** Kinds of entries that read its commission: checks do not read MEV commissions. */
function kindsReading({ source }: ExplainedEvent): EntryKind[] {
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
