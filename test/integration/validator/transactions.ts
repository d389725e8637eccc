import { z } from "zod";
import {
  type Keypair,
  compileMessage,
  signMessage,
  type Instruction,
} from "../../cluster/transactions/message.ts";
import type { TransactionConfig, Version } from "../../cluster/transactions/message-layout.ts";
import { waitUntil, type Ask } from "./rpc.ts";

/** The first key pays the fee. */
export interface Order {
  instructions: readonly Instruction[];
  keys: readonly [Keypair, ...Keypair[]];
  version?: Version;
  /** Of version 1; at first enough for all that is sent here. */
  config?: TransactionConfig;
  /** Skips preflight: it lands and pays its fee even if it fails. */
  isUntried?: boolean;
}

export interface Landed {
  signature: string;
  slot: number;
}

const ENOUGH: TransactionConfig = { computeUnitLimit: 200_000, loadedAccountsBytes: 1_048_576 };

/** A blockhash is valid for 150 blocks of 0.4 s; a block is final 32 slots later. */
const LAND_SECONDS = 90;

const blockhashSchema = z.object({ value: z.object({ blockhash: z.string() }) });
const statusSchema = z.object({
  slot: z.int(),
  err: z.unknown(),
  confirmationStatus: z.enum(["processed", "confirmed", "finalized"]).nullable(),
});
const statusesSchema = z.object({ value: z.tuple([statusSchema.nullable()]) });

/** @throws {NodeError} when preflight fails */
export async function send(
  ask: Ask,
  { instructions, keys, version = "legacy", config = ENOUGH, isUntried = false }: Order,
): Promise<string> {
  const { value } = await ask("getLatestBlockhash", [{ commitment: "confirmed" }], blockhashSchema);
  const [{ address: payer }] = keys;
  const message = compileMessage({
    payer,
    instructions,
    blockhash: value.blockhash,
    version,
    config,
  });
  const transaction = Buffer.from(signMessage(message, keys).bytes).toString("base64");
  const options = {
    encoding: "base64",
    preflightCommitment: "processed",
    skipPreflight: isUntried,
  };
  return ask("sendTransaction", [transaction, options], z.string());
}

/**
 * @throws {NodeError} when preflight fails
 * @throws {Error} when it failed on chain or did not land
 */
export async function sendAndConfirm(ask: Ask, order: Order): Promise<Landed> {
  return confirm(ask, await send(ask, order));
}

/** @throws {Error} when it failed on chain or did not land */
export async function confirm(ask: Ask, signature: string): Promise<Landed> {
  const { slot, err } = await waitUntilLanded(ask, signature, ["finalized"]);
  if (err !== null) throw new Error(`Transaction ${signature} failed: ${JSON.stringify(err)}`);
  return { signature, slot };
}

/** Each after the slot of the one before. */
export async function sendInTurn(ask: Ask, orders: readonly Order[]): Promise<string[]> {
  const signatures: string[] = [];
  for (const order of orders) {
    const signature = await send(ask, order);
    signatures.push(signature);
    if (signatures.length === orders.length) break;
    const { slot } = await waitUntilLanded(ask, signature, ["processed", "confirmed", "finalized"]);
    await waitUntil(`the slot after ${slot}`, LAND_SECONDS, async () => {
      const newest = await ask("getSlot", [{ commitment: "processed" }], z.int());
      return newest > slot ? newest : null;
    });
  }
  return signatures;
}

type Status = z.infer<typeof statusSchema>;

/** Waits until it was executed, successfully or not, at one of these levels. */
export function waitUntilLanded(
  ask: Ask,
  signature: string,
  levels: readonly Status["confirmationStatus"][],
) {
  return waitUntil(`transaction ${signature}, ${levels.join(" or ")}`, LAND_SECONDS, async () => {
    const [one] = (await ask("getSignatureStatuses", [[signature]], statusesSchema)).value;
    return one != null && levels.includes(one.confirmationStatus) ? one : null;
  });
}
