import { readAccounts } from "./accounts.ts";
import type { UsableEndpoint } from "../rpc/ranking.ts";
import { assertNotBehind } from "./reading.ts";
import { RpcError } from "../rpc/error.ts";
import { decodeVoteAccount, VOTE_ACCOUNT_SLICE_BYTES } from "./vote-account.ts";

/** Of what the endpoint has left: a node that does not answer this must not cost the snapshot. */
const PART_OF_THE_TIME = 1 / 4;

/**
 * Those of the vote accounts missing from a list that are not there any more: missing is not gone. When the node cannot be
 * asked, or answers from an old slot, nothing is said of any.
 */
export async function findAbsent(endpoint: UsableEndpoint, missing: string[]): Promise<string[]> {
  const reader = endpoint.reader.within(PART_OF_THE_TIME);
  try {
    const { accounts, slot } = await readAccounts(reader, { keys: missing, bytes: VOTE_ACCOUNT_SLICE_BYTES });
    if (slot !== null) assertNotBehind(endpoint, slot, "getMultipleAccounts");
    return missing.filter((_, index) => !decodeVoteAccount(accounts[index] ?? null).exists).sort();
  } catch (error) {
    if (error instanceof RpcError) return [];
    throw error;
  }
}
