import type { SnapshotRow } from "../ledger/entry.ts";
import { readAccounts } from "./accounts.ts";
import type { UsableEndpoint } from "./endpoints.ts";
import { assertNotBehind } from "./reading.ts";
import type { RpcReader } from "./rpc.ts";
import { RpcError } from "./transport/rpc-error.ts";
import { decodeVoteAccount, VOTE_ACCOUNT_SLICE_BYTES } from "./vote-account.ts";
import { readVoteAccounts } from "./vote-accounts.ts";

export interface Absence {
  /** Rows the node gives only when asked: delinquent accounts without stake. */
  rows: SnapshotRow[];
  /** Vote accounts that are not there any more. */
  absent: string[];
}

/** Above so many one answer with all accounts is cheaper, for the node too, than a call for each. */
const CALLS_BY_KEY_MAX = 10;

/** Of what the endpoint has left: a node that does not answer this must not cost the snapshot. */
const PART_OF_THE_TIME = 1 / 4;

/**
 * Asks for vote accounts that the list lacks, because missing from the list is not gone: a node leaves out what is
 * delinquent without stake. An account that exists and still has no row is neither found nor absent, and when the node
 * cannot be asked, or answers from an old slot, nothing is said of any.
 */
export async function findAbsent(endpoint: UsableEndpoint, missing: string[]): Promise<Absence> {
  const reader = endpoint.reader.within(PART_OF_THE_TIME);
  try {
    const rows = await readMissingRows(reader, missing);
    const found = new Set(rows.map(({ vote }) => vote));
    const stillMissing = missing.filter((vote) => !found.has(vote));
    const { accounts, slot } = await readAccounts(reader, { keys: stillMissing, bytes: VOTE_ACCOUNT_SLICE_BYTES });
    if (slot !== null) assertNotBehind(endpoint, slot, "getMultipleAccounts");
    return {
      rows,
      absent: stillMissing.filter((_, index) => !decodeVoteAccount(accounts[index] ?? null).exists).sort(),
    };
  } catch (error) {
    if (error instanceof RpcError) return { rows: [], absent: [] };
    throw error;
  }
}

async function readMissingRows(reader: RpcReader, missing: string[]): Promise<SnapshotRow[]> {
  if (missing.length === 0) return [];
  const wanted = new Set(missing);
  const keys = missing.length > CALLS_BY_KEY_MAX ? [undefined] : missing;
  const answers = await Promise.all(
    keys.map((votePubkey) => readVoteAccounts(reader, { ...(votePubkey && { votePubkey }), withUnstaked: true })),
  );
  return answers.flatMap(({ rows }) => rows).filter(({ vote }) => wanted.has(vote));
}
