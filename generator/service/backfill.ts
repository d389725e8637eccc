import { CALLS_PER_SECOND } from "../settings/defaults.ts";
import type { Network } from "../contract/networks.ts";
import { ENTRY_FORMAT, type HistoryEntry } from "../entries/entry.ts";
import type { Ledger } from "../ledger/ledger.ts";
import {
  openHistorySource,
  readFirstSlots,
  readHistories,
  type EpochSpan,
  type HistoryCounts,
  type HistoryProgress,
} from "./history.ts";
import type { ValidatorRecord } from "../ledger/records.ts";
import { publishLedger } from "./publishing.ts";
import type { Report } from "./report.ts";
import { forEachNetwork, type CommandOptions } from "./for-each-network.ts";
import type { Context } from "./context.ts";
import {
  addSearchCounts,
  createSearchCounts,
  readChainHistory,
  type SearchCounts,
  type SearchProgress,
} from "./transactions.ts";
import { observedRate } from "../ledger/rates/timeline.ts";

/** Progress of one network's backfill. */
export type BackfillProgress = HistoryProgress & { network: Network };

/** Options of `generate backfill`; `onSearch` receives the progress of the transactions' search. */
export interface BackfillOptions extends CommandOptions {
  /** Epochs before the newest one observed, 1 to 512. */
  epochs: number;
  onProgress: (progress: BackfillProgress) => void;
  onSearch: (progress: SearchProgress) => void;
}

/** Over all networks; `known`: validators, `epochsFilled`: epochs known from the backfill alone. */
export interface BackfillCounts extends HistoryCounts {
  known: number;
  epochsFilled: number;
}

type BackfillReport = Report & { backfill: BackfillCounts; transactions: SearchCounts };

/**
 * `generate backfill`: the MEV vendor's history of every known validator,
 * and the transactions of their authorities. Asks for nothing twice.
 * @throws {Error} for a network without a snapshot: nobody is known there
 */
export async function backfill(options: BackfillOptions): Promise<BackfillReport> {
  const total: BackfillCounts = {
    known: 0,
    asked: 0,
    withHistory: 0,
    failed: 0,
    epochsFilled: 0,
    stopped: null,
  };
  const transactions = createSearchCounts();
  const report = await forEachNetwork("backfill", options, async (context, own) => {
    own.observations += (await context.projection.refresh()).size;
    const before = countHistory(context.projection.ledger());
    const counts = await readPast(context, own, options);
    const searched = options.signal.aborted
      ? createSearchCounts()
      : await searchPast(context, own, options);
    addSearchCounts(transactions, searched);
    // What was read is kept. Publishing would delay whoever stops the command.
    if (options.signal.aborted) own.skipped = counts.stopped ?? searched.stopped;
    else await publishLedger(context, own, { audit: true });
    await context.projection.refresh();
    const after = countHistory(context.projection.ledger());
    own.events += Math.max(0, after.events - before.events);
    for (const part of ["asked", "withHistory", "failed"] as const) total[part] += counts[part];
    total.known += context.projection.ledger().validators.length;
    total.epochsFilled += Math.max(0, after.epochs - before.epochs);
    total.stopped ??= counts.stopped;
  });
  return { ...report, backfill: total, transactions };
}

function searchPast(
  context: Context,
  report: Report,
  options: BackfillOptions,
): Promise<SearchCounts> {
  const { epochs, signal, onSearch: onProgress } = options;
  return readChainHistory(context, report, {
    epochs,
    signal,
    callsPerSecond: CALLS_PER_SECOND,
    onProgress,
  });
}

async function readPast(
  context: Context,
  report: Report,
  options: BackfillOptions,
): Promise<HistoryCounts> {
  const { network, clock, projection, journal } = context;
  const { settings, signal, onProgress } = options;
  const nothing: HistoryCounts = { asked: 0, withHistory: 0, failed: 0, stopped: null };
  const mevUrl = settings.mevUrls[network];
  if (mevUrl === null) {
    report.rejected.push({
      reason: `no MEV vendor is set for ${network}: its MEV history cannot be read`,
    });
    return nothing;
  }
  const ledger = projection.ledger();
  const accepted = ledger.acceptance.newest;
  if (ledger.snapshot === null || accepted === null)
    throw new Error(
      `no snapshot of ${network} was accepted yet: run "snapshot" first, then "backfill"`,
    );
  const span = closedSpan(accepted.epoch, options.epochs);
  const votes = span === null ? [] : dueVotes(ledger, span);
  if (span === null || votes.length === 0) return nothing;

  const epochs = await readFirstSlots({
    rpcUrls: settings.rpcUrls[network],
    span,
    accepted,
    clock,
    signal,
  });
  const { origin: source, read, close } = openHistorySource({ mevUrl, span, clock, signal });
  async function keep(validators: HistoryEntry["validators"]): Promise<void> {
    const time = new Date(clock.now()).toISOString();
    await journal.append({
      kind: "history",
      format: ENTRY_FORMAT,
      network,
      time,
      source,
      epochs,
      validators,
    });
  }
  try {
    const counts = await readHistories({
      votes,
      witness: findWitness(ledger),
      read,
      keep,
      clock,
      signal,
      onProgress: (progress) => onProgress({ ...progress, network }),
    });
    if (counts.stopped !== null && !signal.aborted)
      report.rejected.push({ reason: counts.stopped });
    return counts;
  } finally {
    await close();
  }
}

function countHistory({ events, epochs, history }: Ledger): { events: number; epochs: number } {
  const observed = new Set(epochs.map(({ epoch }) => epoch));
  return {
    events: events.filter(({ confirmed }) => !confirmed).length,
    epochs: [...history.firstSlots.keys()].filter((epoch) => !observed.has(epoch)).length,
  };
}

/** The closed epochs before the running one; null: there are none. */
export function closedSpan(running: number, epochs: number): EpochSpan | null {
  return running === 0 ? null : { first: Math.max(0, running - epochs), last: running - 1 };
}

/**
 * Validators with an epoch neither observed nor read, sorted by key, so that a stopped run
 * continues where it ended.
 */
export function dueVotes(ledger: Ledger, { first, last }: EpochSpan): string[] {
  const epochs = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const isKnown = (validator: ValidatorRecord) => (epoch: number) =>
    isWithin(validator.history, epoch) || observedRate(validator, epoch) !== null;
  return ledger.validators
    .filter((validator) => !epochs.every(isKnown(validator)))
    .map(({ vote }) => vote)
    .sort();
}

/** A vote account for which the source has answered before. */
export function findWitness(ledger: Ledger): string | null {
  return ledger.validators.find(({ history }) => history !== null)?.vote ?? null;
}

function isWithin(span: EpochSpan | null, epoch: number): boolean {
  return span !== null && span.first <= epoch && epoch <= span.last;
}
