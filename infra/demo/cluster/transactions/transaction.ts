import { base58 } from "@scure/base";
import { compileMessage, signMessage, type Instruction, type Message } from "../signing/message.ts";
import type { Order } from "./order.ts";

/** A transaction as a node keeps it. */
export interface Transaction extends Order {
  /** The first of its signatures, Base58, by which it is known. */
  signature: string;
  message: Message;
  /** Signatures and message. */
  bytes: Uint8Array;
}

const SIGNATURE_BYTES = 64;

/** Other instructions under the signatures of the transaction. @param blockhash as it was */
export function alter(transaction: Transaction, instructions: readonly Instruction[], blockhash: string): Transaction {
  const { payer, version, table, bytes, message } = transaction;
  const altered = compileMessage({
    payer: payer.address,
    instructions,
    blockhash,
    version,
    ...(table !== null && { table }),
  });
  const signatures = bytes.subarray(0, bytes.length - message.bytes.length);
  return { ...transaction, instructions, message: altered, bytes: Buffer.concat([signatures, altered.bytes]) };
}

/** Signs an order. @param blockhash Base58, of a block shortly before */
export function toTransaction(order: Order, blockhash: string): Transaction {
  const { payer, instructions, version, table } = order;
  const message = compileMessage({
    payer: payer.address,
    instructions,
    blockhash,
    version,
    ...(table !== null && { table }),
  });
  const bytes = signMessage(message, order.keypairs);
  // One byte counts the signatures: there are never more than a few.
  return { ...order, signature: base58.encode(bytes.subarray(1, 1 + SIGNATURE_BYTES)), message, bytes };
}
