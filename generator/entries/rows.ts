import { z } from "zod";
import { countSchema, pubkeySchema } from "../contract/values.ts";

/** In UTF-16 code units. */
export const RAW_TEXT_MAX = 512;

/** A u16 on chain; above 10,000 it counts as all. */
export const BASIS_POINTS_MAX = 65_535;
/** A u8 on chain; above 100 it counts as all. */
export const PERCENT_MAX = 255;
/** A vote account keeps the credits of 64 epochs. */
export const CREDITS_MAX = 64;

export const rawText = z.string().max(RAW_TEXT_MAX);
/** bigint in memory, a decimal string in the journal. */
export const lamports = z.union([
  z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(BigInt),
  z.bigint().min(0n),
]);
/** As stored on chain: may exceed 10000. */
export const basisPoints = z.int().min(0).max(BASIS_POINTS_MAX);
/** As nodes send it: may exceed 100. */
export const percent = z.int().min(0).max(PERCENT_MAX);

export const checkRow = z.object({
  vote: pubkeySchema,
  /** null: no such field. */
  basisPoints: basisPoints.nullable(),
  /** Some nodes round down, some up. null: no such field. */
  percent: percent.nullable(),
  delinquent: z.boolean(),
  activeStake: lamports,
});

/**
 * `[epoch, credits, previousCredits]`: cumulative, oldest first. null:
 * Alpenglow's separator, after which the counter counts lamports.
 */
export const creditsRow = z.tuple([countSchema, lamports, lamports]).nullable();

export const snapshotRow = checkRow.extend({
  identity: pubkeySchema,
  inValidatorSet: z.boolean(),
  /** Empty if nothing is readable. */
  credits: z.array(creditsRow).max(CREDITS_MAX),
});

export const nodeRow = z.object({
  identity: pubkeySchema,
  version: rawText.nullable(),
  /** A name, `Unknown(N)` or the number, as the node renders it. */
  clientId: z.union([rawText, z.number()]).nullable(),
  ip: rawText.nullable(),
});

export const infoRow = z.object({
  identity: pubkeySchema,
  /** Source; an identity's lowest account counts. */
  account: pubkeySchema,
  name: rawText.nullable(),
  website: rawText.nullable(),
  iconUrl: rawText.nullable(),
});

export const mevRow = z.object({
  vote: pubkeySchema,
  /** null: missing, or unreadable. */
  mevBasisPoints: basisPoints.nullable(),
  priorityFeeBasisPoints: basisPoints.nullable(),
  runningBam: z.boolean().nullable(),
});

/** `[identity, leaderSlots, blocksProduced]`, in the running epoch. */
export const productionRow = z.tuple([pubkeySchema, countSchema, countSchema]);

/** `[vote, activating, deactivating, stakeAccountCount]` */
export const stakeAccountsRow = z.tuple([pubkeySchema, lamports, lamports, countSchema]);

/** `[vote, basisPoints]`: 10000 without a priority-fee account; null: unreadable. */
export const priorityFeeRow = z.tuple([pubkeySchema, basisPoints.nullable()]);

export const locationRow = z.object({
  identity: pubkeySchema,
  country: rawText.nullable(),
  countryCode: rawText.nullable(),
  city: rawText.nullable(),
  asn: countSchema.nullable(),
  asnOrganization: rawText.nullable(),
});

export const historyPoint = z.object({
  epoch: countSchema,
  /** Sampled within the epoch. */
  percent: percent.nullable(),
  mevBasisPoints: basisPoints.nullable(),
  activeStake: lamports.nullable(),
  /** By active stake, from 0. */
  rank: z.int().min(0).max(4_294_967_294).nullable(),
});

/**
 * `[basisPoints, percent, withdrawAuthority, blockRevenueBasisPoints]`: one of
 * the inflation rates by the account's layout, neither in an unknown layout; the
 * block-revenue rate from layout v4 on. null: no account of the vote program.
 */
export const accountRow = z
  .tuple([
    basisPoints.nullable(),
    percent.nullable(),
    pubkeySchema.nullable(),
    basisPoints.nullable(),
  ])
  .nullable();

/** A tip account's. */
export const tip = z.object({ vote: pubkeySchema, epoch: countSchema });

/** Unreadable: null inside. null: no such account. */
export const tipShare = z.tuple([basisPoints.nullable()]).nullable();

/** `[leaderSlots, blocksProduced]` of an identity; null: unreadable. */
export const producedBlocks = z.tuple([countSchema, countSchema]).nullable();

/**
 * A tip account's `[lamports, isSettled]`: the tips of its epoch, so far or, once its
 * merkle root is set, all of them. `lamports` null: unreadable. null: no such account.
 */
export const tipAmount = z.tuple([lamports.nullable(), z.boolean()]).nullable();

export const listedRow = checkRow.extend({ identity: pubkeySchema, inValidatorSet: z.boolean() });

export const issuance = z.object({
  /** Part of the supply that stakers get in a year. */
  validatorRate: z.number().min(0).max(1),
  slot: countSchema,
  supply: lamports,
  /** `[slotMilliseconds, activatedAtSlot]`, by which the runtime counts years. */
  slotTimes: z.array(z.tuple([z.int().min(1).max(400), countSchema])).max(16),
});

/** Not asked: not due, or `off`: not configured. */
export function section<Value extends z.ZodType>(value: Value) {
  return z.discriminatedUnion("state", [
    z.object({ state: z.literal("ok"), value }),
    z.object({ state: z.literal("failed"), reason: rawText }),
    z.object({ state: z.literal("skipped"), off: z.boolean() }),
  ]);
}
