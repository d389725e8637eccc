import type { Network } from "../contract/networks.ts";
import { originOf } from "../contract/origin.ts";
import { WITNESSES_MAX } from "../contract/panel.ts";
import { publicKeySchema } from "../chain/public-key.ts";
import { RpcError } from "./error.ts";
import type { RpcReader } from "./reader.ts";
import { withReaders } from "./retry.ts";
import { createRpc, type RpcEndpoint, type RpcOptions } from "./rpc.ts";

/** Hash of the genesis block of each cluster; null: learned at first contact. */
export const GENESIS_HASHES: Record<Network, string | null> = {
  mainnet: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  testnet: "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY",
  alpenglow: null,
};

/**
 * Learns the hash of the genesis block that most witnesses answer, for a cluster whose hash is not
 * pinned; in a tie, that of the witness configured first. It names the cluster that a series of
 * entries is of, so it must be known before any entry that a panel could agree on.
 * @throws {RpcError} when no endpoint answers
 */
export async function readGenesis(options: RpcOptions & { deadline: number }): Promise<string> {
  const rpc = createRpc(options);
  try {
    const byOrigin = [...Map.groupBy(rpc.endpoints, ({ label }) => originOf(label)).values()];
    const answers = await Promise.all(
      byOrigin.slice(0, WITNESSES_MAX).map((own) => askWitness(own, options.deadline)),
    );
    const hashes = answers.filter((answer) => typeof answer === "string");
    const [most] = [...Map.groupBy(hashes, String).values()].sort((a, b) => b.length - a.length);
    if (most?.[0] !== undefined) return most[0];
    const failures = answers.filter((answer) => answer instanceof RpcError);
    const message = failures.map((failure) => failure.message).join("; ");
    throw new RpcError({ kind: failures.at(-1)?.kind ?? "network", message });
  } finally {
    await rpc.close();
  }
}

async function askWitness(
  endpoints: readonly RpcEndpoint[],
  deadline: number,
): Promise<string | RpcError> {
  try {
    return await withReaders(
      endpoints.map(({ until }) => until(deadline)),
      readGenesisHash,
    );
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
}

/** Asks a node for the hash of its genesis block. */
export function readGenesisHash(reader: RpcReader): Promise<string> {
  return reader.call({ method: "getGenesisHash", schema: publicKeySchema });
}
