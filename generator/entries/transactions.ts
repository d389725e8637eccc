import { z } from "zod";
import { TRANSACTION_BYTES_MAX } from "../chain/transaction.ts";
import { countSchema, pubkeySchema } from "../contract/values.ts";
import { WITNESSES_MAX } from "../contract/panel.ts";
import { rawText } from "./rows.ts";

/* Answers about each transaction, one for every witness, in the order of the panel. */

/** Most inner instructions of one transaction. Agave traces at most 64 of all programs. */
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
    /**
     * The searched range begins after this slot: the one asked for, or the last one that the node
     * dropped.
     */
    after: countSchema,
    /** The last slot of the searched range. */
    upTo: countSchema,
  }),
  /** The authority has too many transactions to read them all, so the search covers nothing. */
  z.object({ state: z.literal("busy"), rows: countSchema }),
  /** `isRefused`: the node keeps no transactions, so asking again is useless. */
  z.object({ state: z.literal("failed"), reason: rawText, isRefused: z.boolean() }),
]);

const searchRow = z.object({
  authority: pubkeySchema,
  /**
   * Searched are the slots after `after` up to `upTo`; null stands for each witness's newest slot.
   */
  after: countSchema,
  upTo: countSchema.nullable(),
  answers: z.array(searchAnswer),
  /**
   * Indexes in `transactions` of what was found, without transactions that a witness reports as
   * failed.
   */
  transactions: z.array(countSchema),
});

/** `[outer instruction, program, accounts, data]`: indexes, and data in Base64. */
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
    /** Seconds since 1970, by the cluster's clock. */
    blockTime: countSchema.nullable(),
    failed: z.boolean(),
    /** Signatures and message, in Base64. */
    bytes: base64(TRANSACTION_BYTES_MAX),
    /** Inner instructions of the vote program, in their order. */
    inner: z.array(innerInstruction).max(INNER_MAX),
    /** Keys from look-up tables, writable ones first. */
    loaded: z.array(pubkeySchema).max(ACCOUNTS_MAX),
  }),
  z.object({ state: z.literal("unknown") }),
  z.object({ state: z.literal("failed"), reason: rawText }),
]);

const transactionRow = z.object({ signature, answers: z.array(transactionAnswer) });

/** The fields of a sweep's entry. The header's `time` is when everything was read. */
export const transactionsParts = {
  panel: z.array(rawText).min(1).max(WITNESSES_MAX),
  /** The cluster's epoch schedule, checked against the epochs observed. */
  schedule: z.object({
    slotsPerEpoch: z.int().min(1),
    firstNormalEpoch: countSchema,
    firstNormalSlot: countSchema,
  }),
  searches: z.array(searchRow),
  transactions: z.array(transactionRow),
};

/** One search for the transactions of an authority, with every witness's answer. */
export type SearchRow = z.infer<typeof searchRow>;
/** One witness's answer to a search: what it covers, or why it covers nothing. */
export type SearchAnswer = z.infer<typeof searchAnswer>;
/** One transaction, with every witness's answer. */
export type TransactionRow = z.infer<typeof transactionRow>;
/** One witness's answer about a transaction; `unknown`: it does not have it. */
export type TransactionAnswer = z.infer<typeof transactionAnswer>;
/** `[outer instruction, program, accounts, data]`: indexes, and data in Base64. */
export type InnerInstruction = z.infer<typeof innerInstruction>;
