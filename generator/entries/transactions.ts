import { z } from "zod";
import { TRANSACTION_BYTES_MAX } from "../chain/transaction.ts";
import { countSchema, pubkeySchema, WITNESSES_MAX } from "../contract/values.ts";
import { rawText } from "./rows.ts";

/* Each transaction as every witness answers it, in the order of the panel. */

/** Inner instructions of one transaction. Agave traces 64 of all programs. */
export const INNER_MAX = 256;
const ACCOUNTS_MAX = 256;

const signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
const base64 = (bytesMax: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)
    .max(4 * Math.ceil(bytesMax / 3));
const accountIndex = z.int().min(0).max(255);

const searchAnswer = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("ok"),
    /** Exclusive: the slot asked for, or the last that the node dropped. */
    after: countSchema,
    /** Inclusive. */
    upTo: countSchema,
  }),
  /** A busy authority: the list covers nothing. */
  z.object({ state: z.literal("busy"), rows: countSchema }),
  /** `isRefused`: it keeps no transactions. */
  z.object({ state: z.literal("failed"), reason: rawText, isRefused: z.boolean() }),
]);

const searchRow = z.object({
  authority: pubkeySchema,
  /** Exclusive. `upTo` is null for each witness's own slot. */
  after: countSchema,
  upTo: countSchema.nullable(),
  answers: z.array(searchAnswer),
  /** Indexes of those that no witness calls failed. */
  transactions: z.array(countSchema),
});

/** `[outer instruction, program, accounts, data]`: indexes, data in Base64. */
const innerInstruction = z.tuple([
  countSchema.max(255),
  accountIndex,
  z.array(accountIndex).max(ACCOUNTS_MAX),
  base64(TRANSACTION_BYTES_MAX * 4),
]);

const transactionAnswer = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("ok"),
    slot: countSchema,
    index: countSchema.nullable(),
    /** Seconds since 1970 by the cluster's clock. */
    blockTime: countSchema.nullable(),
    failed: z.boolean(),
    /** Signatures and message. */
    bytes: base64(TRANSACTION_BYTES_MAX),
    /** Of the vote program, in order. */
    inner: z.array(innerInstruction).max(INNER_MAX),
    /** From look-up tables, writable ones first. */
    loaded: z.array(pubkeySchema).max(ACCOUNTS_MAX),
  }),
  z.object({ state: z.literal("unknown") }),
  z.object({ state: z.literal("failed"), reason: rawText }),
]);

const transactionRow = z.object({ signature, answers: z.array(transactionAnswer) });

/** The header's `time` is when everything was read. */
export const transactionsParts = {
  panel: z.array(rawText).min(1).max(WITNESSES_MAX),
  /** Checked against what was observed. */
  schedule: z.object({
    slotsPerEpoch: z.int().min(1),
    firstNormalEpoch: countSchema,
    firstNormalSlot: countSchema,
  }),
  searches: z.array(searchRow),
  transactions: z.array(transactionRow),
};

export type SearchRow = z.infer<typeof searchRow>;
export type SearchAnswer = z.infer<typeof searchAnswer>;
export type TransactionRow = z.infer<typeof transactionRow>;
export type TransactionAnswer = z.infer<typeof transactionAnswer>;
export type InnerInstruction = z.infer<typeof innerInstruction>;
