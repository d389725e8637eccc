import { z } from "zod";
import { publicKeySchema } from "../../../generator/chain/public-key.ts";
import type { View } from "./endpoints.ts";

/** Without forks, every commitment is the same. */
export const contextConfigSchema = z.object({
  commitment: z.enum(["processed", "confirmed", "finalized"]).optional(),
  minContextSlot: z.int().min(0).optional(),
});

const sliceSchema = z.object({ offset: z.int().min(0), length: z.int().min(0) });

export const accountConfigSchema = contextConfigSchema.extend({
  encoding: z.literal("base64", "this cluster answers account data in base64 only"),
  dataSlice: sliceSchema.optional(),
});

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

export function parseParams<Params extends z.ZodType>(
  schema: Params,
  params: unknown,
): z.output<Params> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RpcError(
    "invalidParams",
    `Invalid params: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}.`,
  );
}

export function assertContextSlot(
  { state }: View,
  config: { minContextSlot?: number | undefined } | undefined,
): void {
  const { slot } = state.moment;
  if ((config?.minContextSlot ?? 0) <= slot) return;
  throw new RpcError("minContextSlotNotReached", "Minimum context slot has not been reached", {
    contextSlot: slot,
  });
}

/** JSON-RPC's codes, and the nodes' own. */
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

type RawJson = object;

/** Node 24 has it; TypeScript's library does not yet. */
const rawJson = (JSON as unknown as { rawJSON: (text: string) => RawJson }).rawJSON;

/** Nodes write u64 as numbers, even above 2^53. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "bigint" ? rawJson(String(member)) : member,
  );
}
