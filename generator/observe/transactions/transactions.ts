import {
  ENTRY_FORMAT,
  type SearchAnswer,
  type SearchRow,
  type TransactionAnswer,
  type TransactionsEntry,
} from "../../entries/entry.ts";
import { readEpochSchedule, type KnownEpoch } from "../epoch-schedule.ts";
import type { Session } from "../session.ts";
import { toRawText } from "../section.ts";
import { RpcError } from "../../rpc/error.ts";
import { chooseCandidates } from "./candidates.ts";
import {
  inLanes,
  toPacedWitness,
  type PacedWitness,
  type Pacing,
  type Until,
} from "./paced-witness.ts";
import { isPruned, search, type Searched } from "./searches.ts";
import type { SignatureSearch } from "./signature-list.ts";
import { readTransaction } from "./transaction-answer.ts";

/** Searches to make at every witness. `known`: an accepted epoch, to recognise the cluster. */
export interface TransactionsRequest {
  known: KnownEpoch;
  searches: readonly SignatureSearch[];
  /** Over all methods. An endpoint on this machine has no limit. */
  callsPerSecond: number;
}

type TransactionsSession = Session & Omit<Pacing, "callsPerSecond">;

interface WitnessSearches {
  witness: PacedWitness;
  searched: Searched[];
}

const SCHEDULE_MILLISECONDS = 15_000;
/**
 * Share of the time for lists and for how far back they reach; the rest is for the listed
 * transactions, whichever witness hangs.
 */
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
  const { network, usable, witnesses, timer, deadline, dating, withGrace } = session;
  const scheduleDeadline = Math.min(deadline, timer() + SCHEDULE_MILLISECONDS);
  const schedule = await readEpochSchedule(
    usable.map(({ until }) => until(scheduleDeadline)),
    known,
  );
  const byWitness = await searchAll(session, { searches, callsPerSecond });
  assertAnswered(byWitness);
  const wanted = searches.reduce((sum, { transactionsMax }) => sum + transactionsMax, 0);
  const callsLeft = (callsPerSecond * (deadline - timer())) / 1_000;
  const candidates = chooseCandidates(
    byWitness.map(({ searched }) => searched),
    {
      max: Math.min(wanted, CANDIDATES_MAX),
      // A sole witness competes with nobody.
      ...(byWitness.length > 1 && { aloneMax: Math.ceil(callsLeft / byWitness.length) }),
    },
  );
  const labels = witnesses.map(({ label }) => label);
  const answersByWitness = await withGrace(labels, ({ cut, answered }) =>
    Promise.all(
      byWitness.map(async (one) => {
        const answers = await readTransactions(one, candidates, { deadline, cut });
        if (answers.every(({ state }) => state !== "failed")) answered(one.witness.label);
        return answers;
      }),
    ),
  );
  const transactions = candidates
    .map((signature, index) => ({
      signature,
      answers: answersByWitness.flatMap((answers) => answers[index] ?? []),
    }))
    .sort((a, b) => (a.signature < b.signature ? -1 : 1));
  const indexes = new Map(transactions.map(({ signature }, index) => [signature, index]));
  return {
    kind: "transactions",
    format: ENTRY_FORMAT,
    network,
    time: new Date(dating.now()).toISOString(),
    panel: byWitness.map(({ witness }) => witness.label),
    schedule,
    searches: searches.map((one, index) => toSearchRow(one, { index, byWitness, indexes })),
    transactions,
  };
}

