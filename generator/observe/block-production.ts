import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import { COMMITMENT } from "./epoch.ts";
import type { RpcReader } from "./rpc.ts";

/** `[identity, leaderSlots, blocksProduced]` */
export type ProductionRow = [string, number, number];

const answerSchema = z.object({ value: z.object({ byIdentity: z.record(z.string(), z.unknown()) }) });
const countsSchema = z.tuple([countSchema, countSchema]);

/**
 * getBlockProduction of the running epoch, of the identities given. It is keyed by identity: of a validator that changed
 * its identity within the epoch it counts only the present one.
 * @throws {RpcError}
 */
export async function readBlockProduction(
  reader: RpcReader,
  identities: ReadonlySet<string>,
): Promise<ProductionRow[]> {
  const params = [{ commitment: COMMITMENT }];
  const { value } = await reader.call({ method: "getBlockProduction", params, schema: answerSchema });
  return Object.entries(value.byIdentity)
    .flatMap(([identity, raw]): ProductionRow[] => {
      const counts = countsSchema.safeParse(raw);
      return identities.has(identity) && counts.success ? [[identity, ...counts.data]] : [];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
