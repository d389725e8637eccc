import { z } from "zod";
import type { Network } from "../contract/networks.ts";
import { WITNESSES_MAX } from "../contract/values.ts";
import type { Dating } from "./clock.ts";
import { readEpochInfo, type EpochInfo } from "./epoch.ts";
import { withReaders } from "./retry.ts";
import { publicKeySchema } from "../chain/public-key.ts";
import { createRpc, type Rpc, type RpcEndpoint, type RpcOptions } from "./rpc.ts";
import type { RpcReader } from "./reader.ts";
import { RpcError, type RpcErrorKind } from "./error.ts";

/** null: to be learned at first contact. */
export const GENESIS_HASHES: Record<Network, string | null> = {
  mainnet: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  testnet: "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY",
  alpenglow: null,
};

/** A node so many slots from the cluster is elsewhere. Never judged by clock: slots have no fixed length. */
export const BEHIND_SLOTS = 150;

/** Longest wait for an endpoint, where there are others. */
const PROBE_MILLISECONDS = 8_000;

/** How a gateway can answer what it does not know. */
const NOT_OFFERED: ReadonlySet<RpcErrorKind> = new Set(["refused", "forbidden", "http", "rpc"]);

/** An endpoint that passed, with the epoch reading it passed by. */
export interface UsableEndpoint {
  reader: RpcReader;
  /** The same endpoint with another deadline than the reader's. */
  until: RpcEndpoint["until"];
  epoch: EpochInfo;
}

/** Who stands behind one origin: one witness, however many addresses lead there. */
export interface Witness {
  /** Of its first endpoint that can be used, or of its first. */
  label: string;
  /** Preferred first; none: it cannot be asked, and `reason` says why. */
  endpoints: UsableEndpoint[];
  reason: string | null;
}

/** What decides who is read first: nothing of it refuses anybody. */
export interface Ranking {
  /** By the slots that the witnesses told; null: nobody knows better than their median. */
  findClusterSlot: (slots: number[]) => number | null;
  /** The first one first; those that are not named come before them. */
  turns: readonly string[];
}

export const NO_RANKING: Ranking = { findClusterSlot: () => null, turns: [] };

export interface EndpointChoice {
  /** Where the cluster is: the witnesses in their turns, then the others; then those elsewhere, the nearest first. */
  usable: UsableEndpoint[];
  /** The first origins of the list, at most four, in its order. */
  witnesses: Witness[];
  /** Why each of the others is not used, naming it by its label. */
  refused: string[];
  /** Whether one of those answered, and is not used because it is behind. */
  isOneBehind: boolean;
  /** The genesis hash that all usable endpoints have; null when none answered. */
  genesis: string | null;
}

type Probe = { endpoint: RpcEndpoint; genesis: string; epoch: EpochInfo } | { refused: RpcError };

