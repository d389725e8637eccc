import { z } from "zod";
import { publicKeySchema } from "../../../../generator/chain/public-key.ts";
import type { View } from "./endpoints.ts";

/** What nearly every method takes; finalised and processed are one here, because the story has no forks. */
export const contextConfigSchema = z.object({
  commitment: z.enum(["processed", "confirmed", "finalized"]).optional(),
  minContextSlot: z.int().min(0).optional(),
});

const sliceSchema = z.object({ offset: z.int().min(0), length: z.int().min(0) });

/** How account data is asked for. */
export const accountConfigSchema = contextConfigSchema.extend({
  encoding: z.literal("base64", "this cluster answers account data in base64 only"),
  dataSlice: sliceSchema.optional(),
});

/** Filters are answered in base58 (the default) and in base64, as nodes take them. */
export const programConfigSchema = accountConfigSchema.extend({
  withContext: z.boolean().optional(),
  sortResults: z.boolean().optional(),
  filters: z
    .array(
      z.union([
        z.object({ dataSize: z.int().min(0) }),
        z.object({
          memcmp: z.object({
            offset: z.int().min(0),
            bytes: z.string().max(175),
            encoding: z.enum(["base58", "base64"]).optional(),
          }),
        }),
      ]),
    )
    .max(4)
    .optional(),
});

export const addressSchema = publicKeySchema;

/** Parses the positional parameters of a call. @throws {RpcError} −32602 */
export function parseParams<Params extends z.ZodType>(schema: Params, params: unknown): z.output<Params> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RpcError("invalidParams", `Invalid params: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}.`);
}

/** @throws {RpcError} −32016 when the node has not reached the slot the caller insists on */
export function assertContextSlot({ state }: View, config: { minContextSlot?: number | undefined } | undefined): void {
  const { slot } = state.moment;
  if ((config?.minContextSlot ?? 0) <= slot) return;
  throw new RpcError("minContextSlotNotReached", "Minimum context slot has not been reached", { contextSlot: slot });
}

/** Codes of JSON-RPC and of the nodes' own errors, as far as the simulator answers them. */
const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  disabled: 410,
  excludedFromIndex: -32010,
  invalidParams: -32602,
  nodeUnhealthy: -32005,
  noTransactionHistory: -32011,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
} as const;

/** An error that is answered in the JSON-RPC envelope. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: keyof typeof RPC_CODES, message: string, data?: unknown) {
    super(message);
    this.code = RPC_CODES[code];
    this.data = data;
  }
}

/** A number that JSON.stringify writes as the text it was made from. */
type RawJson = object;

/** `JSON.rawJSON` of Node 24, which the type library does not know yet. */
const rawJson = (JSON as unknown as { rawJSON: (text: string) => RawJson }).rawJSON;

/** JSON text in which every bigint is written exactly, as a number: the nodes write u64 so, also above 2^53. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? rawJson(String(member)) : member));
}
