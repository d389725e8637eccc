import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import type { SnapshotRow } from "../ledger/entry.ts";
import { COMMITMENT } from "./epoch.ts";
import { U64_MAX, u64Schema } from "./json.ts";
import { publicKeySchema } from "./public-key.ts";
import type { RpcReader } from "./rpc.ts";
import { RpcError } from "./rpc-error.ts";

/** What one getVoteAccounts answer says. */
export interface VoteAccounts {
  /** By vote account. */
  rows: SnapshotRow[];
  /** Largest lastVote: the only slot the answer carries. */
  slot: number;
  /** An Alpenglow separator stood among the credits, so newer credits are lamports. */
  separatorSeen: boolean;
}

const CREDITS_MAX = 64;

/**
 * Commission fields come and go with the node's version: an absent or unreadable one is null, and does not cost the row
 * (facts: Agave 4.1 adds basis points, a later one may drop the percent).
 */
const rowSchema = z.object({
  votePubkey: publicKeySchema,
  nodePubkey: publicKeySchema,
  activatedStake: u64Schema,
  commission: z.int().min(0).max(255).nullish().catch(null),
  inflationRewardsCommissionBps: z.int().min(0).max(65_535).nullish().catch(null),
  epochVoteAccount: z.boolean(),
  epochCredits: z.array(z.tuple([z.union([countSchema, z.literal(U64_MAX)]), u64Schema, u64Schema])),
  lastVote: z.int().min(0),
});

const answerSchema = z.object({ current: z.array(rowSchema), delinquent: z.array(rowSchema) });

type AnswerRow = z.infer<typeof rowSchema>;

/**
 * getVoteAccounts of one endpoint, the distance for «delinquent» left at the cluster's own.
 * @param votePubkey only this account
 * @param withUnstaked also the delinquent accounts without stake, which the node leaves out otherwise
 * @throws {RpcError} also `shape` when an account is listed twice
 */
export async function readVoteAccounts(
  reader: RpcReader,
  { votePubkey, withUnstaked = false }: { votePubkey?: string; withUnstaked?: boolean } = {},
): Promise<VoteAccounts> {
  const options = {
    commitment: COMMITMENT,
    ...(votePubkey && { votePubkey }),
    ...(withUnstaked && { keepUnstakedDelinquents: true }),
  };
  const answer = await reader.call({ method: "getVoteAccounts", params: [options], schema: answerSchema });
  const all = [...answer.current, ...answer.delinquent];
  const rows = [
    ...answer.current.map((row) => toSnapshotRow(row, false)),
    ...answer.delinquent.map((row) => toSnapshotRow(row, true)),
  ].sort((a, b) => (a.vote < b.vote ? -1 : 1));
  refuseDuplicates(reader, rows);
  return {
    rows,
    slot: all.reduce((largest, { lastVote }) => Math.max(largest, lastVote), 0),
    separatorSeen: all.some(({ epochCredits }) => epochCredits.some(isSeparator)),
  };
}

function toSnapshotRow(row: AnswerRow, delinquent: boolean): SnapshotRow {
  return {
    vote: row.votePubkey,
    basisPoints: row.inflationRewardsCommissionBps ?? null,
    percent: row.commission ?? null,
    delinquent,
    activeStake: row.activatedStake,
    identity: row.nodePubkey,
    inValidatorSet: row.epochVoteAccount,
    credits: row.epochCredits
      .filter((tuple) => !isSeparator(tuple))
      .slice(-CREDITS_MAX)
      .map(([epoch, credits, previousCredits]) => [Number(epoch), credits, previousCredits]),
  };
}

/** Alpenglow's migration puts one tuple of largest numbers between credits counted in votes and in lamports. */
function isSeparator([epoch]: AnswerRow["epochCredits"][number]): boolean {
  return epoch === U64_MAX;
}

function refuseDuplicates(reader: RpcReader, rows: SnapshotRow[]): void {
  const twice = rows.find((row, index) => row.vote === rows[index + 1]?.vote);
  if (twice === undefined) return;
  throw new RpcError({ kind: "shape", message: `${reader.label} getVoteAccounts: ${twice.vote} is listed twice` });
}
