import { z } from "zod";
import type { Network } from "../contract/networks.ts";
import { readEpochInfo, type EpochInfo } from "./epoch.ts";
import { withReaders } from "./failover.ts";
import { publicKeySchema } from "./public-key.ts";
import { createRpc, type Rpc, type RpcEndpoint, type RpcOptions, type RpcReader } from "./rpc.ts";
import { RpcError } from "./rpc-error.ts";

/** Genesis hashes, which tell clusters apart; null: to be learned at first contact. */
export const GENESIS_HASHES: Record<Network, string | null> = {
  mainnet: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  testnet: "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY",
  alpenglow: null,
};

/** A node so many slots under the best endpoint is behind. Never judged by clock: slots have no fixed length. */
export const BEHIND_SLOTS = 150;

/** Longest wait for an endpoint to show that it is usable, where there are others. */
const PROBE_MILLISECONDS = 8_000;

/** An endpoint that passed, with the epoch reading it passed by. */
export interface UsableEndpoint {
  reader: RpcReader;
  /** The same endpoint with another deadline than the reader's. */
  until: RpcEndpoint["until"];
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

type Probe = { endpoint: RpcEndpoint; genesis: string; epoch: EpochInfo } | { refused: string };

/**
 * The endpoints fit to be read from now: of the right cluster, healthy by their own word, and not behind the best of them.
 *
 * All of it is asked before every observation and nothing is remembered from the last one, the genesis hash included:
 * behind one address stand many nodes, and who runs it may point it elsewhere at any time. It costs three small calls of
 * 100 that are allowed in 10 seconds, and no time but the slowest of them, for they run at once.
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
  const isAlone = rpc.endpoints.length === 1;
  const probeDeadline = isAlone ? deadline : Math.min(deadline, now() + PROBE_MILLISECONDS);
  const probes = await Promise.all(rpc.endpoints.map((endpoint) => probe(endpoint, probeDeadline)));
  const answered = probes.filter((one) => "endpoint" in one);
  const refused = probes.flatMap((one) => ("refused" in one ? [one.refused] : []));
  const genesis = options.genesis ?? answered[0]?.genesis ?? null;
  const ours = answered.filter((one) => one.genesis === genesis);
  const bestSlot = Math.max(...ours.map(({ epoch }) => epoch.absoluteSlot));
  const usable: UsableEndpoint[] = [];
  for (const { endpoint, genesis: found, epoch } of answered) {
    const { label, until } = endpoint;
    const slotsBehind = bestSlot - epoch.absoluteSlot;
    if (found !== genesis) refused.push(`${label}: genesis hash is ${found}, not ${genesis ?? ""}`);
    else if (slotsBehind > BEHIND_SLOTS) refused.push(`${label}: ${slotsBehind} slots behind the best endpoint`);
    else usable.push({ reader: until(deadline), until, epoch });
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
    const readers = rpc.endpoints.map((endpoint) => endpoint.until(options.deadline));
    return await withReaders(readers, readGenesisHash);
  } finally {
    await rpc.close();
  }
}

async function probe(endpoint: RpcEndpoint, deadline: number): Promise<Probe> {
  const reader = endpoint.until(deadline);
  try {
    const answers = await Promise.all([readGenesisHash(reader), assertHealthy(reader), readEpochInfo(reader)]);
    return { endpoint, genesis: answers[0], epoch: answers[2] };
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
    if (!(error instanceof RpcError) || !["refused", "forbidden"].includes(error.kind)) throw error;
  }
}