/**
 * The endpoints fit to be read now: of the right cluster, healthy by their own word, their clock like ours, those
 * elsewhere than most last.
 * Nothing is remembered from the last observation: behind one address stand many nodes, and it may be pointed elsewhere
 * at any time. Three small calls of the 100 allowed in 10 seconds, and the time of the slowest.
 * @param genesis hash to insist on; null: the first endpoint that answers decides
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
  ranking?: Ranking;
}): Promise<EndpointChoice> {
  const { rpc, now, deadline, dating, ranking = NO_RANKING } = options;
  const isAlone = rpc.endpoints.length === 1;
  const probeDeadline = isAlone ? deadline : Math.min(deadline, now() + PROBE_MILLISECONDS);
  const probes = await Promise.all(rpc.endpoints.map((endpoint) => probe(endpoint, probeDeadline, dating)));
  const answered = probes.filter((one) => "endpoint" in one);
  const genesis = options.genesis ?? answered[0]?.genesis ?? null;
  const results = probes.map((one, index): Examined => {
    const { label = "", until } = rpc.endpoints[index] ?? {};
    if ("refused" in one) return { label, refused: one.refused.message, isBehind: one.refused.kind === "behind" };
    if (one.genesis !== genesis)
      return { label, refused: `${label}: genesis hash is ${one.genesis}, not ${genesis ?? ""}`, isBehind: false };
    return {
      label,
      usable: { reader: one.endpoint.until(deadline), until: until ?? one.endpoint.until, epoch: one.epoch },
    };
  });
  const witnesses = toWitnesses(results);
  const slots = witnesses.flatMap(({ endpoints: [first] }) => first?.epoch.absoluteSlot ?? []);
  const clusterSlot = ranking.findClusterSlot(slots) ?? medianOf(slots);
  const usable = results.flatMap((one) => ("usable" in one ? [one.usable] : []));
  const refused = results.flatMap((one) => ("refused" in one ? [one.refused] : []));
  return {
    usable: rank(usable, { clusterSlot, turns: ranking.turns, witnesses }),
    witnesses,
    refused,
    isOneBehind: results.some((one) => "refused" in one && one.isBehind),
    genesis,
  };
}

type Examined = { label: string; usable: UsableEndpoint } | { label: string; refused: string; isBehind: boolean };

/** By origin: a refused endpoint leaves its witness to the others there. */
function toWitnesses(examined: readonly Examined[]): Witness[] {
  const byOrigin = [...Map.groupBy(examined, ({ label }) => toOrigin(label)).values()].slice(0, WITNESSES_MAX);
  return byOrigin.map((own) => {
    const endpoints = own.flatMap((one) => ("usable" in one ? [one.usable] : []));
    const reason = own.flatMap((one) => ("refused" in one ? [one.refused] : [])).join("; ");
    const label = endpoints[0]?.reader.label ?? own[0]?.label ?? "";
    return { label, endpoints, reason: endpoints.length > 0 ? null : reason };
  });
}

/** The origin in a label, `ORIGIN#POSITION`. */
export function toOrigin(label: string): string {
  return label.replace(/#\d+$/, "");
}

/**
 * Turns, because a liar that is read first could hide what the others show. Who is no witness is read when none of them
 * can be.
 */
function rank(
  endpoints: readonly UsableEndpoint[],
  { clusterSlot, turns, witnesses }: { clusterSlot: number; turns: readonly string[]; witnesses: readonly Witness[] },
): UsableEndpoint[] {
  const ofWitnesses = new Set(witnesses.flatMap((witness) => witness.endpoints));
  const roundOf = (endpoint: UsableEndpoint) => (ofWitnesses.has(endpoint) ? 0 : 1);
  const distanceOf = ({ epoch }: UsableEndpoint) => Math.abs(epoch.absoluteSlot - clusterSlot);
  const turnOf = ({ reader }: UsableEndpoint) => turns.indexOf(toOrigin(reader.label));
  const isInPlace = (endpoint: UsableEndpoint) => distanceOf(endpoint) <= BEHIND_SLOTS;
  return [
    ...endpoints.filter(isInPlace).sort((a, b) => roundOf(a) - roundOf(b) || turnOf(a) - turnOf(b)),
    ...endpoints.filter((endpoint) => !isInPlace(endpoint)).sort((a, b) => distanceOf(a) - distanceOf(b)),
  ];
}

/** The upper one of two in the middle: who is behind is likelier than who is ahead. */
export function medianOf(slots: readonly number[]): number {
  return [...slots].sort((a, b) => a - b)[Math.floor(slots.length / 2)] ?? 0;
}

export function areLevel({ epoch: one }: UsableEndpoint, { epoch: other }: UsableEndpoint): boolean {
  return one.epoch === other.epoch && Math.abs(one.absoluteSlot - other.absoluteSlot) <= BEHIND_SLOTS;
}

/** @throws {RpcError} when none answers */
export async function readGenesis(options: RpcOptions & { deadline: number }): Promise<string> {
  const rpc = createRpc(options);
  try {
    const readers = rpc.endpoints.map((endpoint) => endpoint.until(options.deadline));
    return await withReaders(readers, readGenesisHash);
  } finally {
    await rpc.close();
  }
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

/** Being left alone says nothing against it: its slot is read. */
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
 * One that does not offer the method, however it says so, is judged by its slot alone.
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
