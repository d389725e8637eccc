import { z } from "zod";
import { publicKeySchema } from "../../../generator/chain/public-key.ts";
import { RpcFailure } from "./failure.ts";
import type { View } from "./view.ts";

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
  throw new RpcFailure(
    "invalidParams",
    `Invalid params: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}.`,
  );
}

export function assertContextSlot(
  { slot }: Pick<View, "slot">,
  config: { minContextSlot?: number | undefined } | undefined,
): void {
  if ((config?.minContextSlot ?? 0) <= slot) return;
  throw new RpcFailure("minContextSlotNotReached", "Minimum context slot has not been reached", {
    contextSlot: slot,
  });
}
