import { z } from "zod";
import { isSignature } from "../../../generator/chain/transaction.ts";
import { RpcFailure } from "./failure.ts";
import { addressSchema, assertContextSlot, parseParams } from "./params.ts";
import type { ListedTransaction, ShownTransaction, View } from "./view.ts";

const ROWS_MAX = 1000;

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

export function getSignaturesForAddress(
  view: Pick<View, "slot" | "listed">,
  params: unknown,
): object[] {
  const [address, config = {}] = parseParams(listParams, params);
  assertContextSlot(view, config);
  const rows: object[] = [];
  for (const listed of view.listed(address, config.before)) {
    if (rows.length >= (config.limit ?? ROWS_MAX) || listed.signature === config.until) break;
    rows.push(toSignatureRow(listed));
  }
  return rows;
}

/** Those behind a signature; none, if it is not among them. */
export function listBehind<Listed extends { signature: string }>(
  listed: readonly Listed[],
  before: string | undefined,
): readonly Listed[] {
  if (before === undefined) return listed;
  const place = listed.findIndex(({ signature }) => signature === before);
  return place < 0 ? [] : listed.slice(place + 1);
}

function toSignatureRow({ signature, slot, err, blockTime, index }: ListedTransaction) {
  return {
    blockTime,
    confirmationStatus: "finalized",
    err,
    memo: null,
    signature,
    slot,
    ...toIndex(index),
  };
}

export function getTransaction(view: View, params: unknown): object | null {
  const [signature, { maxSupportedTransactionVersion: versionMax }] = parseParams(
    oneParams,
    params,
  );
  const transaction = view.transaction(signature);
  if (transaction === null) return null;
  const { version } = transaction;
  if (version !== "legacy" && version > (versionMax ?? -1)) throw unsupported(version);
  // Only to callers that ask for versions.
  return { ...toTransactionAnswer(transaction), ...(versionMax !== undefined && { version }) };
}

function toTransactionAnswer(transaction: ShownTransaction) {
  const { slot, blockTime, bytes, index, err, inner, loaded, meta } = transaction;
  return {
    blockTime,
    meta: { ...meta, err, innerInstructions: inner, loadedAddresses: loaded },
    slot,
    transaction: [Buffer.from(bytes).toString("base64"), "base64"],
    ...toIndex(index),
  };
}

/** Older nodes omit it. */
function toIndex(index: number | null): { transactionIndex?: number } {
  return index === null ? {} : { transactionIndex: index };
}

export function getFirstAvailableBlock(view: View): number {
  return view.firstBlock();
}

function unsupported(version: number): RpcFailure {
  return new RpcFailure(
    "unsupportedTransactionVersion",
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}
