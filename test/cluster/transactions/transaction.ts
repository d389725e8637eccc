import { attachSignatures } from "./message-layout.ts";
import {
  compileMessage,
  type Instruction,
  signMessage,
  type Message,
  type Order,
} from "./message.ts";

/** A signed order. */
export interface Transaction extends Order {
  signature: string;
  signatures: readonly Uint8Array[];
  message: Message;
  /** Signatures and message. */
  bytes: Uint8Array;
}

/** Keeps the signatures, which then do not fit. */
export function alter(
  transaction: Transaction,
  instructions: readonly Instruction[],
  blockhash: string,
): Transaction {
  const message = compile({ ...transaction, instructions }, blockhash);
  return {
    ...transaction,
    instructions,
    message,
    bytes: attachSignatures(message, transaction.signatures),
  };
}

/** Signs an order. @throws {Error} when a signer has no key */
export function toTransaction<Of extends Order>(order: Of, blockhash: string): Of & Transaction {
  const message = compile(order, blockhash);
  return { ...order, ...signMessage(message, order.keypairs), message };
}

function compile(
  { payer, instructions, version, table, config }: Order,
  blockhash: string,
): Message {
  return compileMessage({
    payer: payer.address,
    instructions,
    blockhash,
    version,
    ...(table !== null && { table }),
    ...(config !== null && { config }),
  });
}