function searchAll(
  session: TransactionsSession,
  { searches, callsPerSecond }: Pick<TransactionsRequest, "searches" | "callsPerSecond">,
): Promise<WitnessSearches[]> {
  const { witnesses, timer, deadline, withGrace } = session;
  const begun = timer();
  const labels = witnesses.map(({ label }) => label);
  return withGrace(labels, ({ cut, answered }) => {
    const partOf = (part: number): Until => ({ deadline: begun + (deadline - begun) * part, cut });
    const until = { lists: partOf(PART_FOR_LISTS), reach: partOf(PART_FOR_SEARCHES) };
    return Promise.all(
      witnesses.map(async (one): Promise<WitnessSearches> => {
        const witness = toPacedWitness(one, { ...session, callsPerSecond });
        const searched = await search(witness, searches, until);
        if (searched.every(({ answer }) => isAnswer(answer))) answered(one.label);
        return { witness, searched };
      }),
    );
  });
}

/** Refusing or finding too much is an answer too. */
function assertAnswered(byWitness: readonly WitnessSearches[]): void {
  const answers = byWitness.flatMap(({ searched }) => searched.map(({ answer }) => answer));
  if (answers.some(isAnswer)) return;
  const reasons = new Set(
    answers.flatMap((answer) => (answer.state === "failed" ? [answer.reason] : [])),
  );
  throw new RpcError({
    kind: "network",
    message: [...reasons].join("; ") || "no transactions to search for",
  });
}

const isAnswer = (answer: SearchAnswer) =>
  answer.state !== "failed" || answer.isRefused || isPruned(answer);

async function readTransactions(
  { witness, searched }: WitnessSearches,
  candidates: readonly string[],
  until: Until,
): Promise<TransactionAnswer[]> {
  const failure = searched.map(({ answer }) => answer).find((answer) => answer.state === "failed");
  if (failure !== undefined && searched.every(({ answer }) => answer.state === "failed")) {
    const { reason } = failure;
    return candidates.map(() => ({ state: "failed", reason }));
  }
  const answers = new Array<TransactionAnswer>(candidates.length);
  const listed = new Set(searched.flatMap(({ signatures }) => signatures));
  let bytes = 0;
  await inLanes(candidates, async (signature, index) => {
    const answer = await askFor(witness, { signature, isListed: listed.has(signature) }, until);
    bytes += JSON.stringify(answer).length;
    const isTooMuch = bytes > WITNESS_BYTES_MAX && answer.state === "ok";
    answers[index] = isTooMuch ? { state: "failed", reason: TOO_MUCH } : answer;
  });
  return answers;
}

async function askFor(
  witness: PacedWitness,
  { signature, isListed }: { signature: string; isListed: boolean },
  until: Until,
): Promise<TransactionAnswer> {
  try {
    return await witness.ask(until.deadline, async (endpoint) => {
      const answer = await readTransaction(endpoint, signature, until);
      // Whoever contradicts itself denies nothing: the search would cover a change that it lists.
      if (answer.state !== "unknown" || !isListed) return answer;
      const contradiction = `it lists ${signature}, but does not have it`;
      const message = `${endpoint.label} getTransaction: ${contradiction}`;
      throw new RpcError({ kind: "shape", message });
    });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { state: "failed", reason: toRawText(error.message) };
  }
}

function toSearchRow(
  { authority, after, upTo }: SignatureSearch,
  {
    index,
    byWitness,
    indexes,
  }: { index: number; byWitness: readonly WitnessSearches[]; indexes: ReadonlyMap<string, number> },
): SearchRow {
  const searched = byWitness.flatMap((one) => one.searched[index] ?? []);
  const found = new Set(searched.flatMap((one) => one.signatures));
  return {
    authority,
    after,
    upTo,
    answers: searched.map((one) => limitToAsked(one, indexes)),
    transactions: [...found]
      .flatMap((signature) => indexes.get(signature) ?? [])
      .sort((a, b) => a - b),
  };
}

/** A list with a transaction that was not read cannot cover its slots. */
function limitToAsked(
  { answer, signatures }: Searched,
  asked: ReadonlyMap<string, number>,
): SearchAnswer {
  if (answer.state !== "ok" || signatures.every((signature) => asked.has(signature))) return answer;
  return { state: "busy", rows: signatures.length };
}
