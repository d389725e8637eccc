import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import { COMMITMENT } from "../rpc/epoch.ts";
import type { RpcReader } from "../rpc/rpc.ts";
import { RpcError } from "../rpc/error.ts";

/** One account as the chain holds it: who owns it, and its bytes (or the slice asked for). */
export interface Account {
  owner: string;
  data: Uint8Array;
}

/** Keys of one getMultipleAccounts call (`MAX_MULTIPLE_ACCOUNTS` of Agave). */
const KEYS_MAX = 100;

/** Account data as `[base64, "base64"]`, the only encoding ever asked for. */
export const accountSchema = z.object({
  owner: z.string(),
  data: z.tuple([z.base64(), z.literal("base64")]).transform(([text]) => new Uint8Array(Buffer.from(text, "base64"))),
});

const answerSchema = z.object({
  context: z.object({ slot: countSchema }),
  // The number first: each account that does not fit would be told.
  value: z.array(z.unknown()).max(KEYS_MAX).pipe(z.array(accountSchema.nullable())),
});

/**
 * The first bytes of named accounts, in the order of the keys; null: no such account.
 * @param bytes length of the slice from the start of each account
 * @returns also the lowest slot that any of the calls was answered at; null without keys
 * @throws {RpcError}
 */
export async function readAccounts(
  reader: RpcReader,
  { keys, bytes }: { keys: string[]; bytes: number },
): Promise<{ accounts: (Account | null)[]; slot: number | null }> {
  const options = { commitment: COMMITMENT, encoding: "base64", dataSlice: { offset: 0, length: bytes } };
  const accounts: (Account | null)[] = [];
  let slot: number | null = null;
  for (let start = 0; start < keys.length; start += KEYS_MAX) {
    const asked = keys.slice(start, start + KEYS_MAX);
    const answer = await reader.call({ method: "getMultipleAccounts", params: [asked, options], schema: answerSchema });
    if (answer.value.length !== asked.length) {
      const message = `${reader.label} getMultipleAccounts: ${answer.value.length} accounts for ${asked.length} keys`;
      throw new RpcError({ kind: "shape", message });
    }
    accounts.push(...answer.value);
    slot = Math.min(slot ?? answer.context.slot, answer.context.slot);
  }
  return { accounts, slot };
}
