import { base58 } from "@scure/base";
import {
  type Keypair,
  compileMessage,
  signMessage,
  type Instruction,
} from "../../infra/demo/cluster/transactions/message.ts";
import { updateCommissionBasisPoints } from "../../infra/demo/cluster/transactions/programs.ts";
import type { SearchAnswer, TransactionAnswer, TransactionsEntry } from "../../generator/entries/entry.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";
import { endpointOf } from "./panel-story.ts";
import { FIRST_EPOCH, keyOf, slotAt, SLOTS_IN_EPOCH, timeAt } from "./story.ts";

/* Stories that transactions tell: signed for real, by keys that are made of names. */

export const PAYER = deriveKeypair("who pays the fees");
export const AUTHORITY = deriveKeypair("authority of A");
export const A = keyOf("A");

/** A transaction that was carried out at a minute of the story. */
export interface Carried {
  signature: string;
  bytes: string;
  slot: number;
  index?: number;
}

/** One that sets the commission of A, several times if there are several. */
export function setsA(minute: number, rates: number[], { by = AUTHORITY, slot = slotAt(minute) } = {}): Carried {
  return carriedOut(
    slot,
    rates.map((rate) => updateCommissionBasisPoints(A, by.address, rate)),
    [by],
  );
}

export function carriedOut(
  slot: number,
  instructions: Instruction[],
  keys: Keypair[],
  version: "legacy" | 0 = "legacy",
): Carried {
  // Another blockhash each slot, so that no two transactions are the same one.
  const message = compileMessage({ payer: PAYER.address, instructions, blockhash: keyOf(`block ${slot}`), version });
  const bytes = signMessage(message, [PAYER, ...keys]);
  return { signature: base58.encode(bytes.subarray(1, 65)), bytes: Buffer.from(bytes).toString("base64"), slot };
}

/** In the place of the truth, what a witness says. */
export type Lie = Partial<Extract<TransactionAnswer, { state: "ok" }>> | "unknown" | "failed" | "true";

export interface Search {
  authority?: string;
  /** Minutes of the story. */
  after: number;
  upTo: number;
  /** In the place of what a witness answers. */
  answers?: (SearchAnswer | "true")[];
  found: { carried: Carried; lies?: Lie[] }[];
}

/** What searches found, made at a minute. */
export function transactions(minute: number, of: number, ...searches: Search[]): TransactionsEntry {
  const found = searches.flatMap((search) => search.found);
  return {
    kind: "transactions",
    format: 1,
    network: "mainnet",
    time: timeAt(minute),
    panel: Array.from({ length: of }, (_, witness) => endpointOf(witness)),
    schedule: { slotsPerEpoch: SLOTS_IN_EPOCH, firstNormalEpoch: 0, firstNormalSlot: 0 },
    searches: searches.map((search) => ({
      authority: search.authority ?? AUTHORITY.address,
      after: slotAt(search.after),
      upTo: null,
      answers: Array.from({ length: of }, (_, witness): SearchAnswer => {
        const answer = search.answers?.[witness] ?? "true";
        return answer === "true" ? { state: "ok", after: slotAt(search.after), upTo: slotAt(search.upTo) } : answer;
      }),
      transactions: search.found.map((one) => found.indexOf(one)),
    })),
    transactions: found.map(({ carried, lies }) => ({
      signature: carried.signature,
      answers: Array.from({ length: of }, (_, witness) => toAnswer(carried, lies?.[witness] ?? "true")),
    })),
  };
}

function toAnswer({ slot, bytes, index }: Carried, lie: Lie): TransactionAnswer {
  if (lie === "unknown") return { state: "unknown" };
  if (lie === "failed") return { state: "failed", reason: "no answer in time" };
  const blockTime = Math.floor(Date.parse(timeAt((slot - FIRST_EPOCH * SLOTS_IN_EPOCH) / 300)) / 1000);
  const truth = {
    state: "ok" as const,
    slot,
    index: index ?? 0,
    blockTime,
    failed: false,
    bytes,
    inner: [],
    loaded: [],
  };
  return lie === "true" ? truth : { ...truth, ...lie };
}
