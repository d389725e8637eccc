import { z } from "zod";
import { TRANSACTION_BYTES_MAX } from "../chain/transaction.ts";
import { countSchema, pubkeySchema } from "../contract/values.ts";
import { rawText } from "./rows.ts";

/*
 * What was read of transactions: which signature lists were searched, and each transaction as every witness of
 * the panel tells it. Answers stand in the order of the panel.
 */

/** Most instructions that a transaction can have carried out inside others; Agave traces 64 of all kinds. */
const INNER_MAX = 256;
const ACCOUNTS_MAX = 256;

const signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
const base64 = (bytesMax: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)
    .max(4 * Math.ceil(bytesMax / 3));
const accountIndex = z.int().min(0).max(255);

/** How far a witness's list of signatures reaches. */
const searchAnswer = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("ok"),
    /** It is complete of the slots after this one: that which was asked for, or the end of what the node keeps. */
    after: countSchema,
    /** And up to this one, included. */
    upTo: countSchema,
  }),
  /** Too many transactions: not asked for further, and says nothing. */
  z.object({ state: z.literal("busy"), rows: countSchema }),
  /** `isRefused`: it keeps no history of transactions. */
  z.object({ state: z.literal("failed"), reason: rawText, isRefused: z.boolean() }),
]);

const searchRow = z.object({
  /** A withdraw authority: whose signatures were listed. */
  authority: pubkeySchema,
  /** Asked for: slots after this one, up to `upTo` or, where that is null, to where each witness is. */
  after: countSchema,
  upTo: countSchema.nullable(),
  answers: z.array(searchAnswer),
  /** What any of the witnesses lists and does not call failed, by index in `transactions`. */
  transactions: z.array(countSchema),
});

/** `[index of the outer instruction, index of the program, indexes of the accounts, data in Base64]`. */
const innerInstruction = z.tuple([
  countSchema.max(255),
  accountIndex,
  z.array(accountIndex).max(ACCOUNTS_MAX),
  base64(TRANSACTION_BYTES_MAX * 4),
]);

/** What a witness tells of one transaction. */
const transactionAnswer = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("ok"),
    slot: countSchema,
    /** Its place in the block; null: not told. */
    index: countSchema.nullable(),
    /** Seconds since 1970 by the cluster's clock; null: not known. */
    blockTime: countSchema.nullable(),
    /** It changed nothing. */
    failed: z.boolean(),
    /** Signatures and message as they were sent, Base64. */
    bytes: base64(TRANSACTION_BYTES_MAX),
    /** Instructions that its programs carried out, in order; data in Base64. Only those of the vote program. */
    inner: z.array(innerInstruction).max(INNER_MAX),
    /** Addresses from look-up tables, the writable ones first: they follow the keys of the message. */
    loaded: z.array(pubkeySchema).max(ACCOUNTS_MAX),
  }),
  /** This node does not know it. */
  z.object({ state: z.literal("unknown") }),
  z.object({ state: z.literal("failed"), reason: rawText }),
]);

const transactionRow = z.object({ signature, answers: z.array(transactionAnswer) });

/** The parts of an entry of this kind besides its header. `time` of the header is when all of it had been read. */
export const transactionsParts = {
  /** Labels of the witnesses, preferred first. */
  panel: z.array(rawText).min(1).max(4),
  /** Which slots are of which epoch (getEpochSchedule), as it was when it agreed with what was observed. */
  schedule: z.object({ slotsPerEpoch: z.int().min(1), firstNormalEpoch: countSchema, firstNormalSlot: countSchema }),
  searches: z.array(searchRow),
  transactions: z.array(transactionRow),
};

export type SearchRow = z.infer<typeof searchRow>;
export type SearchAnswer = z.infer<typeof searchAnswer>;
export type TransactionRow = z.infer<typeof transactionRow>;
export type TransactionAnswer = z.infer<typeof transactionAnswer>;
export type InnerInstruction = z.infer<typeof innerInstruction>;
