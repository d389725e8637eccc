import type { Network } from "../contract/networks.ts";
import { authoritiesOf, searchesOfHistory, type SearchDue } from "../ledger/searches-due.ts";
import { takeTransactions } from "./proving.ts";
import { publishLedger } from "./publishing.ts";
import { toCounted, type Report } from "./report.ts";
import { forEachNetwork, type CommandOptions } from "./session.ts";
import type { Station } from "./station.ts";

export interface TransactionsOptions extends CommandOptions {
  /** How many epochs before the newest one observed to go back, from 1. */
  epochs: number;
  /** Of each endpoint, over all methods. */
  callsPerSecond: number;
  onProgress: (progress: SearchProgress) => void;
}

/** Counts of withdraw authorities, and of what their transactions told. */
export interface SearchCounts {
  known: number;
  /** Searched by this command: of the others everything was known. */
  searched: number;
  /** Of them those of which not everything is known now. */
  failed: number;
  /** Events that only transactions tell of. */
  events: number;
  /** Events that have their transaction now. */
  proved: number;
  /** Why not all were searched; null: they were. */
  stopped: string | null;
}

export interface SearchProgress extends SearchCounts {
  network: Network;
  total: number;
  /** At the pace so far. */
  millisecondsLeft: number;
}

export type TransactionsReport = Report & { transactions: SearchCounts };

/** What the public endpoints bear beside the observations: 40 calls of a method in ten seconds. */
export const CALLS_PER_SECOND = 3;

/** Nodes without an archive behind them keep some two days. */
export const CHAIN_EPOCHS_DEFAULT = 2;
export const CHAIN_EPOCHS_MAX = 1_000;

/** What is read is journaled in so small parts that a stop loses little. */
const PART_AUTHORITIES = 10;
const PART_MILLISECONDS = 10 * 60_000;

/**
 * `generate transactions`: the history of commissions from the chain itself, as far back as the endpoints keep it. What was
 * searched before is not searched again.
 * @throws {Error} for a network without a snapshot: nobody's authority is known there
 */
export async function transactions(options: TransactionsOptions): Promise<TransactionsReport> {
  const total = createSearchCounts();
  const report = await forEachNetwork("transactions", options, async (station, own) => {
    own.observations += (await station.keeper.refresh()).size;
    requireAuthorities(station);
    const counts = await readChainHistory(station, own, options);
    // What was read is kept; to publish it takes longer than who stops a command wants to wait.
    if (options.signal.aborted) own.skipped = counts.stopped;
    else await publishLedger(station, own, { audit: true });
    addSearchCounts(total, counts);
  });
  return { ...report, transactions: total };
}

/** Nothing searched. */
export function createSearchCounts(): SearchCounts {
  return { known: 0, searched: 0, failed: 0, events: 0, proved: 0, stopped: null };
}

export function addSearchCounts(total: SearchCounts, counts: SearchCounts): void {
  for (const part of ["known", "searched", "failed", "events", "proved"] as const) total[part] += counts[part];
  total.stopped ??= counts.stopped;
}

/** Searches the transactions of every authority, part by part. */
export async function readChainHistory(
  station: Station,
  report: Report,
  options: Pick<TransactionsOptions, "epochs" | "callsPerSecond" | "signal" | "onProgress">,
): Promise<SearchCounts> {
  const { keeper, clock, network } = station;
  const searches = findSearches(station, options.epochs);
  const before = countEvents(station);
  const startedAt = clock.now();
  const counts = { ...createSearchCounts(), known: authoritiesOf(keeper.ledger()).length };
  for (let place = 0; place < searches.length && counts.stopped === null; place += PART_AUTHORITIES) {
    const part = searches.slice(place, place + PART_AUTHORITIES);
    counts.stopped = await searchPart(station, report, { part, options });
    if (counts.stopped !== null) break;
    counts.searched += part.length;
    counts.failed += part.filter(({ authority }) => isLeftOpen(station, authority)).length;
    const after = countEvents(station);
    counts.events = Math.max(0, after.events - before.events);
    counts.proved = Math.max(0, after.proved - before.proved);
    const millisecondsEach = (clock.now() - startedAt) / counts.searched;
    const left = searches.length - counts.searched;
    options.onProgress({ ...counts, network, total: searches.length, millisecondsLeft: millisecondsEach * left });
  }
  report.events += counts.events;
  return counts;
}

function requireAuthorities({ keeper, network }: Station): void {
  const ledger = keeper.ledger();
  if (ledger.snapshot === null)
    throw new Error(`no snapshot of ${network} was accepted yet: run "snapshot" first, then "transactions"`);
  if (authoritiesOf(ledger).length > 0) return;
  throw new Error(
    `no withdraw authority is known on ${network}: no majority of the endpoints read the vote accounts. See what "doctor" says of them`,
  );
}

function findSearches({ keeper }: Station, epochs: number): SearchDue[] {
  const ledger = keeper.ledger();
  const { newest } = ledger.acceptance;
  if (newest === null) return [];
  const firstSlot = newest.absoluteSlot - newest.slotIndex - epochs * newest.slotsInEpoch;
  return searchesOfHistory(ledger, Math.max(0, firstSlot - 1));
}

/** @returns why to stop; null: go on */
async function searchPart(
  station: Station,
  report: Report,
  {
    part,
    options: { signal, callsPerSecond },
  }: { part: SearchDue[]; options: Pick<TransactionsOptions, "signal" | "callsPerSecond"> },
): Promise<string | null> {
  try {
    signal.throwIfAborted();
    const request = { searches: part, milliseconds: PART_MILLISECONDS, callsPerSecond };
    const observed = await takeTransactions(station, request);
    if (observed === null) return null;
    if (!observed.passed) {
      report.rejected.push({ reason: observed.reason });
      return observed.reason;
    }
    await station.journal.append(observed.entry);
    report.observations += (await station.keeper.refresh()).size;
    return null;
  } catch (error) {
    if (!signal.aborted) throw error;
    return signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
  }
}

function isLeftOpen({ keeper }: Station, authority: string): boolean {
  return keeper.ledger().searches.get(authority)?.outcome !== "covered";
}

function countEvents({ keeper }: Station): { events: number; proved: number } {
  const { events } = keeper.ledger();
  return {
    events: events.filter(({ isSwept }) => isSwept).length,
    proved: events.filter(({ isSwept, transaction }) => !isSwept && transaction !== null).length,
  };
}

/** What a person is told on the way. */
export function toSearchLine(progress: SearchProgress): string {
  const { network, searched, total, failed, events, proved, millisecondsLeft } = progress;
  return [
    `${network}: ${searched} of ${total} searches made`,
    `${toCounted(events, "event")} found`,
    `${proved} proved`,
    ...(failed > 0 ? [`${failed} not whole`] : []),
    ...(searched < total ? [`about ${Math.ceil(millisecondsLeft / 60_000)} min left`] : []),
  ].join(" · ");
}

/** What it did, for the end of the report's line. */
export function toSearchCountsLine({ known, searched, failed, events, proved, stopped }: SearchCounts): string {
  return [
    `${searched} searches of ${known} withdraw authorities`,
    `${toCounted(events, "event")} found by transactions alone`,
    `${toCounted(proved, "event")} proved`,
    `${failed} not whole`,
    ...(stopped === null ? [] : ["stopped: what was read is kept, and the next run goes on from there"]),
  ].join(" · ");
}
