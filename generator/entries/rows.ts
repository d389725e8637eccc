import { z } from "zod";
import { countSchema, pubkeySchema } from "../contract/values.ts";
import { WITNESSES_MAX } from "../contract/panel.ts";

/** Longest text kept from a source, in UTF-16 code units. */
export const RAW_TEXT_MAX = 512;

/** The largest stored rate: vote accounts hold a u16. Rates above 10,000 count as 10,000. */
export const BASIS_POINTS_MAX = 65_535;
/** The largest listed percent: vote accounts hold a u8. Percents above 100 count as 100. */
export const PERCENT_MAX = 255;
/** A vote account keeps the credits of 64 epochs at most. */
export const CREDITS_MAX = 64;

/** A text as the source sent it, not cleaned yet, of at most `RAW_TEXT_MAX` code units. */
export const rawText = z.string().max(RAW_TEXT_MAX);
/** An amount in lamports: bigint in memory, a decimal string in the journal. */
export const lamports = z.union([
  z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(BigInt),
  z.bigint().min(0n),
]);
/** A rate as stored on chain, which may exceed 10,000. */
export const basisPoints = z.int().min(0).max(BASIS_POINTS_MAX);
/** A rate as nodes list it, which may exceed 100. */
export const percent = z.int().min(0).max(PERCENT_MAX);

/** A vote account as a node lists it (`getVoteAccounts`). */
export const checkRow = z.object({
  vote: pubkeySchema,
  /** null: the node's list has no such field. */
  basisPoints: basisPoints.nullable(),
  /**
   * Whole percent, which some nodes round down and some up. null: the node's list has no such
   * field.
   */
  percent: percent.nullable(),
  delinquent: z.boolean(),
  activeStake: lamports,
});

/** Fields of a vote account in a check. Their values can be compared by `===`. */
export const CHECK_FIELDS = checkRow.keyof().options;

/**
 * `[epoch, credits, previousCredits]`, both cumulative. null is Alpenglow's separator, after which
 * the counter counts lamports.
 */
export const creditsRow = z.tuple([countSchema, lamports, lamports]).nullable();

/** Credits of a vote account, oldest first; empty if nothing is readable. */
export const credits = z.array(creditsRow).max(CREDITS_MAX);

/** A vote account as lists are compared in a snapshot. */
export const listedRow = checkRow.extend({ identity: pubkeySchema, inValidatorSet: z.boolean() });

/** Fields of a vote account in a list, credits aside. Their values can be compared by `===`. */
export const LISTED_FIELDS = listedRow.keyof().options;

/** A vote account as a node lists it, with what only snapshots keep. */
export const snapshotRow = listedRow.extend({ credits });

/** `[kept, credits]`: the first `kept` of earlier credits, then these. null: none changed. */
export const creditsChange = z.tuple([countSchema, credits]).nullable();

/** A node in gossip (`getClusterNodes`). null: not sent, or unreadable. */
export const nodeRow = z.object({
  identity: pubkeySchema,
  version: rawText.nullable(),
  /** The client's name, `Unknown(N)` or its number, as the node renders it. */
  clientId: z.union([rawText, z.number()]).nullable(),
  ip: rawText.nullable(),
});

/** Name, website and icon that a validator published on chain, raw. null: not sent. */
export const infoRow = z.object({
  identity: pubkeySchema,
  /**
   * The account that holds this info. If an identity has several, that of the lowest key counts.
   */
  account: pubkeySchema,
  name: rawText.nullable(),
  website: rawText.nullable(),
  iconUrl: rawText.nullable(),
});

/**
 * A validator as the MEV vendor lists it. null: missing, or unreadable. Its MEV rate is
 * kept but not believed: tip accounts show it (`tips`).
 */
export const mevRow = z.object({
  vote: pubkeySchema,
  mevBasisPoints: basisPoints.nullable(),
  priorityFeeBasisPoints: basisPoints.nullable(),
  runningBam: z.boolean().nullable(),
});

