import { isRefusedByPanel } from "../agree/searches.ts";
import type { Network } from "../contract/networks.ts";
import { messageOf } from "../contract/error-message.ts";
import type { SearchAnswer, TransactionsEntry } from "../entries/entry.ts";
import { authoritiesOf, searchesOfHistory, type SearchDue } from "../views/searches-due.ts";
import { isPruned } from "../observe/transactions/searches.ts";
import { publishLedger } from "./publishing.ts";
import { toCounted, type Report } from "./report.ts";
import { takeTransactions } from "./searching.ts";
import { forEachNetwork, type CommandOptions } from "./for-each-network.ts";
import type { Context } from "./context.ts";

/** Options of `generate transactions`. */
export interface TransactionsOptions extends CommandOptions {
  /** Epochs before the newest one observed, from 1. */
  epochs: number;
  /** For each endpoint, over all methods. */
  callsPerSecond: number;
  onProgress: (progress: SearchProgress) => void;
}

/** Counts of withdraw authorities, and of what their transactions showed. */
export interface SearchCounts {
  known: number;
  /** Searched by this command; the others were fully known. */
  searched: number;
  /** Still not fully known. */
  failed: number;
  /** The endpoints keep less than asked for. */
  pruned: number;
  /** Events known from transactions alone. */
  events: number;
  /** Events that now have their transaction. */
  proved: number;
  /** Why not all were searched; null: all were. */
  stopped: string | null;
}

/** Progress of one network's search; `total` counts searches. */
export interface SearchProgress extends SearchCounts {
  network: Network;
  total: number;
  /** At the pace so far. */
  millisecondsLeft: number;
}

/** The report of `generate transactions`. */
export type TransactionsReport = Report & { transactions: SearchCounts };

/** Small parts: a stop loses little. */
const PART_AUTHORITIES = 10;
const PART_MILLISECONDS = 10 * 60_000;

/**
 * `generate transactions`: commission changes from the chain, as
 * far back as the endpoints keep them. Searches nothing twice.
 * @throws {Error} for a network without a snapshot: no authority is known there
 */
export async function transactions(options: TransactionsOptions): Promise<TransactionsReport> {
  const total = createSearchCounts();
  const report = await forEachNetwork("transactions", options, async (context, own) => {
    own.observations += (await context.projection.refresh()).size;
    requireAuthorities(context);
    const counts = await readChainHistory(context, own, options);
    // What was read is kept. Publishing would delay whoever stops the command.
    if (options.signal.aborted) own.skipped = counts.stopped;
    else await publishLedger(context, own, { audit: true });
    addSearchCounts(total, counts);
  });
  return { ...report, transactions: total };
}

/** Counts before the first search. */
export function createSearchCounts(): SearchCounts {
  return { known: 0, searched: 0, failed: 0, pruned: 0, events: 0, proved: 0, stopped: null };
}

/** Adds to `total` in place; the first reason to stop stays. */
export function addSearchCounts(total: SearchCounts, counts: SearchCounts): void {
  for (const part of ["known", "searched", "failed", "pruned", "events", "proved"] as const)
    total[part] += counts[part];
  total.stopped ??= counts.stopped;
}

/**
 * Searches the transactions of all withdraw authorities, in small parts, each journaled at
 * once. An abort or a refusal ends it without an error; `stopped` has the reason.
 */
export async function readChainHistory(
  context: Context,
  report: Report,
  options: Pick<TransactionsOptions, "epochs" | "callsPerSecond" | "signal" | "onProgress">,
): Promise<SearchCounts> {
  const { projection, clock, network } = context;
  const searches = findSearches(context, options.epochs);
  const before = countEvents(context);
  const startedAt = clock.now();
  const counts = { ...createSearchCounts(), known: authoritiesOf(projection.ledger()).length };
  for (
    let start = 0;
    start < searches.length && counts.stopped === null;
    start += PART_AUTHORITIES
  ) {
    const part = searches.slice(start, start + PART_AUTHORITIES);
    const { stopped, answers } = await searchPart(context, report, part, options);
    counts.stopped = stopped;
    if (stopped !== null) break;
    counts.searched += part.length;
    const remaining = Map.groupBy(
      findSearches(context, options.epochs),
      ({ authority }) => authority,
    );
    const outcomes = part.map((one, index) =>
      judgeSearch(one, answers[index] ?? [], remaining.get(one.authority) ?? []),
    );
    counts.failed += outcomes.filter((outcome) => outcome === "failed").length;
    counts.pruned += outcomes.filter((outcome) => outcome === "pruned").length;
    const after = countEvents(context);
    counts.events = Math.max(0, after.events - before.events);
    counts.proved = Math.max(0, after.proved - before.proved);
    const millisecondsEach = (clock.now() - startedAt) / counts.searched;
    const left = searches.length - counts.searched;
    options.onProgress({
      ...counts,
      network,
      total: searches.length,
      millisecondsLeft: millisecondsEach * left,
    });
  }
  report.events += counts.events;
  return counts;
}

