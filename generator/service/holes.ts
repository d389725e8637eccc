import type { Network } from "../contract/networks.ts";
import type { Fault, UnreadableEntry } from "../journal/entries.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { isIgnored } from "../ledger/rulings.ts";
import { toCounted } from "./report.ts";

/** What a ledger lacks, and every unusable object with the reason. */
interface Unread {
  ledger: Ledger;
  leftOut: readonly UnreadableEntry[];
  unreadable: ReadonlyMap<string, Fault>;
}

/**
 * Entries and packs that a ledger lacks and no ruling leaves out. Nothing may be published of it: an event may be
 * missing. A ruling on a pack covers what its damage makes unreadable.
 */
export function findHoles(ledger: Ledger, leftOut: readonly UnreadableEntry[]): UnreadableEntry[] {
  return leftOut.filter(({ name, pack = name }) => !isIgnored(ledger, name) && !isIgnored(ledger, pack));
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
  const [first] = holes;
  if (first === undefined) return null;
  const { name, pack = name, unreadable } = first;
  return {
    fault: `${toCounted(holes.length, "entry or pack", "entries or packs")} of the journal cannot be read, for example ${name}: ${unreadable}`,
    remedy: `Put it back from a copy, or go on without it: generate rule --observation ${pack} --ignore --reason TEXT --network ${network}`,
  };
}

/** Ends the reason of an entry or pack that publishing waits for. */
const WAITED_FOR = "; publishing waits for it";

/** Unreadable objects that no ruling leaves out. */
export function tellUnreadable({ ledger, leftOut, unreadable }: Unread): (readonly [object: string, reason: string])[] {
  const lacked = new Set(leftOut.map(({ name }) => name));
  const holes = new Set(findHoles(ledger, leftOut).map(({ name }) => name));
  return [...unreadable].flatMap(([key, { unreadable: reason }]) => {
    if (holes.has(key)) return [[key, reason + WAITED_FOR] as const];
    return lacked.has(key) || isIgnored(ledger, key) ? [] : [[key, reason] as const];
  });
}
