import type { UnreadableEntry } from "../../journal/entries.ts";
import type { ReadEntry } from "../../journal/reading.ts";
import { actsBy, digestOfPosition, type StoredRuling } from "../../journal/rulings.ts";
import type { Folded } from "../../ledger/fold.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { isIgnored } from "../../ledger/rulings.ts";
import { createTouched, uniteTouched, type Touched } from "../../ledger/touched.ts";
import { applyRuling, foldEntry } from "./fold-entry.ts";
import { findBrokenLink } from "./holes.ts";

/** A ledger's newest entry, and the digest of the journal and the rulings up to it. */
export interface JournalPosition {
  through: string;
  digest: string;
}

/** A ledger in memory, what acted on it, and what it lacks. */
export interface LoadedLedger {
  ledger: Ledger;
  /** All there are, and by name those that act on the ledger. */
  rulings: readonly StoredRuling[];
  applied: Set<string>;
  /** Touched since the published position; "all": this ledger was never at that position. */
  touched: Touched | "all";
  /** Milliseconds since 1970. */
  loadedAt: number;
  /** Entries that the ledger lacks. */
  leftOut: UnreadableEntry[];
  /** Rulings that cannot be read, by key. */
  lostRulings: UnreadableEntry[];
  /** Keys of neither entries nor rulings. */
  foreign: Set<string>;
}

/** An entry before another. */
export interface Predecessor {
  name: string;
  hash: string;
}

/**
 * Folds the next entry, or leaves it out, and applies the rulings that act by it. Returns what the
 * fold said; null: the entry was left out, because it cannot be read or follows another one than
 * `before`.
 */
export function takeEntry(
  into: LoadedLedger,
  before: Predecessor | null,
  read: ReadEntry | UnreadableEntry,
): Folded["outcome"] | null {
  const fault = "unreadable" in read ? read : findChanged(into.ledger, before, read);
  let outcome: Folded["outcome"] | null = null;
  if (fault !== null) leaveOut(into, fault);
  else if ("entry" in read) {
    const folded = foldEntry(into.ledger, read);
    into.ledger = folded.ledger;
    into.leftOut = into.leftOut.filter(({ name }) => name !== read.name);
    touch(into, folded.touched);
    outcome = folded.outcome;
  }
  applyRulings(into, read.name);
  return outcome;
}

/**
 * Applies the rulings that act by an entry.
 * @param name null: before the first
 */
export function applyRulings(to: LoadedLedger, name: string | null): void {
  for (const ruling of to.rulings) {
    if (to.applied.has(ruling.name) || !actsBy(ruling.ruling, name)) continue;
    touch(to, applyRuling(to.ledger, ruling));
    to.applied.add(ruling.name);
  }
}

/** Collects what changes from here on, if the ledger is at the published position. */
export function notePublished(to: LoadedLedger, published: JournalPosition | null): void {
  if (published !== null && to.touched === "all" && isSame(toPosition(to), published))
    to.touched = createTouched();
}

/** null: nothing was folded yet. */
export function toPosition(loaded: LoadedLedger): JournalPosition | null {
  const digest = digestOf(loaded);
  return digest === null || loaded.ledger.position === null
    ? null
    : { through: loaded.ledger.position.name, digest };
}

/** Of the journal and the rulings that act on the ledger; null: nothing was folded yet. */
export function digestOf({ ledger: { position }, rulings, applied }: LoadedLedger): string | null {
  if (position === null) return null;
  return digestOfPosition(
    position.hash,
    rulings.filter(({ name }) => applied.has(name)),
  );
}

/** Whether two positions are the same; null is the same as null. */
export function isSame(one: JournalPosition | null, other: JournalPosition | null): boolean {
  return one?.through === other?.through && one?.digest === other?.digest;
}

/** Where a ruling leaves an entry out, neither its link nor the next one's is checked. */
function findChanged(
  ledger: Ledger,
  before: Predecessor | null,
  read: ReadEntry,
): UnreadableEntry | null {
  const broken = findBrokenLink(before, read);
  const isRuledOn =
    isIgnored(ledger, read.name) || (before !== null && isIgnored(ledger, before.name));
  return isRuledOn ? null : broken;
}

function leaveOut(from: LoadedLedger, entry: UnreadableEntry): void {
  from.leftOut = [...from.leftOut.filter(({ name }) => name !== entry.name), entry];
}

function touch(to: LoadedLedger, touched: Touched): void {
  if (to.touched !== "all") to.touched = uniteTouched(to.touched, touched);
}