function requireAuthorities({ projection, network }: Context): void {
  const ledger = projection.ledger();
  if (ledger.snapshot === null)
    throw new Error(
      `no snapshot of ${network} was accepted yet: run "snapshot" first, then "transactions"`,
    );
  if (authoritiesOf(ledger).length > 0) return;
  throw new Error(
    `no withdraw authority is known on ${network}: no majority of the endpoints read the vote accounts. Run "doctor" to see why`,
  );
}

function findSearches({ projection }: Context, epochs: number): SearchDue[] {
  const ledger = projection.ledger();
  const { newest } = ledger.acceptance;
  if (newest === null) return [];
  const firstSlot = newest.absoluteSlot - newest.slotIndex - epochs * newest.slotsInEpoch;
  return searchesOfHistory(ledger, Math.max(0, firstSlot - 1));
}

async function searchPart(
  context: Context,
  report: Report,
  part: SearchDue[],
  { signal, callsPerSecond }: Pick<TransactionsOptions, "signal" | "callsPerSecond">,
): Promise<{ stopped: string | null; answers: SearchAnswer[][] }> {
  try {
    signal.throwIfAborted();
    const request = { searches: part, milliseconds: PART_MILLISECONDS, callsPerSecond };
    const observed = await takeTransactions(context, request);
    if (observed === null) return { stopped: null, answers: [] };
    if (!observed.passed) {
      report.rejected.push({ reason: observed.reason });
      return { stopped: observed.reason, answers: [] };
    }
    await context.journal.append(observed.entry);
    report.observations += (await context.projection.refresh()).size;
    const refusal = whyRefused(observed.entry);
    if (refusal !== null) report.rejected.push({ reason: refusal });
    return { stopped: refusal, answers: observed.entry.searches.map(({ answers }) => answers) };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { stopped: messageOf(signal.reason), answers: [] };
  }
}

/** If no majority keeps transactions, further searches find nothing. null: a majority does. */
function whyRefused({ network, panel, searches }: TransactionsEntry): string | null {
  if (!searches.every(({ answers }) => isRefusedByPanel(answers))) return null;
  const reasons = (searches[0]?.answers ?? []).flatMap((answer) =>
    answer.state === "failed" ? [answer.reason] : [],
  );
  return [
    `no majority of ${toCounted(panel.length, "witness", "witnesses")} keeps a history of transactions (${reasons.join("; ")})`,
    `give ${network.toUpperCase()}_RPC_URLS endpoints that do: "doctor" shows which of them keep an epoch of it`,
  ].join(": ");
}

/**
 * `pruned`: only slots that the endpoints no longer keep are left.
 * @param left of its authority, oldest first
 */
function judgeSearch(
  { after, upTo }: SearchDue,
  answers: readonly SearchAnswer[],
  left: readonly SearchDue[],
): "whole" | "pruned" | "failed" {
  const own = left.filter((gap) => gap.after >= after && gap.after < (upTo ?? Infinity));
  const [oldest, ...others] = own.filter((gap) => gap.after === after || gap.upTo !== null);
  if (oldest === undefined) return "whole";
  const isCut = oldest.after === after && (oldest.upTo !== upTo || answers.some(isPruned));
  return isCut && others.length === 0 ? "pruned" : "failed";
}

function countEvents({ projection }: Context): { events: number; proved: number } {
  const { events } = projection.ledger();
  return {
    events: events.filter(({ isSwept }) => isSwept).length,
    proved: events.filter(({ isSwept, transaction }) => !isSwept && transaction !== null).length,
  };
}
