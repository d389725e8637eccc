import { z } from "zod";
import type { SnapshotRow } from "../entries/entry.ts";
import { BASIS_POINTS_MAX, CREDITS_MAX, PERCENT_MAX } from "../entries/rows.ts";
import { COMMITMENT } from "../rpc/epoch.ts";
import { U64_MAX, u64Schema } from "../rpc/answer.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { RpcError } from "../rpc/error.ts";
import { countSchema } from "../contract/values.ts";
import { isPublicKey, publicKeySchema } from "../chain/public-key.ts";

/** A node's list of vote accounts. `unreadable.example`: the first such row's fault. */
export interface VoteAccounts {
  rows: SnapshotRow[];
  /** Largest lastVote: the answer carries no other slot. */
  slot: number;
  unreadable: { count: number; example: string };
}

const EXAMPLE_LENGTH_MAX = 200;

/** One malformed row must not make all others unusable. */
const answerSchema = z.object({ current: z.array(z.unknown()), delinquent: z.array(z.unknown()) });

/**
 * Reads the list of vote accounts. An account without a row may still exist.
 * @param withUnstaked also delinquents without stake
 * @throws {RpcError} also `shape` when an account is listed twice
 */
export async function readVoteAccounts(
  reader: RpcReader,
  { withUnstaked = false }: { withUnstaked?: boolean } = {},
): Promise<VoteAccounts> {
  const options = {
    commitment: COMMITMENT,
    ...(withUnstaked && { keepUnstakedDelinquents: true }),
  };
  const answer = await reader.call({
    method: "getVoteAccounts",
    params: [options],
    schema: answerSchema,
  });
  const [current, delinquent] = [parseRows(answer.current), parseRows(answer.delinquent)];
  const rows = [
    ...current.read.map((row) => toSnapshotRow(row, false)),
    ...delinquent.read.map((row) => toSnapshotRow(row, true)),
  ].sort((a, b) => (a.vote < b.vote ? -1 : 1));
  refuseDuplicates(reader, rows);
  return {
    rows,
    slot: [...current.read, ...delinquent.read].reduce(
      (largest, { lastVote }) => Math.max(largest, lastVote),
      0,
    ),
    unreadable: {
      count: current.unreadable + delinquent.unreadable,
      example: describeMisfit(current.misfit ?? delinquent.misfit),
    },
  };
}

function parseRows(raw: unknown[]): {
  read: VoteRow[];
  unreadable: number;
  misfit: z.ZodError | null;
} {
  const read: VoteRow[] = [];
  let misfit: z.ZodError | null = null;
  for (const one of raw) {
    const row = parseVoteRow(one);
    if (row.success) read.push(row.data);
    else misfit ??= row.error;
  }
  return { read, unreadable: raw.length - read.length, misfit };
}

function describeMisfit(misfit: z.ZodError | null): string {
  return misfit === null
    ? ""
    : z.prettifyError(misfit).replaceAll(/\s+/g, " ").slice(0, EXAMPLE_LENGTH_MAX);
}

function toSnapshotRow(row: VoteRow, delinquent: boolean): SnapshotRow {
  return {
    vote: row.votePubkey,
    basisPoints: row.inflationRewardsCommissionBps ?? null,
    percent: row.commission ?? null,
    delinquent,
    activeStake: row.activatedStake,
    identity: row.nodePubkey,
    inValidatorSet: row.epochVoteAccount,
    credits: row.epochCredits.slice(-CREDITS_MAX).map(toCreditsRow),
  };
}

/** At the migration to Alpenglow a tuple of u64 maxima separates credits from lamports. */
function toCreditsRow(tuple: VoteRow["epochCredits"][number]): SnapshotRow["credits"][number] {
  const [epoch, credits, previousCredits] = tuple;
  return epoch === U64_MAX ? null : [Number(epoch), credits, previousCredits];
}

function refuseDuplicates(reader: RpcReader, rows: SnapshotRow[]): void {
  const twice = rows.find((row, index) => row.vote === rows[index + 1]?.vote);
  if (twice === undefined) return;
  throw new RpcError({
    kind: "shape",
    message: `${reader.label} getVoteAccounts: ${twice.vote} is listed twice`,
  });
}

/* zod takes 20 ms for the thousand rows of each check: plainly right rows are read by hand. */

/** Must not cost the commission beside it. */
const creditsSchema = z
  .array(
    z
      .tuple([z.union([countSchema, z.literal(U64_MAX)]), u64Schema, u64Schema])
      .nullable()
      .catch(null),
  )
  .catch([])
  .transform((tuples) => tuples.filter((tuple) => tuple !== null));

/** Basis points since Agave 4.1. */
export const voteRowSchema = z.object({
  votePubkey: publicKeySchema,
  nodePubkey: publicKeySchema,
  activatedStake: u64Schema,
  commission: z.int().min(0).max(PERCENT_MAX).nullish().catch(null),
  inflationRewardsCommissionBps: z.int().min(0).max(BASIS_POINTS_MAX).nullish().catch(null),
  epochVoteAccount: z.boolean(),
  epochCredits: creditsSchema,
  lastVote: countSchema,
});

/** A row of `getVoteAccounts`. */
export type VoteRow = z.infer<typeof voteRowSchema>;

/** Parses a row as the schema would, but takes a faster way for rows of the usual form. */
export function parseVoteRow(
  value: unknown,
): { success: true; data: VoteRow } | { success: false; error: z.ZodError } {
  const data = readPlainRow(value);
  return data === null ? voteRowSchema.safeParse(value) : { success: true, data };
}

function readPlainRow(value: unknown): VoteRow | null {
  if (typeof value !== "object" || value === null) return null;
  const row = value as Record<string, unknown>;
  const {
    votePubkey,
    nodePubkey,
    epochVoteAccount,
    lastVote,
    commission,
    inflationRewardsCommissionBps,
  } = row;
  if (
    !isKey(votePubkey) ||
    !isKey(nodePubkey) ||
    typeof epochVoteAccount !== "boolean" ||
    !isCount(lastVote)
  )
    return null;
  if (
    !isAtMost(commission, PERCENT_MAX) ||
    !isAtMost(inflationRewardsCommissionBps, BASIS_POINTS_MAX)
  )
    return null;
  const activatedStake = toU64(row["activatedStake"]);
  const epochCredits = readPlainCredits(row["epochCredits"]);
  if (activatedStake === null || epochCredits === null) return null;
  return {
    votePubkey,
    nodePubkey,
    activatedStake,
    commission,
    inflationRewardsCommissionBps,
    epochVoteAccount,
    epochCredits,
    lastVote,
  };
}

function readPlainCredits(value: unknown): VoteRow["epochCredits"] | null {
  if (!Array.isArray(value)) return null;
  const credits: VoteRow["epochCredits"] = [];
  for (const tuple of value as unknown[]) {
    if (!Array.isArray(tuple) || tuple.length !== 3) return null;
    const [epoch, now, before] = tuple as unknown[];
    const [earned, earlier] = [toU64(now), toU64(before)];
    if (!isCount(epoch) || earned === null || earlier === null) return null;
    credits.push([epoch, earned, earlier]);
  }
  return credits;
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && isPublicKey(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isAtMost(value: unknown, most: number): value is number | null | undefined {
  return value === null || value === undefined || (isCount(value) && value <= most);
}

function toU64(value: unknown): bigint | null {
  if (isCount(value)) return BigInt(value);
  return typeof value === "bigint" && value >= 0n && value <= U64_MAX ? value : null;
}
