import { UNINDEXED_SLOTS } from "../../generator/chain/slots.ts";
import type {
  Entry,
  SearchAnswer,
  TransactionAnswer,
  TransactionsEntry,
} from "../../generator/entries/entry.ts";
import type { Version } from "../cluster/transactions/message-layout.ts";
import {
  compileMessage,
  type Instruction,
  type Keypair,
  signMessage,
} from "../cluster/transactions/message.ts";
import { updateCommissionBasisPoints } from "../cluster/transactions/programs.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";
import { withdrawFromVoteAccount } from "../integration/validator/vote-program.ts";
import { FIRST_EPOCH, slotAt, SLOTS_A_MINUTE, SLOTS_IN_EPOCH, timeAt } from "./clock.ts";
import { panelCheck, panelSnapshot } from "./panels.ts";
import { keyOf, withA } from "./validators.ts";
import { all, endpointOf } from "./witnesses.ts";

/* Transactions with real signatures by keys derived from names, and what searches for them find. */

export const PAYER = deriveKeypair("who pays the fees");
export const AUTHORITY = deriveKeypair("authority of A");
export const A = keyOf("A");

/** Snapshots each ten minutes: three witnesses show A's rate and authority. */
export const steady = (
  from: number,
  to: number,
  bps: number,
  authority = AUTHORITY.address,
): Entry[] =>
  Array.from({ length: Math.floor((to - from) / 10) + 1 }, (_, index) =>
    panelSnapshot(from + index * 10, withA(bps), { of: 3, by: index % 3, authority }),
  );

/** All of three witnesses list another rate of A. */
export const changed = (minute: number, bps: number): Entry[] => [
  panelCheck(minute, withA(bps), { of: 3 }),
];

export interface Executed {
  signature: string;
  bytes: string;
  slot: number;
  /** Its place in the slot's block. */
  index?: number;
}

export function setsA(
  minute: number,
  rates: number[],
  { by = AUTHORITY, slot = slotAt(minute) } = {},
): Executed {
  const instructions = rates.map((rate) => updateCommissionBasisPoints(A, by.address, rate));
  return execute(slot, instructions, [by]);
}

/** Of a lamport; nobody who reads it knows what the account held. */
export function withdrawsA(minute: number): Executed {
  const withdrawal = { vote: A, to: PAYER.address, withdrawer: AUTHORITY.address, lamports: 1n };
  return execute(slotAt(minute), [withdrawFromVoteAccount(withdrawal)], [AUTHORITY]);
}

export function execute(
  slot: number,
  instructions: Instruction[],
  keys: Keypair[],
  version: Version = "legacy",
): Executed {
  // A blockhash for each slot, so that no two transactions are equal.
  const message = compileMessage({
    payer: PAYER.address,
    instructions,
    blockhash: keyOf(`block ${slot}`),
    version,
  });
  const { signature, bytes } = signMessage(message, [PAYER, ...keys]);
  return { signature, bytes: Buffer.from(bytes).toString("base64"), slot };
}

/** What a witness answers instead of the truth. */
export type Lie =
  Partial<Extract<TransactionAnswer, { state: "ok" }>> | "unknown" | "failed" | "true";

/** A transaction found, and the witnesses' lies about it. */
export type Found = (Executed & { lies?: undefined }) | { executed: Executed; lies?: Lie[] };

export interface Search {
  authority?: string;
  /**
   * In minutes. It covers these slots: nodes are asked a minute later, when they list all of them.
   */
  after: number;
  upTo: number;
  answers?: (SearchAnswer | "true")[];
  found: Found[];
}

const INDEXED_MINUTES = UNINDEXED_SLOTS / SLOTS_A_MINUTE;

/** Searches of what happened until a minute, read {@link INDEXED_MINUTES} later. */
export function transactions(minute: number, of: number, ...searches: Search[]): TransactionsEntry {
  const found = searches.flatMap((search) => search.found);
  return {
    kind: "transactions",
    format: 1,
    network: "mainnet",
    time: timeAt(minute + INDEXED_MINUTES),
    panel: Array.from({ length: of }, (_, witness) => endpointOf(witness)),
    schedule: { slotsPerEpoch: SLOTS_IN_EPOCH, firstNormalEpoch: 0, firstNormalSlot: 0 },
    searches: searches.map((search) => ({
      authority: search.authority ?? AUTHORITY.address,
      after: slotAt(search.after),
      upTo: null,
      answers: Array.from({ length: of }, (_, witness): SearchAnswer => {
        const answer = search.answers?.[witness] ?? "true";
        if (answer !== "true") return answer;
        const isToTheEnd = minute - search.upTo < INDEXED_MINUTES;
        const upTo = slotAt(search.upTo) + (isToTheEnd ? UNINDEXED_SLOTS : 0);
        return { state: "ok", after: slotAt(search.after), upTo };
      }),
      transactions: search.found.map((one) => found.indexOf(one)),
    })),
    transactions: found.map((one) => {
      const { executed, lies } = "executed" in one ? one : { executed: one, lies: [] };
      const answers = Array.from({ length: of }, (_, witness) =>
        toAnswer(executed, lies?.[witness] ?? "true"),
      );
      return { signature: executed.signature, answers };
    }),
  };
}

function toAnswer({ slot, bytes, index }: Executed, lie: Lie): TransactionAnswer {
  if (lie === "unknown") return { state: "unknown" };
  if (lie === "failed") return { state: "failed", reason: "no answer in time" };
  const minute = (slot - FIRST_EPOCH * SLOTS_IN_EPOCH) / SLOTS_A_MINUTE;
  const blockTime = Math.floor(Date.parse(timeAt(minute)) / 1000);
  const truth = { slot, index: index ?? 0, blockTime, failed: false, bytes, inner: [], loaded: [] };
  return { state: "ok", ...truth, ...(lie !== "true" && lie) };
}

/** By three witnesses, of all that happened until a minute. */
export const search = (minute: number, ...found: Found[]) =>
  transactions(minute, 3, { after: -100, upTo: minute - 0.05, found });

/** Of what happened from a minute on until 121.05. */
export const searchFrom = (after: number, ...found: Found[]) =>
  transactions(121.1, 3, { after, upTo: 121.05, found });

/** Nobody answers its place in the slot. */
export const unplaced = (executed: Executed): Found => ({
  executed,
  lies: all(3, { index: null }),
});
