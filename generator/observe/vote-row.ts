import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import { isPublicKey, publicKeySchema } from "../chain/public-key.ts";
import { U64_MAX, u64Schema } from "../rpc/json.ts";

/*
 * A row of getVoteAccounts. zod is the law, and takes 20 ms of processor for the thousand rows of each check; a row that is
 * plainly as it should be is read by hand, and any other is left to zod, to read or to refuse.
 */

/** A row of credits that cannot be read is left out: it must not cost the commission beside it. */
const creditsSchema = z
  .array(
    z
      .tuple([z.union([countSchema, z.literal(U64_MAX)]), u64Schema, u64Schema])
      .nullable()
      .catch(null),
  )
  .catch([])
  .transform((tuples) => tuples.filter((tuple) => tuple !== null));

/**
 * Commission fields come and go with the node's version: an absent or unreadable one is null, and does not cost the row
 * (Agave 4.1 adds basis points, a later one may drop the percent).
 */
export const voteRowSchema = z.object({
  votePubkey: publicKeySchema,
  nodePubkey: publicKeySchema,
  activatedStake: u64Schema,
  commission: z.int().min(0).max(255).nullish().catch(null),
  inflationRewardsCommissionBps: z.int().min(0).max(65_535).nullish().catch(null),
  epochVoteAccount: z.boolean(),
  epochCredits: creditsSchema,
  lastVote: countSchema,
});

export type VoteRow = z.infer<typeof voteRowSchema>;

/** A row as {@link voteRowSchema} parses it, or what does not fit in it. */
export function parseVoteRow(value: unknown): { success: true; data: VoteRow } | { success: false; error: z.ZodError } {
  const data = readPlainRow(value);
  return data === null ? voteRowSchema.safeParse(value) : { success: true, data };
}

const PERCENT_MAX = 255;
const BASIS_POINTS_MAX = 65_535;

/** null: not plainly a row. */
function readPlainRow(value: unknown): VoteRow | null {
  if (typeof value !== "object" || value === null) return null;
  const row = value as Record<string, unknown>;
  const { votePubkey, nodePubkey, epochVoteAccount, lastVote, commission, inflationRewardsCommissionBps } = row;
  if (!isKey(votePubkey) || !isKey(nodePubkey) || typeof epochVoteAccount !== "boolean" || !isCount(lastVote))
    return null;
  if (!isAtMost(commission, PERCENT_MAX) || !isAtMost(inflationRewardsCommissionBps, BASIS_POINTS_MAX)) return null;
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