/** `[identity, leaderSlots, blocksProduced]` in the running epoch. */
export const productionRow = z.tuple([pubkeySchema, countSchema, countSchema]);

/**
 * `[vote, activating, deactivating, stakeAccountCount]`, from the scan of all stake accounts;
 * activating and deactivating are lamports.
 */
export const stakeAccountsRow = z.tuple([pubkeySchema, lamports, lamports, countSchema]);

/**
 * `[vote, basisPoints]`, what the validator keeps of priority fees: 10,000 if it has no
 * priority-fee account; null: unreadable.
 */
export const priorityFeeRow = z.tuple([pubkeySchema, basisPoints.nullable()]);

/**
 * Where an identity's gossip address lies, by the configured MaxMind databases; null: not known.
 */
export const locationRow = z.object({
  identity: pubkeySchema,
  country: rawText.nullable(),
  countryCode: rawText.nullable(),
  city: rawText.nullable(),
  asn: countSchema.nullable(),
  asnOrganization: rawText.nullable(),
});

/** What a public history says of one validator in one epoch; null: not known. */
export const historyPoint = z.object({
  epoch: countSchema,
  /** The source took it at some time within the epoch. */
  percent: percent.nullable(),
  mevBasisPoints: basisPoints.nullable(),
  activeStake: lamports.nullable(),
  /** Rank by active stake, counted from 0. */
  rank: z.int().min(0).max(4_294_967_294).nullable(),
});

/**
 * `[basisPoints, percent, withdrawAuthority, blockRevenueBasisPoints]` of a vote account. Its
 * layout decides which of the two inflation rates it has; an unknown layout has neither. Layout v4
 * and later have the block-revenue rate. null: no account of the vote program.
 */
export const accountRow = z
  .tuple([
    basisPoints.nullable(),
    percent.nullable(),
    pubkeySchema.nullable(),
    basisPoints.nullable(),
  ])
  .nullable();

/** Names a tip account by validator and epoch. */
export const tip = z.object({ vote: pubkeySchema, epoch: countSchema });

/**
 * `[basisPoints]` that the validator keeps of the tips: `[null]` if unreadable, null if there is no
 * such account.
 */
export const tipShare = z.tuple([basisPoints.nullable()]).nullable();

/** `[leaderSlots, blocksProduced]` of an identity; null: unreadable. */
export const producedBlocks = z.tuple([countSchema, countSchema]).nullable();

/**
 * `[lamports, isSettled]` of a tip account: the tips of its epoch so far or, once its merkle root
 * is set, all of them. `lamports` is null if unreadable. null: there is no such account.
 */
export const tipAmount = z.tuple([lamports.nullable(), z.boolean()]).nullable();

/** Inflation and supply as one witness answers them. */
export const issuance = z.object({
  /** The part of the supply that is issued to stakers in a year, 0 to 1. */
  validatorRate: z.number().min(0).max(1),
  slot: countSchema,
  supply: lamports,
  /** `[slotMilliseconds, activatedAtSlot]`: the slot times by which the runtime counts years. */
  slotTimes: z.array(z.tuple([z.int().min(1).max(400), countSchema])).max(16),
});

/** Each witness's answer, or why there is none, in their order. */
export function answersOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .array(
      z.discriminatedUnion("state", [
        z.object({ state: z.literal("ok"), endpoint: rawText, ...shape }),
        z.object({ state: z.literal("failed"), endpoint: rawText, reason: rawText }),
      ]),
    )
    .min(1)
    .max(WITNESSES_MAX);
}

/**
 * Wraps one source of a snapshot. `skipped` means that it was not asked: it was not due, or, with
 * `off`, it is not configured.
 */
export function section<Value extends z.ZodType>(value: Value) {
  return z.discriminatedUnion("state", [
    z.object({ state: z.literal("ok"), value }),
    z.object({ state: z.literal("failed"), reason: rawText }),
    z.object({ state: z.literal("skipped"), off: z.boolean() }),
  ]);
}
