import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import { COMMITMENT } from "../rpc/epoch.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { RpcError } from "../rpc/error.ts";

/** `[identity, leaderSlots, blocksProduced]` */
type ProductionRow = [string, number, number];

const productionSchema = z.object({
  value: z.object({
    byIdentity: z.record(z.string(), z.unknown()),
    range: z.object({ firstSlot: countSchema }),
  }),
});
const countsSchema = z.tuple([countSchema, countSchema]);

/**
 * Counts only the present identity of a validator that changed it.
 * @throws {RpcError} also `behind` for counts of another epoch
 */
export async function readBlockProduction(
  reader: RpcReader,
  { identities, epochFirstSlot }: { identities: ReadonlySet<string>; epochFirstSlot: number },
): Promise<ProductionRow[]> {
  const params = [{ commitment: COMMITMENT }];
  const { value } = await reader.call({
    method: "getBlockProduction",
    params,
    schema: productionSchema,
  });
  const { firstSlot } = value.range;
  if (firstSlot !== epochFirstSlot) {
    const message = `${reader.label} getBlockProduction: counts begin at slot ${firstSlot}, not at ${epochFirstSlot}, the first of the epoch`;
    throw new RpcError({ kind: "behind", message });
  }
  return Object.entries(value.byIdentity)
    .flatMap(([identity, raw]): ProductionRow[] => {
      const counts = countsSchema.safeParse(raw);
      return identities.has(identity) && counts.success ? [[identity, ...counts.data]] : [];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
