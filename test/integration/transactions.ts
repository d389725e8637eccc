import { z } from "zod";
import type { Keypair } from "../../generator/demo/signing/keypair.ts";
import { compileMessage, signMessage, type Instruction } from "../../generator/demo/signing/message.ts";
import { waitUntil, type Ask } from "./rpc.ts";

/** What is to be done, and who signs it: the first pays the fee. */
export interface Order {
  instructions: readonly Instruction[];
  keys: readonly [Keypair, ...Keypair[]];
  version?: "legacy" | 0;
}

/** A transaction that took effect. */
export interface Landed {
  signature: string;
  slot: number;
}

/** A blockhash is good for 150 blocks of 0.4 s; final a block is 32 slots later. */
const LAND_SECONDS = 90;

const blockhashSchema = z.object({ value: z.object({ blockhash: z.string() }) });
const statusSchema = z.object({
  slot: z.int(),
  err: z.unknown(),
  confirmationStatus: z.enum(["processed", "confirmed", "finalized"]).nullable(),
});
const statusesSchema = z.object({ value: z.tuple([statusSchema.nullable()]) });

/**
 * Signs and sends.
 * @returns the signature
 * @throws {NodeError} when the node, trying it, finds that it would fail
 */
export async function send(ask: Ask, { instructions, keys, version = "legacy" }: Order): Promise<string> {
  const { value } = await ask("getLatestBlockhash", [{ commitment: "confirmed" }], blockhashSchema);
  const [{ address: payer }] = keys;
  const message = compileMessage({ payer, instructions, blockhash: value.blockhash, version });
  const transaction = Buffer.from(signMessage(message, keys)).toString("base64");
  return ask("sendTransaction", [transaction, { encoding: "base64", preflightCommitment: "processed" }], z.string());
}

/**
 * Signs, sends, and waits until the transaction is final.
 * @throws {NodeError} when the node, trying it, finds that it would fail
 * @throws {Error} when it failed as it was executed, or did not land
 */
export async function sendAndConfirm(ask: Ask, order: Order): Promise<Landed> {
  return confirm(ask, await send(ask, order));
}

/** Waits until a transaction is final. @throws {Error} when it failed as it was executed, or did not land */
export async function confirm(ask: Ask, signature: string): Promise<Landed> {
  const status = await waitUntil(`transaction ${signature}, final`, LAND_SECONDS, async () => {
    const [one] = (await ask("getSignatureStatuses", [[signature]], statusesSchema)).value;
    return one?.confirmationStatus === "finalized" ? one : null;
  });
  if (status.err !== null) throw new Error(`Transaction ${signature} failed: ${JSON.stringify(status.err)}`);
  return { signature, slot: status.slot };
}
