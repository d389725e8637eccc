import { base58 } from "@scure/base";
import { z } from "zod";
import { isSignature } from "../../../generator/chain/transaction.ts";
import type { View } from "./endpoints.ts";
import { toJson, RpcError, addressSchema, assertContextSlot, parseParams } from "./params.ts";
import type { Instruction } from "../transactions/message.ts";
import { TRANSACTION_SLOTS, type SlotRange, type Transaction } from "../transactions/archive.ts";

const ROWS_MAX = 1000;
const FEE_LAMPORTS = 5000;
const BALANCE_LAMPORTS = 1_000_000_000;
const UNITS_PER_INSTRUCTION = 2100;

const signatureSchema = z.string().refine(isSignature, "Invalid");
const commitmentSchema = z.enum(
  ["confirmed", "finalized"],
  "Method does not support commitment below `confirmed`",
);

const listParams = z.tuple([
  addressSchema,
  z
    .object({
      limit: z.int().min(1).max(ROWS_MAX, `Invalid limit; max ${ROWS_MAX}`).optional(),
      before: signatureSchema.optional(),
      until: signatureSchema.optional(),
      commitment: commitmentSchema.optional(),
      minContextSlot: z.int().min(0).optional(),
    })
    .optional(),
]);

const oneParams = z.tuple([
  signatureSchema,
  z.object({
    encoding: z.literal("base64", "this cluster answers transactions in base64 only"),
    commitment: commitmentSchema.optional(),
    maxSupportedTransactionVersion: z.int().min(0).max(255).optional(),
  }),
]);

export function getSignaturesForAddress(view: View, params: unknown): string {
  assertHistory(view);
  const [address, config = {}] = parseParams(listParams, params);
  assertContextSlot(view, config);
  const rows: object[] = [];
  for (const transaction of listBefore(view, address, config.before)) {
    if (rows.length >= (config.limit ?? ROWS_MAX) || transaction.signature === config.until) break;
    rows.push(toRow(view, transaction));
  }
  return toJson(rows);
}

export function getTransaction(view: View, params: unknown): string {
  assertHistory(view);
  const [signature, { maxSupportedTransactionVersion: versionMax }] = parseParams(
    oneParams,
    params,
  );
  const transaction = view.transactions.find(signature, keptBy(view));
  if (transaction === null) return toJson(null);
  const { version, slot, bytes } = transaction;
  if (version !== "legacy" && version > (versionMax ?? -1)) throw unsupported(version);
  return toJson({
    blockTime: blockTimeOf(view, transaction),
    meta: toMeta(transaction),
    slot,
    transaction: [Buffer.from(bytes).toString("base64"), "base64"],
    ...indexOf(view, transaction),
    // Only to callers that ask for versions.
    ...(versionMax !== undefined && { version }),
  });
}

export function getFirstAvailableBlock(view: View): string {
  return toJson(keptBy(view).from);
}

function assertHistory({ cluster, endpoint }: View): void {
  if (cluster.options.withoutTransactions?.includes(endpoint) !== true) return;
  throw new RpcError("noTransactionHistory", "Transaction history is not available from this node");
}

/** A pruned list ends like a complete one. */
function* listBefore(
  view: View,
  address: string,
  before: string | undefined,
): Generator<Transaction> {
  const kept = keptBy(view);
  const last = before === undefined ? null : view.transactions.find(before, kept);
  if (before !== undefined && last === null) return;
  const range = { from: kept.from, to: last?.slot ?? kept.to };
  for (const transaction of view.transactions.naming(address, range)) {
    const isBehind =
      last === null || transaction.slot < last.slot || transaction.index < last.index;
    if (isBehind) yield transaction;
  }
}

function keptBy({ cluster, state }: View): SlotRange {
  const slots = cluster.options.transactionSlots ?? TRANSACTION_SLOTS;
  return { from: Math.max(state.moment.slot - slots + 1, 0), to: state.moment.slot };
}

function toRow(view: View, transaction: Transaction) {
  return {
    blockTime: blockTimeOf(view, transaction),
    confirmationStatus: "finalized",
    err: transaction.failure,
    memo: null,
    signature: transaction.signature,
    slot: transaction.slot,
    ...indexOf(view, transaction),
  };
}

/** Older nodes omit it. */
function indexOf({ endpoint }: View, { index }: Transaction): { transactionIndex?: number } {
  return endpoint === "lagging" ? {} : { transactionIndex: index };
}

function blockTimeOf({ cluster: { calendar } }: View, { slot }: Transaction): number {
  const { ordinal, slotIndex } = calendar.momentOfSlot(slot);
  return Math.floor(calendar.timeOf(ordinal, slotIndex) / 1000);
}

function toMeta(transaction: Transaction) {
  const { message, instructions, inner, failure } = transaction;
  const fee = FEE_LAMPORTS * message.signers.length;
  const keys = [...message.accounts, ...message.loaded.writable, ...message.loaded.readonly];
  const units = UNITS_PER_INSTRUCTION * instructions.length;
  return {
    computeUnitsConsumed: units,
    costUnits: units + 2050,
    err: failure,
    fee,
    innerInstructions:
      inner === null
        ? []
        : [
            {
              index: inner.place,
              instructions: inner.instructions.map((one) => toInnerInstruction(one, keys)),
            },
          ],
    loadedAddresses: message.loaded,
    logMessages: toLog(transaction),
    postBalances: keys.map((_, place) => BALANCE_LAMPORTS - (place === 0 ? fee : 0)),
    postTokenBalances: [],
    preBalances: keys.map(() => BALANCE_LAMPORTS),
    preTokenBalances: [],
    rewards: [],
    status: failure === null ? { Ok: null } : { Err: failure },
  };
}

function toInnerInstruction({ program, accounts, data }: Instruction, keys: readonly string[]) {
  return {
    accounts: accounts.map(({ address }) => keys.indexOf(address)),
    data: base58.encode(data),
    programIdIndex: keys.indexOf(program),
    stackHeight: 2,
  };
}

function toLog({ instructions, failure }: Transaction): string[] {
  const failedAt = failure?.InstructionError[0];
  return instructions.flatMap(({ program }, place) => [
    `Program ${program} invoke [1]`,
    place === failedAt
      ? `Program ${program} failed: custom program error: 0x1`
      : `Program ${program} success`,
  ]);
}

function unsupported(version: number): RpcError {
  return new RpcError(
    "unsupportedTransactionVersion",
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}
