import {
  type Keypair,
  compileMessage,
  signMessage,
  type Instruction,
} from "../../infra/demo/cluster/transactions/message.ts";
import type { Version } from "../../infra/demo/cluster/transactions/message-layout.ts";
import { updateCommissionBasisPoints } from "../../infra/demo/cluster/transactions/programs.ts";
import type { Entry, SearchAnswer, TransactionAnswer, TransactionsEntry } from "../../generator/entries/entry.ts";
import { UNINDEXED_SLOTS } from "../../generator/chain/slots.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";
import { all, endpointOf, panelCheck, panelSnapshot } from "./panel-story.ts";
import { FIRST_EPOCH, keyOf, slotAt, SLOTS_A_MINUTE, SLOTS_IN_EPOCH, timeAt, withA, type Told } from "./story.ts";

/* Stories of transactions, with real signatures by keys derived from names. */

export const PAYER = deriveKeypair("who pays the fees");
export const AUTHORITY = deriveKeypair("authority of A");
export const A = keyOf("A");

/** Snapshots each ten minutes: three witnesses show A's rate and authority. */
export const steady = (from: number, to: number, bps: number, authority = AUTHORITY.address): Entry[] =>
  Array.from({ length: Math.floor((to - from) / 10) + 1 }, (_, index) =>
    panelSnapshot(from + index * 10, withA(bps), { of: 3, by: index % 3, authority }),
  );

/** All of three witnesses list another rate of A. */
export const changed = (minute: number, bps: number): Entry[] => [panelCheck(minute, withA(bps), { of: 3 })];

/** A transaction executed at a minute of the story. */
export interface Carried {
  signature: string;
  bytes: string;
  slot: number;
  index?: number;
}

export function setsA(minute: number, rates: number[], { by = AUTHORITY, slot = slotAt(minute) } = {}): Carried {
  const instructions = rates.map((rate) => updateCommissionBasisPoints(A, by.address, rate));
  return carriedOut(slot, instructions, [by]);
}

export function carriedOut(
  slot: number,
  instructions: Instruction[],
  keys: Keypair[],
  version: Version = "legacy",
): Carried {
  // A blockhash for each slot, so that no two transactions are equal.
  const message = compileMessage({ payer: PAYER.address, instructions, blockhash: keyOf(`block ${slot}`), version });
  const { signature, bytes } = signMessage(message, [PAYER, ...keys]);
  return { signature, bytes: Buffer.from(bytes).toString("base64"), slot };
}

/** What a witness says instead of the truth. */
export type Lie = Partial<Extract<TransactionAnswer, { state: "ok" }>> | "unknown" | "failed" | "true";

/** A transaction found, and the witnesses' lies about it. */
export type Found = (Carried & { lies?: undefined }) | { carried: Carried; lies?: Lie[] };

export interface Search {
  authority?: string;
  /** In minutes. It covers these slots: nodes are asked a minute later, when they list all of them. */
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
      const { carried, lies } = "carried" in one ? one : { carried: one, lies: [] };
      const answers = Array.from({ length: of }, (_, witness) => toAnswer(carried, lies?.[witness] ?? "true"));
      return { signature: carried.signature, answers };
    }),
  };
}

function toAnswer({ slot, bytes, index }: Carried, lie: Lie): TransactionAnswer {
  if (lie === "unknown") return { state: "unknown" };
  if (lie === "failed") return { state: "failed", reason: "no answer in time" };
  const blockTime = Math.floor(Date.parse(timeAt((slot - FIRST_EPOCH * SLOTS_IN_EPOCH) / 300)) / 1000);
  const truth = { slot, index: index ?? 0, blockTime, failed: false, bytes, inner: [], loaded: [] };
  return { state: "ok", ...truth, ...(lie !== "true" && lie) };
}

export const search = (minute: number, ...found: Found[]) =>
  transactions(minute, 3, { after: -100, upTo: minute - 0.05, found });
/** Of what happened from a minute on until 121.05. */
export const searchFrom = (after: number, ...found: Found[]) => transactions(121.1, 3, { after, upTo: 121.05, found });
export const unplaced = (carried: Carried) => ({ carried, lies: all(3, { index: null }) });

export function story({ ledger }: Told): string[] {
  const slotOf = (event: (typeof ledger.events)[number]) => event.transaction?.slot ?? event.slot;
  return [...ledger.events]
    .sort((a, b) => slotOf(a) - slotOf(b))
    .map(({ from, to, epoch, transaction, isSwept, replacedBy }) => {
      const proof = transaction === null ? "unproved" : `${transaction.verified} at ${transaction.slot - slotAt(0)}`;
      const marks = [...(isSwept ? ["swept"] : []), ...(replacedBy === null ? [] : ["replaced"])];
      return [`${from}→${to} in ${epoch - FIRST_EPOCH}: ${proof}`, ...marks].join(", ");
    });
}
