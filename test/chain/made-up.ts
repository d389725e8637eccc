import { decodeTransaction, type Transaction } from "../../generator/chain/transaction.ts";
import {
  type Keypair,
  compileMessage,
  type Instruction,
  type Lookup,
  signMessage,
} from "../cluster/transactions/message.ts";
import type { TransactionConfig, Version } from "../cluster/transactions/message-layout.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";

export const PAYER = deriveKeypair("payer");
export const OWNERS = ["one", "two", "three"].map((name) => deriveKeypair(name)) as [
  Keypair,
  Keypair,
  Keypair,
];
export const VOTE_ACCOUNTS = ["vote account", "another", "a third"].map(
  (name) => deriveKeypair(name).address,
) as [string, string, string];

export const BLOCKHASH = deriveKeypair("a block").address;

interface MadeUp {
  version?: Version;
  lookups?: readonly Lookup[];
  config?: TransactionConfig;
}

export function make(
  instructions: readonly Instruction[],
  { version, lookups, config }: MadeUp = {},
): Uint8Array {
  const message = compileMessage({
    ...{ payer: PAYER.address, instructions, blockhash: BLOCKHASH },
    ...(version === undefined ? {} : { version }),
    ...(lookups === undefined ? {} : { lookups }),
    ...(config === undefined ? {} : { config }),
  });
  return new Uint8Array(signMessage(message, [PAYER, ...OWNERS]).bytes);
}

export function makeDecoded(instructions: readonly Instruction[], how: MadeUp = {}): Transaction {
  return decodeTransaction(make(instructions, how));
}
