import { base58 } from "@scure/base";
import { z } from "zod";
import { VOTE_PROGRAM } from "../../chain/program-address.ts";
import { publicKeySchema } from "../../chain/public-key.ts";
import { TransactionError } from "../../chain/byte-reader.ts";
import { TRANSACTION_VERSION_MAX } from "../../chain/message.ts";
import {
  decodeTransaction,
  encodeSignature,
  type Transaction,
  TRANSACTION_BYTES_MAX,
} from "../../chain/transaction.ts";
import { countSchema } from "../../contract/values.ts";
import { type InnerInstruction, type TransactionAnswer } from "../../entries/entry.ts";
import { INNER_MAX } from "../../entries/transactions.ts";
import { COMMITMENT } from "../../rpc/epoch.ts";
import { RpcError } from "../../rpc/error.ts";
import type { PacedEndpoint, Until } from "./paced-witness.ts";

/** Indexes of keys and of instructions are single bytes. */
const INDEXES_MAX = 256;
const indexSchema = z
  .int()
  .min(0)
  .max(INDEXES_MAX - 1);

/** Decoding Base58 is quadratic; the longest vote instruction has under 600 bytes. */
const DATA_LENGTH_MAX = 1_000;
const DATA_LENGTH_SUM_MAX = 4_000;

const innerSchema = z.object({
  index: indexSchema,
  instructions: z
    .array(
      z.object({
        programIdIndex: indexSchema,
        accounts: z.array(indexSchema).max(INDEXES_MAX),
        data: z.string(),
      }),
    )
    .max(INNER_MAX),
});
const loadedSchema = z.object({
  writable: z.array(publicKeySchema).max(INDEXES_MAX),
  readonly: z.array(publicKeySchema).max(INDEXES_MAX),
});

const answerSchema = z
  .object({
    slot: countSchema,
    transactionIndex: countSchema.nullish(),
    blockTime: countSchema.nullish(),
    transaction: z.tuple([
      z.string().max(4 * Math.ceil(TRANSACTION_BYTES_MAX / 3)),
      z.literal("base64"),
    ]),
    meta: z.object({
      err: z.unknown().refine((err) => err !== undefined, "it does not say whether it failed"),
      innerInstructions: z.array(innerSchema).max(INDEXES_MAX).nullable(),
      loadedAddresses: loadedSchema.nullish(),
    }),
  })
  .nullable();

type Result = NonNullable<z.infer<typeof answerSchema>>;

/** Of `getTransaction`. */
export const TRANSACTION_OPTIONS = {
  encoding: "base64",
  maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
  commitment: COMMITMENT,
};

/**
 * @throws {RpcError} also for an unknown version, and `shape` when the parts contradict each other
 */
export async function readTransaction(
  endpoint: PacedEndpoint,
  signature: string,
  until: Until,
): Promise<TransactionAnswer> {
  const result = await endpoint.call({
    method: "getTransaction",
    params: [signature, TRANSACTION_OPTIONS],
    schema: answerSchema,
    until,
  });
  if (result === null) return { state: "unknown" };
  try {
    return toAnswer(result, signature);
  } catch (error) {
    if (!(error instanceof TransactionError)) throw error;
    throw new RpcError({
      kind: "shape",
      message: `${endpoint.label} getTransaction ${signature}: ${error.message}`,
    });
  }
}

function toAnswer(result: Result, signature: string): TransactionAnswer {
  const { slot, transactionIndex, blockTime, meta } = result;
  const [bytes] = result.transaction;
  const transaction = decodeTransaction(decodeBase64(bytes));
  const [first] = transaction.signatures;
  if (first === undefined || encodeSignature(first) !== signature)
    throw new TransactionError("It is another one");
  const { writable, readonly } = meta.loadedAddresses ?? { writable: [], readonly: [] };
  const loaded = [...writable, ...readonly];
  if (loaded.length !== transaction.loadedCount) {
    const message = `the answer has ${loaded.length} looked-up keys, the message asks for ${transaction.loadedCount}`;
    throw new TransactionError(message);
  }
  // null: it failed before any program ran. Otherwise a
  // node that did not keep them cannot say there were none.
  if (meta.innerInstructions === null && meta.err === null)
    throw new TransactionError("Its inner instructions are missing");
  return {
    state: "ok",
    slot,
    index: transactionIndex ?? null,
    blockTime: blockTime ?? null,
    failed: meta.err !== null,
    bytes,
    inner: toInner(meta.innerInstructions ?? [], { transaction, loaded }),
    loaded,
  };
}

/** Rejects other spellings of the same bytes. */
function decodeBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw new TransactionError("Its bytes are no Base64");
  return bytes;
}

/** Of the vote program, in order. */
function toInner(
  groups: readonly z.infer<typeof innerSchema>[],
  { transaction, loaded }: { transaction: Transaction; loaded: readonly string[] },
): InnerInstruction[] {
  const keys = [...transaction.keys, ...loaded];
  const inner: InnerInstruction[] = [];
  let length = 0;
  for (const [position, { index, instructions }] of groups.entries()) {
    const before = groups[position - 1]?.index ?? -1;
    if (index <= before || index >= transaction.instructions.length) {
      throw new TransactionError(
        `Inner instructions of instruction ${index} of ${transaction.instructions.length}`,
      );
    }
    for (const { programIdIndex, accounts, data } of instructions) {
      const beyond = [programIdIndex, ...accounts].find((one) => one >= keys.length);
      if (beyond !== undefined)
        throw new TransactionError(`An inner instruction names key ${beyond} of ${keys.length}`);
      if (keys[programIdIndex] !== VOTE_PROGRAM) continue;
      length += data.length;
      if (length > DATA_LENGTH_SUM_MAX || inner.length === INNER_MAX) {
        throw new TransactionError(
          "There are more inner instructions of the vote program than are read",
        );
      }
      inner.push([index, programIdIndex, accounts, toBase64(data)]);
    }
  }
  return inner;
}

function toBase64(data: string): string {
  if (data.length > DATA_LENGTH_MAX) {
    throw new TransactionError(
      `An inner instruction of the vote program has data of ${data.length} characters`,
    );
  }
  try {
    return Buffer.from(base58.decode(data)).toString("base64");
  } catch {
    throw new TransactionError("The data of an inner instruction are no Base58");
  }
}
