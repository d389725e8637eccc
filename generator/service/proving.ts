import type { TransactionsEntry } from "../entries/entry.ts";
import { searchesForEvents, searchesOfSweep, type SearchDue } from "../ledger/searches-due.ts";
import type { Observed } from "../observe/observation.ts";
import type { Context } from "./context.ts";

/** So long an event is searched for its transaction, with each snapshot. */
const SEARCHED_MILLISECONDS = 24 * 60 * 60_000;

/** A change is to be published within a minute or so, with or without its transaction: what takes longer is read later. */
const OF_CHECK_MILLISECONDS = 12_000;
const OF_SNAPSHOT_MILLISECONDS = 30_000;
/** A snapshot and what follows it must be over before the burst of checks around the end of an epoch (schedule.ts). */
const SNAPSHOT_MOST_MILLISECONDS = 90_000;

/**
 * Searches for the transactions behind changes (design §7): with a check for those that it confirmed or that still wait, with
 * a snapshot for all of the last day, and for the next part of the sweep.
 * @param since when the observation began, ISO 8601 in UTC
 * @returns null: nothing was to be searched, or there is no time left for it
 */
export async function searchTransactions(
  context: Context,
  { kind, since }: { kind: "check" | "snapshot"; since: string },
): Promise<Observed<TransactionsEntry> | null> {
  const { clock, projection } = context;
  const ledger = projection.ledger();
  const left = SNAPSHOT_MOST_MILLISECONDS - (clock.now() - Date.parse(since));
  if (left <= 0) return null;
  const dayAgo = new Date(clock.now() - SEARCHED_MILLISECONDS).toISOString();
  const searches = kind === "check" ? searchesForEvents(ledger, since) : searchesForEvents(ledger, dayAgo);
  const sweep = kind === "check" ? [] : searchesOfSweep(ledger);
  const isNamed = new Set(searches.map(({ authority }) => authority));
  return takeTransactions(context, {
    searches: [...searches, ...sweep.filter(({ authority }) => !isNamed.has(authority))],
    milliseconds: kind === "check" ? OF_CHECK_MILLISECONDS : Math.min(left, OF_SNAPSHOT_MILLISECONDS),
  });
}

/** @returns null: nothing was to be searched, or nobody knows yet which slots are of which epoch */
export async function takeTransactions(
  { observer, projection }: Context,
  request: { searches: SearchDue[]; milliseconds: number; callsPerSecond?: number },
): Promise<Observed<TransactionsEntry> | null> {
  const { newest } = projection.ledger().acceptance;
  if (newest === null || request.searches.length === 0) return null;
  const { epoch, absoluteSlot, slotIndex, slotsInEpoch } = newest;
  return observer.transactions({ ...request, known: { epoch, firstSlot: absoluteSlot - slotIndex, slotsInEpoch } });
}
