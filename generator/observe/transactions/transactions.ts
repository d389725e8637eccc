import type { Network } from "../../contract/networks.ts";
import {
  ENTRY_FORMAT,
  type SearchAnswer,
  type SearchRow,
  type TransactionAnswer,
  type TransactionsEntry,
} from "../../entries/entry.ts";
import type { Dating } from "../../rpc/clock.ts";
import type { Witness } from "../../rpc/ranking.ts";
import { readEpochSchedule, type KnownEpoch } from "../slots.ts";
import { toRawText } from "../section.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { RpcError } from "../../rpc/error.ts";
import { inLanes, toPacedWitness, type PacedWitness, type Pacing } from "./paced-witness.ts";
import { isPruned, search, type Searched, type SignatureSearch } from "./searches.ts";
import { readTransaction } from "./transaction-answer.ts";

export interface TransactionsRequest {
  known: KnownEpoch;
  searches: readonly SignatureSearch[];
  /** Over all methods. An endpoint on this machine has no limit. */
  callsPerSecond: number;
}

interface TransactionsSession extends Omit<Pacing, "callsPerSecond"> {
  network: Network;
  rpc: Rpc;
  witnesses: readonly Witness[];
  dating: Dating;
  deadline: number;
}

interface Word {
  witness: PacedWitness;
  searched: Searched[];
}

const SCHEDULE_MILLISECONDS = 15_000;
/** Lists, and then how far back they reach; the rest is for what was listed, whoever hangs. */
const PART_FOR_LISTS = 0.6;
const PART_FOR_SEARCHES = 0.75;
/** Bounds an entry, whatever four witnesses list. */
const CANDIDATES_MAX = 4_000;
const WITNESS_BYTES_MAX = 8_000_000;
const TOO_MUCH = `more than ${WITNESS_BYTES_MAX} bytes of transactions in one reading: left out`;

/** @throws {RpcError} when no epoch schedule can be read, or no witness can be asked */
export async function takeTransactions(
  session: TransactionsSession,
  { known, searches, callsPerSecond }: TransactionsRequest,
): Promise<TransactionsEntry> {
  const { network, rpc, timer, deadline, dating } = session;
  const scheduleDeadline = Math.min(deadline, timer() + SCHEDULE_MILLISECONDS);
  const schedule = await readEpochSchedule({ rpc, known, deadline: scheduleDeadline });
  const begun = timer();
  const partOf = (part: number) => begun + (deadline - begun) * part;
  const deadlines = { deadline: partOf(PART_FOR_LISTS), reachDeadline: partOf(PART_FOR_SEARCHES) };
  const words = await Promise.all(
    session.witnesses.map(async (one): Promise<Word> => {
      const witness = toPacedWitness(one, { ...session, callsPerSecond });
      return { witness, searched: await search(witness, searches, deadlines) };
    }),
  );
  assertHeard(words);
  const wanted = searches.reduce((sum, { transactionsMax }) => sum + transactionsMax, 0);
  const callsLeft = (callsPerSecond * (deadline - timer())) / 1_000;
  const candidates = chooseCandidates(
    words.map(({ searched }) => searched),
    {
      max: Math.min(wanted, CANDIDATES_MAX),
      // A sole witness competes with nobody.
      ...(words.length > 1 && { aloneMax: Math.ceil(callsLeft / words.length) }),
    },
  );
  const told = await Promise.all(words.map((word) => readTransactions(word, candidates, deadline)));
  const transactions = candidates
    .map((signature, place) => ({ signature, answers: told.flatMap((answers) => answers[place] ?? []) }))
    .sort((a, b) => (a.signature < b.signature ? -1 : 1));
  const places = new Map(transactions.map(({ signature }, place) => [signature, place]));
  return {
    kind: "transactions",
    format: ENTRY_FORMAT,
    network,
    time: new Date(dating.now()).toISOString(),
    panel: words.map(({ witness }) => witness.label),
    schedule,
    searches: searches.map((one, index) => toSearchRow(one, { index, words, places })),
    transactions,
  };
}

