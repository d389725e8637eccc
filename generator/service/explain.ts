import type { Settings } from "../settings/settings.ts";
import type { Network } from "../contract/networks.ts";
import type { UnreadableEntry } from "../journal/entries.ts";
import { openJournal, type Journal } from "../journal/journal.ts";
import { readSeries } from "../journal/series.ts";
import { createView } from "../documents/view.ts";
import { findPaidContradictions } from "../views/paid.ts";
import { findContradictions, type Contradiction } from "../views/contradictions.ts";
import type { NamedEntry } from "../entries/entry.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { paidAt } from "../ledger/stake/paid.ts";
import { openStore } from "../store/open.ts";
import type { ObjectStore } from "../store/store.ts";
import {
  findEvent,
  toExplained,
  UnknownSubjectError,
  type ExplainedEvent,
} from "./explain/event.ts";
import { findEntriesBehind } from "./explain/entries-behind.ts";
import { toEvidence, type Evidence } from "./explain/evidence.ts";
import { toTransactions, type TransactionEvidence } from "./explain/transactions.ts";
import { readPaidEvidence, type PaidEvidence } from "./explain/paid.ts";
import { openCheckpoints } from "./projection/checkpoints.ts";
import { createProjection, type FoldProgress } from "./projection/projection.ts";

/** Options of `generate explain`; `now` is in milliseconds since 1970. */
export interface ExplainOptions {
  settings: Settings;
  network: Network;
  /** An id, or at least its first six digits. */
  event: string;
  now: () => number;
  onProgress: (progress: FoldProgress) => void;
  signal: AbortSignal;
}

/** The last line with `--json`. */
export interface Explanation {
  command: "explain";
  network: Network;
  event: ExplainedEvent;
  evidence: Evidence[];
  /** Those that made the change, or may have. */
  transactions: TransactionEvidence[];
  /** What proved transactions contradict in its validator's history, in any epoch. */
  contradictions: Contradiction[];
  /** Where its rewards took another commission than the one that applied, in any epoch. */
  paid: PaidEvidence[];
  /** Entries that may be behind it. */
  unreadable: UnreadableEntry[];
}

/** Of a validator: the last line with `--json`. */
export interface PaidExplanation {
  command: "explain";
  network: Network;
  votePubkey: string;
  /** Epochs whose rewards were measured. */
  measured: number;
  /** Those of them that took another commission than the one that applied. */
  paid: PaidEvidence[];
}

/**
 * `generate explain EVENT`: the observations and transactions
 * behind an event, with signatures verified anew. Only reads.
 * @throws {Error} without a journal, for an unknown event, or the signal's reason
 */
export async function explain({ event: wanted, ...options }: ExplainOptions): Promise<Explanation> {
  const { network } = options;
  const { ledger, journal } = await readRecord(options);
  const event = toExplained(ledger, findEvent(ledger, wanted));
  const { names, isWanted } = findEntriesBehind(event, ledger);
  const read = await Array.fromAsync(journal.read(names, isWanted));
  const evidence = toEvidence(event, { read, rulings: await journal.rulings() }, ledger);
  const transactions = toTransactions(event, read, ledger);
  const validatorIndex = ledger.validatorIndexes.get(event.votePubkey) ?? -1;
  return {
    command: "explain",
    network,
    event,
    evidence,
    transactions,
    contradictions: findContradictions(ledger, validatorIndex),
    paid: await findPaidEvidence(ledger, journal, event.votePubkey),
    unreadable: read.filter(isUnreadable),
  };
}

/**
 * `generate explain VOTE_ACCOUNT`: epochs whose rewards took another commission than the one that
 * applied. Only reads.
 * @throws {Error} without a journal, for an unknown validator, or the signal's reason
 */
export async function explainPaid({
  votePubkey,
  ...options
}: Omit<ExplainOptions, "event"> & { votePubkey: string }): Promise<PaidExplanation> {
  const { network } = options;
  const { ledger, journal } = await readRecord(options);
  const validatorIndex = ledger.validatorIndexes.get(votePubkey);
  if (validatorIndex === undefined)
    throw new UnknownSubjectError(`no validator of ${network} has the vote account ${votePubkey}`);
  const measured = [...ledger.paid.keys()].filter(
    (epoch) => typeof paidAt(ledger, { epoch, validatorIndex }) === "number",
  ).length;
  const paid = await findPaidEvidence(ledger, journal, votePubkey);
  return { command: "explain", network, votePubkey, measured, paid };
}

function findPaidEvidence(
  ledger: Ledger,
  journal: Journal,
  votePubkey: string,
): Promise<PaidEvidence[]> {
  const validatorIndex = ledger.validatorIndexes.get(votePubkey) ?? -1;
  const contradictions = findPaidContradictions(createView(ledger), validatorIndex);
  return readPaidEvidence(journal, ledger, { votePubkey, contradictions });
}

async function readRecord({
  settings,
  network,
  now,
  onProgress,
  signal,
}: Omit<ExplainOptions, "event">): Promise<{ ledger: Ledger; journal: Journal }> {
  const stateStore = openStore(settings.stateStore);
  const series = await requireSeries(stateStore, network);
  const place = { store: stateStore, network, series };
  const journal = openJournal(place);
  // Only reading: leave no checkpoint.
  const checkpoints = openCheckpoints({ place, journal }, { keeps: false });
  const projection = createProjection({
    network,
    series,
    journal,
    now,
    checkpoints,
    onProgress,
    signal,
  });
  await projection.refresh();
  signal.throwIfAborted();
  return { ledger: projection.ledger(), journal };
}

/** @throws {Error} when the network was never observed */
export async function requireSeries(stateStore: ObjectStore, network: Network): Promise<number> {
  const newest = (await readSeries(stateStore, network)).at(-1);
  if (newest !== undefined) return newest.series;
  throw new Error(
    `there is no journal of ${network} in ${stateStore.name}: check RUGWATCH_STATE and --network`,
  );
}

function isUnreadable(read: NamedEntry | UnreadableEntry): read is UnreadableEntry {
  return "unreadable" in read;
}
