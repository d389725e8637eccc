import { z } from "zod";
import { countSchema, pubkeySchema } from "../contract/values.ts";

/*
 * The rows that entries are made of (entry.ts): one validator, node, account or epoch each, as the source said it.
 */

/** Longest raw text kept of any field of the outside world, in UTF-16 code units. */
export const RAW_TEXT_MAX = 512;

/** A text of the outside world, as it is. */
export const rawText = z.string().max(RAW_TEXT_MAX);
/** bigint in memory, a decimal string in the journal. */
export const lamports = z.union([
  z.bigint().min(0n),
  z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(BigInt),
]);
/** As the chain stores them: may exceed 10000. */
export const basisPoints = z.int().min(0).max(65_535);
/** As nodes send it: may exceed 100. */
export const percent = z.int().min(0).max(255);

/** A vote account, lean. */
export const checkRow = z.object({
  vote: pubkeySchema,
  /** As the source said it; null: the answer had no such field. May exceed 10000. */
  basisPoints: basisPoints.nullable(),
  /** As the source said it: some nodes round down, some up. May exceed 100. */
  percent: percent.nullable(),
  delinquent: z.boolean(),
  activeStake: lamports,
});

/**
 * `[epoch, credits, previousCredits]`: cumulative counters, oldest first. null: the separator of Alpenglow, after which the
 * counter counts lamports.
 */
export const creditsRow = z.tuple([countSchema, lamports, lamports]).nullable();

/** A vote account, whole. */
export const snapshotRow = checkRow.extend({
  identity: pubkeySchema,
  inValidatorSet: z.boolean(),
  /** Empty: the source said nothing of it that could be read. */
  credits: z.array(creditsRow).max(64),
});

/** A node of gossip. */
export const nodeRow = z.object({
  identity: pubkeySchema,
  version: rawText.nullable(),
  /** As the answering node renders it: a name, `Unknown(N)`, or the number; null: absent or neither. */
  clientId: z.union([z.number(), rawText]).nullable(),
  ip: rawText.nullable(),
});

/** What an identity says of itself. */
export const infoRow = z.object({
  identity: pubkeySchema,
  /** The config account it was read from: the lowest of an identity's accounts counts. */
  account: pubkeySchema,
  name: rawText.nullable(),
  website: rawText.nullable(),
  iconUrl: rawText.nullable(),
});

/** A validator of the MEV vendor's list. */
export const mevRow = z.object({
  vote: pubkeySchema,
  /** The validator's share of the tips; null: not told, or not readably. */
  mevBasisPoints: basisPoints.nullable(),
  priorityFeeBasisPoints: basisPoints.nullable(),
  runningBam: z.boolean().nullable(),
});

/** A vote account with a tip account on chain. */
export const tipRow = z.object({
  vote: pubkeySchema,
  /** Of the tip account. */
  epoch: countSchema,
  mevBasisPoints: basisPoints.nullable(),
  /** 10000 without a priority-fee account; null: not read. */
  priorityFeeBasisPoints: basisPoints.nullable(),
});

/** Where a node is. */
export const locationRow = z.object({
  identity: pubkeySchema,
  country: rawText.nullable(),
  countryCode: rawText.nullable(),
  city: rawText.nullable(),
  asn: countSchema.nullable(),
  asnOrganization: rawText.nullable(),
});

/** What a public history says of one closed epoch. All of it as said; null: the history has no value there. */
export const historyPoint = z.object({
  epoch: countSchema,
  /** Sampled within the epoch, in whole percent. May exceed 100. */
  percent: percent.nullable(),
  mevBasisPoints: basisPoints.nullable(),
  activeStake: lamports.nullable(),
  /** By active stake, from 0. */
  rank: z.int().min(0).max(4_294_967_294).nullable(),
});

/**
 * What a vote account itself says: `[basisPoints, percent, withdrawAuthority]`. Only one of the first two is stored, by the
 * account's layout; all three are null where the layout is unknown. null: no such account of the vote program.
 */
export const accountRow = z.tuple([basisPoints.nullable(), percent.nullable(), pubkeySchema.nullable()]).nullable();

/** The share that a tip account holds: `[basisPoints]`, null in it where it is not readable. null: no such account. */
export const tipShare = z.tuple([basisPoints.nullable()]).nullable();

/** A witness of the panel when an observation began: where it said it was, or why it did not say. */
export const panelRow = z.object({
  /** As `ORIGIN#POSITION`; the witness is the origin. */
  endpoint: rawText,
  slot: countSchema.nullable(),
  reason: rawText.nullable(),
});

/** What one node says of inflation and supply. */
export const issuance = z.object({
  /** Part of the supply that stakers get in a year. */
  validatorRate: z.number().min(0).max(1),
  /** Of the supply. */
  slot: countSchema,
  /** All lamports that exist. */
  supply: lamports,
  /** `[slotMilliseconds, activatedAtSlot]` of each active feature that sets the slot time the runtime counts years by. */
  slotTimes: z.array(z.tuple([z.int().min(1).max(400), countSchema])).max(16),
});

/** A side source: what it said, why it could not be read, or that it was not asked this time (not due, or not configured). */
export function section<Value extends z.ZodType>(value: Value) {
  return z.discriminatedUnion("state", [
    z.object({ state: z.literal("ok"), value }),
    z.object({ state: z.literal("failed"), reason: rawText }),
    z.object({ state: z.literal("skipped"), off: z.boolean() }),
  ]);
}
