import { z } from "zod";
import { publicKeySchema } from "../../../generator/chain/public-key.ts";
import type { View } from "./endpoints.ts";
import { RpcError } from "./rpc-error.ts";

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
