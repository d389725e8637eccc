import type { TransactionsEntry } from "../entries/entry.ts";
import {
  searchesForEvents,
  searchesOfRipe,
  searchesOfSweep,
  type SearchDue,
} from "../views/searches-due.ts";
import type { Observed } from "../observe/observation.ts";
import { CALLS_PER_SECOND } from "../settings/defaults.ts";
import type { Context } from "./context.ts";

const SEARCHED_MILLISECONDS = 24 * 60 * 60_000;
/**
 * For this long, until the next snapshot, checks search a change again once nodes may list its
 * whole window.
 */
const SNAPSHOT_MILLISECONDS = 10 * 60_000;

/** A change is published within about a minute. */
const OF_CHECK_MILLISECONDS = 12_000;
const OF_SNAPSHOT_MILLISECONDS = 30_000;
/** A snapshot must end before the burst of checks around an epoch's end (schedule.ts). */
const SNAPSHOT_MOST_MILLISECONDS = 90_000;

/**
 * Searches for transactions. With a check: changes confirmed by it or pending, and those whose
 * windows can be covered since. With a snapshot: those of the last day and the next part of the
 * sweep.
 * @param since start of the observation, ISO 8601 in UTC
 * @returns null: nothing to search, or no time left
 */
export async function searchTransactions(
  context: Context,
  { kind, since }: { kind: "check" | "snapshot"; since: string },
): Promise<Observed<TransactionsEntry> | null> {
  const { clock, projection } = context;
  const ledger = projection.ledger();
  const left = SNAPSHOT_MOST_MILLISECONDS - (clock.now() - Date.parse(since));
  if (left <= 0) return null;
  const ago = (milliseconds: number) => new Date(clock.now() - milliseconds).toISOString();
  const searches =
    kind === "check"
      ? [...searchesForEvents(ledger, since), ...searchesOfRipe(ledger, ago(SNAPSHOT_MILLISECONDS))]
      : [...searchesForEvents(ledger, ago(SEARCHED_MILLISECONDS)), ...searchesOfSweep(ledger)];
  const byAuthority = Map.groupBy(searches, ({ authority }) => authority);
  return takeTransactions(context, {
    searches: [...byAuthority.values()].flatMap(([first]) => first ?? []),
    milliseconds:
      kind === "check" ? OF_CHECK_MILLISECONDS : Math.min(left, OF_SNAPSHOT_MILLISECONDS),
    callsPerSecond: CALLS_PER_SECOND,
  });
}

/** @returns null: nothing to search, or the epochs' slots are unknown yet */
export async function takeTransactions(
  { observer, projection }: Context,
  request: { searches: SearchDue[]; milliseconds: number; callsPerSecond: number },
): Promise<Observed<TransactionsEntry> | null> {
  const { newest } = projection.ledger().acceptance;
  if (newest === null || request.searches.length === 0) return null;
  const { epoch, absoluteSlot, slotIndex, slotsInEpoch } = newest;
  return observer.transactions({
    ...request,
    known: { epoch, firstSlot: absoluteSlot - slotIndex, slotsInEpoch },
  });
}
