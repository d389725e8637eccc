import { TransactionError } from "../../chain/byte-reader.ts";
import {
  decodeTransaction,
  encodeSignature,
  isSigned,
  type Transaction,
} from "../../chain/transaction.ts";
import { findVoteChanges, type VoteChange } from "../../chain/vote-changes.ts";
import type { UnreadableEntry } from "../../journal/entries.ts";
import type {
  NamedEntry,
  TransactionAnswer,
  TransactionRow,
  TransactionsEntry,
} from "../../entries/entry.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { Authority, RateProof, ValidatorRecord } from "../../ledger/records.ts";
import type { ExplainedEvent } from "./event.ts";

/** A transaction, decoded and verified anew. */
export interface TransactionEvidence {
  signature: string;
  /** Name of the entry that brought it. */
  name: string;
  time: string;
  answers: VerifiedAnswer[];
  /** As most witnesses with verified bytes show them; empty if it failed. */
  changes: VoteChange[];
  /**
   * The key whose signature counts, and the slots in which it
   * was read as withdraw authority; none: it was handed over.
   */
  signer: string;
  authority: Pick<Authority, "from" | "to"> | null;
  /** Witnesses answered with two slots: it proves nothing. */
  isDisputed: boolean;
}

/** A witness's answer to the question for a transaction. unknown: it has no such transaction. */
export type VerifiedAnswer =
  | {
      endpoint: string;
      state: "ok";
      slot: number;
      /** Cluster time in seconds since 1970. */
      blockTime: number | null;
      failed: boolean;
      /**
       * What is wrong with the bytes; null: every signature
       * verifies, and the first is the one asked for.
       */
      problem: string | null;
    }
  | { endpoint: string; state: "unknown" }
  | { endpoint: string; state: "failed"; reason: string };

/** The proofs of an inflation event, or else those in its window, disputed ones included. */
export function proofsBehind(
  { validators, validatorIndexes }: Ledger,
  event: ExplainedEvent,
): RateProof[] {
  if (event.source === "MEV") return [];
  const proofs = findValidator({ validators, validatorIndexes }, event)?.rateProofs ?? [];
  const { transaction, previousSlot, slot } = event;
  if (transaction === null)
    return proofs.filter(
      (proof) => previousSlot !== null && proof.slot > previousSlot && proof.slot <= slot,
    );
  const wanted = new Set([
    transaction.signature,
    ...transaction.steps.map(({ signature }) => signature),
  ]);
  return proofs.filter(({ signature }) => wanted.has(signature));
}

/**
 * In the order of slots.
 * @param read the entries that brought them, among others
 */
export function toTransactions(
  event: ExplainedEvent,
  read: readonly (NamedEntry | UnreadableEntry)[],
  ledger: Ledger,
): TransactionEvidence[] {
  const authorities = findValidator(ledger, event)?.authorities ?? [];
  const entries = read.flatMap((one) =>
    "entry" in one && one.entry.kind === "transactions"
      ? [{ name: one.name, entry: one.entry }]
      : [],
  );
  return proofsBehind(ledger, event).flatMap((proof) =>
    entries
      .filter(({ entry }) => entry.time === proof.foundAt)
      .flatMap(({ name, entry }) => toTransactionEvidence(proof, { name, entry, authorities })),
  );
}

function findValidator(
  { validators, validatorIndexes }: Pick<Ledger, "validators" | "validatorIndexes">,
  { votePubkey }: ExplainedEvent,
): ValidatorRecord | null {
  return validators[validatorIndexes.get(votePubkey) ?? -1] ?? null;
}

function toTransactionEvidence(
  { signature, signer, slot, isDisputed }: RateProof,
  {
    name,
    entry,
    authorities,
  }: { name: string; entry: TransactionsEntry; authorities: readonly Authority[] },
): TransactionEvidence[] {
  const row = entry.transactions.find((one) => one.signature === signature);
  if (row === undefined) return [];
  const ofSigner = authorities.filter(({ key }) => key === signer);
  const nearest = ofSigner.find(({ from, to }) => slot >= from && slot <= to) ?? ofSigner.at(-1);
  return [
    {
      signature,
      name,
      time: entry.time,
      answers: row.answers.map((answer, index) =>
        verifyAnswer(entry.panel[index] ?? "", signature, answer),
      ),
      changes: findChanges(row),
      signer,
      authority: nearest === undefined ? null : { from: nearest.from, to: nearest.to },
      isDisputed,
    },
  ];
}

function verifyAnswer(
  endpoint: string,
  signature: string,
  answer: TransactionAnswer,
): VerifiedAnswer {
  if (answer.state !== "ok") return { endpoint, ...answer };
  const { state, slot, blockTime, failed } = answer;
  const examined = examine(signature, answer.bytes);
  return {
    endpoint,
    state,
    slot,
    blockTime,
    failed,
    problem: "problem" in examined ? examined.problem : null,
  };
}

/** Inner instructions and look-up tables are not signed: a witness can invent them. */
function findChanges({ signature, answers }: TransactionRow): VoteChange[] {
  const decodedChanges = answers.flatMap((answer) => {
    const examined = answer.state === "ok" ? examine(signature, answer.bytes) : null;
    return answer.state === "ok" && examined !== null && "transaction" in examined
      ? [findVoteChanges(examined.transaction, answer)]
      : [];
  });
  const alike = [...Map.groupBy(decodedChanges, (changes) => JSON.stringify(changes)).values()];
  const [most] = alike.sort((a, b) => b.length - a.length);
  return most?.[0] ?? [];
}

/** @param bytes Base64 */
function examine(
  signature: string,
  bytes: string,
): { transaction: Transaction } | { problem: string } {
  try {
    const transaction = decodeTransaction(Buffer.from(bytes, "base64"));
    const [first] = transaction.signatures;
    if (first === undefined || encodeSignature(first) !== signature)
      return { problem: "it is another transaction" };
    return isSigned(transaction)
      ? { transaction }
      : { problem: "a signature does not match its message" };
  } catch (error) {
    if (error instanceof TransactionError) return { problem: error.message };
    throw error;
  }
}
