import type { VoteChange } from "../../chain/vote-changes.ts";
import type { VoteAccountChange } from "../../chain/vote-instructions.ts";
import { toPlainLine, toReason } from "../../contract/strangers-text.ts";
import { toCappedPercent } from "../../contract/numbers.ts";
import type { Contradiction } from "../../views/contradictions.ts";
import { SECONDS_MAX } from "../../ledger/proof/transactions.ts";
import type { ExplainedEvent } from "../../service/explain/event.ts";
import type { TransactionEvidence, VerifiedAnswer } from "../../service/explain/transactions.ts";

/** `--json` has all. */
const TRANSACTIONS_MOST = 8;
const CONTRADICTIONS_MOST = 20;

const PROOFS: Record<VoteChange["proof"], string> = {
  signature: "proved by signature",
  reported: "the endpoints' word",
};

/**
 * Blocks of text about an event's transactions and what contradicts them. At most eight are
 * shown.
 */
export function toTransactionBlocks(
  event: ExplainedEvent,
  {
    transactions,
    contradictions,
  }: { transactions: readonly TransactionEvidence[]; contradictions: readonly Contradiction[] },
): string[] {
  const more = transactions.length - TRANSACTIONS_MOST;
  return [
    ...(isSought(event) && transactions.length === 0 ? ["transaction  not found yet"] : []),
    ...transactions.slice(0, TRANSACTIONS_MOST).map((one) => toBlock(one, event)),
    ...(more > 0 ? [`${more} more transactions behind it: --json has them`] : []),
    ...(contradictions.length === 0 ? [] : [toContradictions(contradictions)]),
  ];
}

function isSought({ source, transaction }: ExplainedEvent): boolean {
  return source === "COMMISSION" && transaction === null;
}

function toBlock(evidence: TransactionEvidence, event: ExplainedEvent): string {
  const { signature, name, time, signer, authority, answers, changes, isDisputed } = evidence;
  const authorized =
    authority === null
      ? "by a transaction that handed it over"
      : `read as such in slots ${authority.from} to ${authority.to}`;
  return [
    `transaction  ${signature}`,
    `  ${name}  ${time}`,
    `  signed by ${signer}, the withdraw authority, ${authorized}`,
    ...(isDisputed ? ["  proves nothing: witnesses answered with two slots"] : []),
    ...changes.map((change) => `  ${toChangeLine(change, event)}`),
    ...answers.map((answer) => `  ${toAnswerLine(answer)}`),
  ].join("\n");
}

function toChangeLine(
  { voteAccount, change, proof }: VoteChange,
  { votePubkey }: ExplainedEvent,
): string {
  const whose = voteAccount === votePubkey ? "this vote account" : `vote account ${voteAccount}`;
  return `${toWords(change)} of ${whose}: ${PROOFS[proof]}`;
}

function toWords(change: VoteAccountChange): string {
  switch (change.of) {
    case "inflationCommission":
      return `sets to ${toCappedPercent(change.basisPoints)} % the inflation commission`;
    case "blockRevenueCommission":
      return `sets to ${toCappedPercent(change.basisPoints)} % the block revenue commission`;
    case "inflationCollector":
      return `names ${change.to} as collector of the inflation commission`;
    case "blockRevenueCollector":
      return `names ${change.to} as collector of the block revenue`;
    case "withdrawAuthority":
      return `names ${change.to} as withdraw authority`;
    case "withdrawal":
      return `withdraws ${change.lamports} lamports`;
    case "initialized":
      return `begins at ${toCappedPercent(change.basisPoints)} %, under ${change.withdrawAuthority}, the life`;
  }
}

function toAnswerLine(answer: VerifiedAnswer): string {
  const endpoint = toPlainLine(answer.endpoint);
  if (answer.state === "unknown") return `${endpoint}: does not know it`;
  if (answer.state === "failed") return `${endpoint}: no answer: ${toReason(answer.reason) ?? ""}`;
  const { slot, blockTime, failed, problem } = answer;
  const outcome = failed ? "failed, changed nothing" : "succeeded";
  const verdict =
    problem === null ? "every signature verifies" : `NOT VERIFIED: ${toPlainLine(problem)}`;
  return `${endpoint}: slot ${slot}, ${toTime(blockTime)}, ${outcome}; ${verdict}`;
}

function toTime(blockTime: number | null): string {
  if (blockTime === null) return "no time";
  return blockTime > SECONDS_MAX ? `${blockTime} s` : new Date(blockTime * 1000).toISOString();
}

function toContradictions(contradictions: readonly Contradiction[]): string {
  const lines = contradictions.slice(-CONTRADICTIONS_MOST).map(({ epoch, of, claimed, proved }) => {
    const left =
      proved === null
        ? "no transaction changed it"
        : `transactions left ${toCappedPercent(proved)} %`;
    return `  epoch ${epoch}: ${of} ${toCappedPercent(claimed)} %, and ${left}`;
  });
  return ["what was read of this validator and transactions contradict", ...lines].join("\n");
}
