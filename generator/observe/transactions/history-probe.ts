import { z } from "zod";
import { VOTE_PROGRAM } from "../../chain/programs.ts";
import { countSchema } from "../../contract/values.ts";
import { COMMITMENT } from "../../rpc/epoch.ts";
import type { RpcReader } from "../../rpc/rpc.ts";
import { RpcError } from "../../rpc/error.ts";

/** How far back a node's transactions reach. */
export interface TransactionHistory {
  firstSlot: number;
  /** When that was, by the chain's own clock, in milliseconds since 1970; null: not told. */
  firstAt: number | null;
}

const listSchema = z.array(z.object({ signature: z.string().max(100) })).max(1);

/**
 * Whether a node keeps a history of transactions, asked in the way that readings of transactions ask, for the newest one of
 * the vote program: there is always one, and it is found at once.
 * @throws {RpcError} when it does not, or does not tell
 */
export async function probeHistory(reader: RpcReader): Promise<TransactionHistory> {
  const [, history] = await Promise.all([readNewest(reader), readReach(reader)]);
  return history;
}

async function readNewest(reader: RpcReader): Promise<void> {
  const listed = await reader.call({
    method: "getSignaturesForAddress",
    params: [VOTE_PROGRAM, { limit: 1, commitment: COMMITMENT }],
    schema: listSchema,
  });
  const options = { encoding: "base64", maxSupportedTransactionVersion: 0, commitment: COMMITMENT };
  for (const { signature } of listed) {
    await reader.call({ method: "getTransaction", params: [signature, options], schema: z.unknown() });
  }
}

async function readReach(reader: RpcReader): Promise<TransactionHistory> {
  const firstSlot = await reader.call({ method: "getFirstAvailableBlock", schema: countSchema });
  try {
    const seconds = await reader.call({ method: "getBlockTime", params: [firstSlot], schema: countSchema });
    return { firstSlot, firstAt: seconds * 1000 };
  } catch (error) {
    // The first block of a cluster has no time, and some nodes tell none of old ones.
    if (error instanceof RpcError) return { firstSlot, firstAt: null };
    throw error;
  }
}
