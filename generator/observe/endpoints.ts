import { z } from "zod";
import type { Network } from "../contract/networks.ts";
import type { Dating } from "./dating.ts";
import { readEpochInfo, type EpochInfo } from "./epoch.ts";
import { withReaders } from "./failover.ts";
import { publicKeySchema } from "./public-key.ts";
import { createRpc, type Rpc, type RpcEndpoint, type RpcOptions, type RpcReader } from "./rpc.ts";
import { RpcError, type RpcErrorKind } from "./transport/rpc-error.ts";

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

/** How a gateway can answer what it does not know: by a code of its own, or by a status alone. */
const NOT_OFFERED: ReadonlySet<RpcErrorKind> = new Set(["refused", "forbidden", "http", "rpc"]);

/** An endpoint that passed, with the epoch reading it passed by. */
export interface UsableEndpoint {
  reader: RpcReader;
  /** The same endpoint with another deadline than the reader's. */
  until: RpcEndpoint["until"];
  epoch: EpochInfo;
}

export interface EndpointChoice {
  /**
   * Preferred first; then those behind the best of them, the furthest first, which count only where the answers of the best
   * show that it is not as far as it says.
   */
  usable: UsableEndpoint[];
  /** Why each of the others is not used, naming it by its label. */
  refused: string[];
  /** Whether one of those answered, and is not used because it is behind. */
  isOneBehind: boolean;
  /** The genesis hash that all usable endpoints have; null when none answered. */
  genesis: string | null;
}

type Probe = { endpoint: RpcEndpoint; genesis: string; epoch: EpochInfo } | { refused: RpcError };

/**
 * The endpoints fit to be read from now: of the right cluster, healthy by their own word, their clock like ours, those
 * behind the best of them last.
 *
 * All of it is asked before every observation and nothing is remembered from the last one, the genesis hash included:
 * behind one address stand many nodes, and who runs it may point it elsewhere at any time. It costs three small calls of
 * 100 that are allowed in 10 seconds, and no time but the slowest of them, for they run at once.
 * @param genesis hash to insist on; null: the first endpoint that answers, in order of preference, decides
 * @param now the clock that `rpc` was made with, in milliseconds
 * @param deadline reading of it for all later calls
 * @param dating of the observation that reads from them
 */
export async function chooseEndpoints(options: {
  rpc: Rpc;
  genesis: string | null;
  now: () => number;
  deadline: number;
  dating: Dating;
}): Promise<EndpointChoice> {
  const { rpc, now, deadline, dating } = options;
  const isAlone = rpc.endpoints.length === 1;
  const probeDeadline = isAlone ? deadline : Math.min(deadline, now() + PROBE_MILLISECONDS);
  const probes = await Promise.all(rpc.endpoints.map((endpoint) => probe(endpoint, probeDeadline, dating)));
  const answered = probes.filter((one) => "endpoint" in one);
  const failures = probes.flatMap((one) => ("refused" in one ? [one.refused] : []));
  const refused = failures.map(({ message }) => message);
  const genesis = options.genesis ?? answered[0]?.genesis ?? null;
  const ours = answered.filter((one) => one.genesis === genesis);
  for (const { endpoint, genesis: found } of answered) {
    if (found !== genesis) refused.push(`${endpoint.label}: genesis hash is ${found}, not ${genesis ?? ""}`);
  }
  const usable = ours.map(({ endpoint: { until }, epoch }) => ({ reader: until(deadline), until, epoch }));
  return {
    usable: putBehindLast(usable),
    refused,
    isOneBehind: failures.some(({ kind }) => kind === "behind"),
    genesis,
  };
}

/** Whether neither of two endpoints is behind the other, and both are in the same epoch. */
export function areLevel({ epoch: one }: UsableEndpoint, { epoch: other }: UsableEndpoint): boolean {
  return one.epoch === other.epoch && Math.abs(one.absoluteSlot - other.absoluteSlot) <= BEHIND_SLOTS;
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

function putBehindLast(endpoints: UsableEndpoint[]): UsableEndpoint[] {
  const slotOf = ({ epoch }: UsableEndpoint) => epoch.absoluteSlot;
  const bestSlot = Math.max(...endpoints.map(slotOf));
  const isBehind = (endpoint: UsableEndpoint) => bestSlot - slotOf(endpoint) > BEHIND_SLOTS;
  return [
    ...endpoints.filter((endpoint) => !isBehind(endpoint)),
    ...endpoints.filter(isBehind).sort((a, b) => slotOf(b) - slotOf(a)),
  ];
}

async function probe(endpoint: RpcEndpoint, deadline: number, { assertAgrees }: Dating): Promise<Probe> {
  const reader = endpoint.until(deadline);
  try {
    const answers = await Promise.all([
      readGenesisHash(reader),
      assertHealthy(reader),
      readEpochInfo(reader, assertAgrees),
    ]);
    return { endpoint, genesis: answers[0], epoch: answers[2] };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { refused: error };
  }
}

/** What must not be asked now, because the endpoint wants to be left alone, says nothing against it: its slot is read. */
async function assertHealthy(reader: RpcReader): Promise<void> {
  try {
    await readHealth(reader);
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== "resting") throw error;
  }
}

function readGenesisHash(reader: RpcReader): Promise<string> {
  return reader.call({ method: "getGenesisHash", schema: publicKeySchema });
}

/**
 * Asks a node for its health. One that does not offer the method, however it says so, is judged by its slot alone.
 * @throws {RpcError} when the node says it is behind, or cannot be asked
 */
export async function readHealth(reader: RpcReader): Promise<"ok" | "not offered"> {
  try {
    await reader.call({ method: "getHealth", schema: z.unknown() });
    return "ok";
  } catch (error) {
    if (error instanceof RpcError && NOT_OFFERED.has(error.kind)) return "not offered";
    throw error;
  }
}
