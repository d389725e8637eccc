import { z } from "zod";
import type { Network } from "../contract/networks.ts";
import { readEpochInfo, type EpochInfo } from "./epoch.ts";
import { withFailover } from "./failover.ts";
import { publicKeySchema } from "./public-key.ts";
import { createRpc, type Rpc, type RpcOptions, type RpcReader } from "./rpc.ts";
import { RpcError } from "./rpc-error.ts";

/** Genesis hashes, which tell clusters apart; null: to be learned at first contact. */
export const GENESIS_HASHES: Record<Network, string | null> = {
  mainnet: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  testnet: "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY",
  alpenglow: null,
};

/** A node so many slots under the best endpoint is behind. Never judged by clock: slots have no fixed length. */
export const BEHIND_SLOTS = 150;

/** Longest wait for an endpoint to show that it is usable, while others are. */
const PROBE_MILLISECONDS = 8_000;

/** An endpoint that passed, with the epoch reading it passed by. */
export interface UsableEndpoint {
  reader: RpcReader;
  epoch: EpochInfo;
}

export interface EndpointChoice {
  /** Preferred first. */
  usable: UsableEndpoint[];
  /** Why each of the others is not used, naming it by its label. */
  refused: string[];
  /** The genesis hash that all usable endpoints have; null when none answered. */
  genesis: string | null;
}

type Probe = { reader: RpcReader; genesis: string; epoch: EpochInfo } | { refused: string };

/**
 * The endpoints fit to be read from now: of the right cluster, healthy by their own word, and not behind the best of them.
 * @param genesis hash to insist on; null: the first endpoint that answers, in order of preference, decides
 * @param now the clock that `rpc` was made with, in milliseconds
 * @param deadline reading of it for all later calls
 */
export async function chooseEndpoints(options: {
  rpc: Rpc;
  genesis: string | null;
  now: () => number;
  deadline: number;
}): Promise<EndpointChoice> {
  const { rpc, now, deadline } = options;
  const probeDeadline = Math.min(deadline, now() + PROBE_MILLISECONDS);
  const probes = await Promise.all(
    rpc.endpoints.map((endpoint) => probe(endpoint.until(probeDeadline), endpoint.until(deadline))),
  );
  const answered = probes.filter((one) => "reader" in one);
  const refused = probes.flatMap((one) => ("refused" in one ? [one.refused] : []));
  const genesis = options.genesis ?? answered[0]?.genesis ?? null;
  const ours = answered.filter((one) => one.genesis === genesis);
  const bestSlot = Math.max(...ours.map(({ epoch }) => epoch.absoluteSlot));
  const usable: UsableEndpoint[] = [];
  for (const { reader, genesis: found, epoch } of answered) {
    const slotsBehind = bestSlot - epoch.absoluteSlot;
    if (found !== genesis) refused.push(`${reader.label}: genesis hash is ${found}, not ${genesis ?? ""}`);
    else if (slotsBehind > BEHIND_SLOTS) refused.push(`${reader.label}: ${slotsBehind} slots behind the best endpoint`);
    else usable.push({ reader, epoch });
  }
  return { usable, refused, genesis };
}

/**
 * The genesis hash of the first endpoint that answers, for a cluster whose hash is not known beforehand.
 * @throws {RpcError} when none answers
 */
export async function readGenesis(options: RpcOptions & { deadline: number }): Promise<string> {
  const rpc = createRpc(options);
  try {
    return await withFailover(rpc.endpoints, (endpoint) => readGenesisHash(endpoint.until(options.deadline)));
  } finally {
    await rpc.close();
  }
}

/** Asks with the short deadline of a probe; the reader it hands on has the long one. */
async function probe(asked: RpcReader, reader: RpcReader): Promise<Probe> {
  try {
    const [genesis, , epoch] = await Promise.all([readGenesisHash(asked), assertHealthy(asked), readEpochInfo(asked)]);
    return { reader, genesis, epoch };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { refused: error.message };
  }
}

function readGenesisHash(reader: RpcReader): Promise<string> {
  return reader.call({ method: "getGenesisHash", schema: publicKeySchema });
}

/** @throws {RpcError} when the node says it is behind. A node that does not offer the method is judged by its slot alone. */
async function assertHealthy(reader: RpcReader): Promise<void> {
  try {
    await reader.call({ method: "getHealth", schema: z.string() });
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== "refused") throw error;
  }
}
