import { nameAfter, numberOf, toNames } from "../../journal/names.ts";
import type { EntryHead } from "../../journal/entries.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { ExplainedEvent } from "./event.ts";
import { proofsBehind } from "./transactions.ts";

/** Observations to look at after an epoch's end, and how long before it. */
const NEAREST = 20;
const BEFORE_END_MILLISECONDS = 60 * 60_000;

/** Entries to read, and which of them. */
interface EntriesBehind {
  names: string[];
  isWanted: (head: EntryHead) => boolean;
}

/**
 * The observations from the last with the old value to the one that decided, and the entries with
 * the event's transactions. For an event of a public history: all its readings, and the
 * observations next to the boundary.
 */
export function findEntriesBehind(event: ExplainedEvent, ledger: Ledger): EntriesBehind {
  const { days, isWanted } = event.confirmed ? inWindow(event) : aboutBoundary(event, ledger);
  const proved = new Set(proofsBehind(ledger, event).map(({ foundAt }) => foundAt));
  const names = new Set(
    [...days, ...[...proved].map(toDay)].flatMap((day) => namesOf(ledger, day)),
  );
  for (const name of event.confirmed ? [] : ledger.history.entries) names.add(name);
  return {
    names: [...names].sort(),
    isWanted: (head) => isWanted(head) || (head.kind === "transactions" && proved.has(head.time)),
  };
}

interface Span {
  /** UTC, `2026-11-20`. */
  days: string[];
  isWanted: EntriesBehind["isWanted"];
}

function inWindow(event: ExplainedEvent): Span {
  const from = event.previousSeenAt ?? event.createdAt;
  const to = event.confirmedAt ?? event.createdAt;
  if (event.isSwept || from === null || to === null) return { days: [], isWanted: () => false };
  const kinds = kindsWith(event);
  return {
    days: daysOf(Date.parse(from), Date.parse(to)),
    isWanted: ({ kind, time }) => kinds.includes(kind) && time >= from && time <= to,
  };
}

function aboutBoundary(event: ExplainedEvent, { epochs, firstOfDay }: Ledger): Span {
  const kinds = kindsWith(event);
  const isHistory = (kind: string) => kind === "history";
  // Empty: the first epoch observed is the event's.
  const end = epochs.findLast(({ epoch }) => epoch < event.epoch)?.last.time ?? "";
  const from = end && new Date(Date.parse(end) - BEFORE_END_MILLISECONDS).toISOString();
  // The next observation may be on the next day that has any.
  const nextDays = [...firstOfDay.keys()]
    .filter((day) => day > toDay(end))
    .sort()
    .slice(0, 1);
  let left = NEAREST;
  return {
    days: [...(end === "" ? [] : daysOf(Date.parse(from), Date.parse(end))), ...nextDays],
    isWanted({ kind, time }) {
      if (isHistory(kind)) return true;
      if (!kinds.includes(kind) || time < from) return false;
      if (time > end) left -= 1;
      return left >= 0;
    },
  };
}

/** Checks do not read MEV commissions. */
function kindsWith({ source }: ExplainedEvent): string[] {
  return source === "COMMISSION" ? ["check", "snapshot"] : ["snapshot"];
}

/** Names of the entries of a UTC day, `2026-11-20`. */
export function namesOf({ firstOfDay, position }: Ledger, day: string): string[] {
  const first = firstOfDay.get(day);
  if (first === undefined) return [];
  const next =
    [...firstOfDay.values()].filter((name) => name > first).sort()[0] ??
    nameAfter(position?.name ?? first);
  return toNames(numberOf(first), numberOf(next) - 1);
}

const DAY_MILLISECONDS = 86_400_000;

function daysOf(from: number, to: number): string[] {
  const days: string[] = [];
  for (
    let time = from;
    toDay(new Date(time).toISOString()) <= toDay(new Date(to).toISOString());
    time += DAY_MILLISECONDS
  )
    days.push(toDay(new Date(time).toISOString()));
  return days;
}

/** The UTC day of a time in ISO 8601. */
export function toDay(time: string): string {
  return time.slice(0, "YYYY-MM-DD".length);
}
