import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import { COMMITMENT } from "../rpc/epoch.ts";
import type { RpcReader } from "../rpc/rpc.ts";
import { RpcError } from "../rpc/error.ts";

/** `[identity, leaderSlots, blocksProduced]` */
export type ProductionRow = [string, number, number];

const answerSchema = z.object({
  value: z.object({ byIdentity: z.record(z.string(), z.unknown()), range: z.object({ firstSlot: countSchema }) }),
});
const countsSchema = z.tuple([countSchema, countSchema]);

/**
 * getBlockProduction of the running epoch, of the identities given. It is keyed by identity: of a validator that changed
 * its identity within the epoch it counts only the present one.
 * @param epochFirstSlot first slot of that epoch: the counts of another one would pass for its own
 * @throws {RpcError} also `behind` when they are of another
 */
export async function readBlockProduction(
  reader: RpcReader,
  { identities, epochFirstSlot }: { identities: ReadonlySet<string>; epochFirstSlot: number },
): Promise<ProductionRow[]> {
  const params = [{ commitment: COMMITMENT }];
  const { value } = await reader.call({ method: "getBlockProduction", params, schema: answerSchema });
  const { firstSlot } = value.range;
  if (firstSlot !== epochFirstSlot) {
    const message = `${reader.label} getBlockProduction: counted from slot ${firstSlot}, not from ${epochFirstSlot}, where the epoch begins`;
    throw new RpcError({ kind: "behind", message });
  }
  return Object.entries(value.byIdentity)
    .flatMap(([identity, raw]): ProductionRow[] => {
      const counts = countsSchema.safeParse(raw);
      return identities.has(identity) && counts.success ? [[identity, ...counts.data]] : [];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
