import { z } from "zod";
import { withReaders } from "../rpc/failover.ts";
import type { RpcReader } from "../rpc/rpc.ts";
import { RpcError } from "../rpc/error.ts";

/** Only the difference between an object and null matters. */
const certificateSchema = z.looseObject({}).nullable();

/**
 * Whether the cluster runs Alpenglow, which counts vote credits in lamports; null: no endpoint can tell. The node's
 * certificate of Alpenglow's first block is the published way to ask, rather than a date or a version.
 * @param readers preferred first
 */
export async function readAlpenglow(readers: RpcReader[]): Promise<boolean | null> {
  try {
    return await withReaders(readers, async (reader) => {
      return (await reader.call({ method: "getAgGenesisCert", schema: certificateSchema })) !== null;
    });
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}