/** Refusing or finding too much is an answer too. */
function assertHeard(words: readonly Word[]): void {
  const answers = words.flatMap(({ searched }) => searched.map(({ answer }) => answer));
  if (answers.some(isHeard)) return;
  const reasons = new Set(answers.flatMap((answer) => (answer.state === "failed" ? [answer.reason] : [])));
  throw new RpcError({ kind: "network", message: [...reasons].join("; ") || "no transactions to search for" });
}

const isHeard = (answer: SearchAnswer) => answer.state !== "failed" || answer.isRefused || isPruned(answer);

async function readTransactions(
  { witness, searched }: Word,
  candidates: readonly string[],
  deadline: number,
): Promise<TransactionAnswer[]> {
  const failure = searched.map(({ answer }) => answer).find((answer) => answer.state === "failed");
  if (failure !== undefined && searched.every(({ answer }) => answer.state === "failed")) {
    const { reason } = failure;
    return candidates.map(() => ({ state: "failed", reason }));
  }
  const answers = new Array<TransactionAnswer>(candidates.length);
  let bytes = 0;
  await inLanes(candidates, async (signature, place) => {
    const answer = await askFor(witness, signature, deadline);
    bytes += JSON.stringify(answer).length;
    const isTooMuch = bytes > WITNESS_BYTES_MAX && answer.state === "ok";
    answers[place] = isTooMuch ? { state: "failed", reason: TOO_MUCH } : answer;
  });
  return answers;
}

async function askFor(witness: PacedWitness, signature: string, deadline: number): Promise<TransactionAnswer> {
  try {
    return await witness.ask(deadline, (endpoint) => readTransaction(endpoint, signature, deadline));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { state: "failed", reason: toRawText(error.message) };
  }
}

function toSearchRow(
  { authority, after, upTo }: SignatureSearch,
  { index, words, places }: { index: number; words: readonly Word[]; places: ReadonlyMap<string, number> },
): SearchRow {
  const searched = words.flatMap((word) => word.searched[index] ?? []);
  const found = new Set(searched.flatMap((one) => one.signatures));
  return {
    authority,
    after,
    upTo,
    answers: searched.map((one) => limitToAsked(one, places)),
    transactions: [...found].flatMap((signature) => places.get(signature) ?? []).sort((a, b) => a - b),
  };
}

/** A list with a transaction that was not read cannot cover its slots. */
function limitToAsked({ answer, signatures }: Searched, asked: ReadonlyMap<string, number>): SearchAnswer {
  if (answer.state !== "ok" || signatures.every((signature) => asked.has(signature))) return answer;
  return { state: "busy", rows: signatures.length };
}

/**
 * Witnesses may list transactions that do not exist. What several list comes first, then in turns what each lists
 * alone: inventions take no time or room from others.
 */
export function chooseCandidates(
  byWitness: readonly (readonly Searched[])[],
  { max, aloneMax = Infinity }: { max: number; aloneMax?: number },
): string[] {
  const witnessesOf = new Map<string, number>();
  const lists = byWitness.map(newestFirst);
  for (const signature of lists.flat()) witnessesOf.set(signature, (witnessesOf.get(signature) ?? 0) + 1);
  const turns = new Map<string, number>();
  for (const list of lists) {
    const alone = list.filter((signature) => witnessesOf.get(signature) === 1).slice(0, aloneMax);
    const shared = list.filter((signature) => witnessesOf.get(signature) !== 1);
    for (const own of [alone, shared])
      for (const [turn, signature] of own.entries())
        turns.set(signature, Math.min(turns.get(signature) ?? Infinity, turn));
  }
  return [...turns]
    .map(([signature, turn]) => ({ signature, turn, witnesses: witnessesOf.get(signature) ?? 0 }))
    .sort((a, b) => b.witnesses - a.witnesses || a.turn - b.turn || (a.signature < b.signature ? -1 : 1))
    .slice(0, max)
    .map(({ signature }) => signature);
}

function newestFirst(searched: readonly Searched[]): string[] {
  const places = new Map<string, number>();
  for (const [place, signature] of searched.flatMap(({ signatures }) => [...signatures.entries()]))
    places.set(signature, Math.min(places.get(signature) ?? Infinity, place));
  return [...places].sort(([one, a], [other, b]) => a - b || (one < other ? -1 : 1)).map(([signature]) => signature);
}
