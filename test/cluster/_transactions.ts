import { base58 } from "@scure/base";
import { decodeTransaction } from "../../generator/chain/transaction.ts";
import { findVoteChanges, type VoteChange } from "../../generator/chain/vote-changes.ts";
import type { Cluster } from "./cluster.ts";
import { call, type Asked } from "./_cluster.ts";

/** A row of getSignaturesForAddress. */
export interface SignatureRow {
  signature: string;
  slot: number;
  err: unknown;
  memo: string | null;
  blockTime: number;
  confirmationStatus: string;
  transactionIndex?: number;
}

/** An answer of getTransaction. */
export interface TransactionReply {
  slot: number;
  blockTime: number;
  transaction: [bytes: string, encoding: string];
  transactionIndex?: number;
  version?: "legacy" | number;
  meta: {
    err: unknown;
    loadedAddresses: { writable: string[]; readonly: string[] };
    innerInstructions: {
      index: number;
      instructions: { accounts: number[]; data: string; programIdIndex: number }[];
    }[];
  };
}

/** Reads versioned transactions too. */
export const ANY_VERSION = { maxSupportedTransactionVersion: 1 };

export function list(of: Cluster, address: string, config: object, asked: Asked) {
  return call<SignatureRow[]>(of, "getSignaturesForAddress", [address, config], asked);
}

export function get(of: Cluster, signature: string, config: object, asked: Asked) {
  return call<TransactionReply | null>(
    of,
    "getTransaction",
    [signature, { encoding: "base64", ...config }],
    asked,
  );
}

export const toTransaction = ({ transaction: [bytes] }: TransactionReply) =>
  decodeTransaction(Buffer.from(bytes, "base64"));

/** Changes of vote accounts, as the generator reads them out of the bytes. */
export function changesOf(reply: TransactionReply): VoteChange[] {
  const { loadedAddresses, innerInstructions } = reply.meta;
  const inner = innerInstructions.flatMap(({ index, instructions }) =>
    instructions.map(({ programIdIndex, accounts, data }) => {
      const bytes = Buffer.from(base58.decode(data)).toString("base64");
      return [index, programIdIndex, accounts, bytes] as const;
    }),
  );
  const loaded = [...loadedAddresses.writable, ...loadedAddresses.readonly];
  return findVoteChanges(toTransaction(reply), { inner, loaded });
}
