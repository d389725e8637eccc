import type { Network } from "../../contract/networks.ts";
import type { UnreadableEntry } from "../../journal/entries.ts";
import { isEntryName, nameAfter } from "../../journal/names.ts";
import type { ReadEntry } from "../../journal/reading.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { isIgnored } from "../../ledger/rulings.ts";
import { toCounted } from "../report.ts";

/**
 * Entries that a ledger lacks and no ruling leaves out. Such a ledger must not be published,
 * because an event may be missing.
 */
export function findHoles(ledger: Ledger, leftOut: readonly UnreadableEntry[]): UnreadableEntry[] {
  return leftOut.filter(({ name }) => !isIgnored(ledger, name));
}

/** Whether an entry followed another entry than this one when it was written; null: it did not. */
export function findBrokenLink(
  before: { name: string; hash: string } | null,
  { name, previous }: Pick<ReadEntry, "name" | "previous">,
): UnreadableEntry | null {
  if (
    before === null ||
    nameAfter(before.name) !== name ||
    previous === null ||
    previous === before.hash
  )
    return null;
  return {
    name,
    unreadable: `it was written after another entry than ${before.name}: one of the two was changed`,
  };
}

/** Why publishing waits, and what to do; null: there is no hole. */
export function toWaiting(holes: readonly UnreadableEntry[], network: Network): string | null {
  const described = describeHoles(holes, network);
  return described === null ? null : `${described.fault}. ${described.remedy}`;
}

/** null: there is no hole. */
export function describeHoles(
  holes: readonly UnreadableEntry[],
  network: Network,
): { fault: string; remedy: string } | null {
  const reasons = new Map(holes.map(({ name, unreadable }) => [name, unreadable]));
  const [first] = [...reasons.keys()].sort();
  if (first === undefined) return null;
  const fault = `${toCounted(holes.length, "entry", "entries")} of the journal cannot be read, for example ${first}: ${reasons.get(first)}`;
  if (!isEntryName(first)) return { fault, remedy: "It is a ruling: put it back from a copy" };
  let last = first;
  while (reasons.has(nameAfter(last))) last = nameAfter(last);
  const range = first === last ? first : `${first}-${last}`;
  const command = `generate rule --observation ${range} --ignore --reason TEXT --network ${network}`;
  return { fault, remedy: `Put it back from a copy, or go on without it: ${command}` };
}

/** An entry that publishing waits for, as the status document and reports name it. */
export function describeHole({
  name,
  unreadable,
}: UnreadableEntry): readonly [object: string, reason: string] {
  return [name, `${unreadable}; publishing waits for it`];
}
