import { NODES_DIFFER_SLOTS } from "../chain/slots.ts";
import { medianOf } from "../contract/numbers.ts";
import { originOf } from "../contract/origin.ts";
import { z } from "zod";
import { WITNESSES_MAX } from "../contract/panel.ts";
import type { Dating } from "./clock.ts";
import type { Grace, WithGrace } from "./grace.ts";
import { readEpochInfo, type EpochInfo } from "./epoch.ts";
import { readGenesisHash } from "./genesis.ts";
import type { Rpc, RpcEndpoint } from "./rpc.ts";
import type { RpcReader } from "./reader.ts";
import { RpcError, type RpcErrorKind } from "./error.ts";

/**
 * How long an observation waits for an endpoint's first answer, unless a majority has answered
 * sooner. It waits for an only endpoint until its deadline.
 */
export const PROBE_MILLISECONDS = 8_000;

/** Kinds of error by which gateways answer unknown methods. */
const NOT_OFFERED: ReadonlySet<RpcErrorKind> = new Set(["refused", "forbidden", "http", "rpc"]);

/** An endpoint that passed its probe. */
export interface UsableEndpoint {
  reader: RpcReader;
  until: RpcEndpoint["until"];
  epoch: EpochInfo;
}

/** A witness: all endpoints of one origin. `reason` says why none is usable; null: one is. */
export interface Witness {
  /** `ORIGIN#POSITION` of its first usable endpoint or, without one, of its first. */
  label: string;
  /** Usable endpoints, preferred first. */
  endpoints: UsableEndpoint[];
  reason: string | null;
}

/** Decides where the cluster is, which orders the endpoints and refuses none. */
export interface Ranking {
  /** Returns the cluster's slot, given one slot of each witness; null: take their median. */
  findClusterSlot: (slots: number[]) => number | null;
}

/**
 * The median of the witnesses decides where the cluster is; of two the higher one, because nodes
 * are more often behind than ahead.
 */
export const NO_RANKING: Ranking = { findClusterSlot: () => null };

interface EndpointChoice {
  /**
   * Endpoints near the cluster's slot, witnesses first, each as configured; then the others,
   * nearest first.
   */
  usable: UsableEndpoint[];
  clusterSlot: number;
  /** The first four origins. */
  witnesses: Witness[];
  refused: string[];
  /** Whether an endpoint was refused only because it is behind. */
  isOneBehind: boolean;
}

type Probe = { endpoint: RpcEndpoint } & (
  { genesis: string; epoch: EpochInfo } | { refused: RpcError }
);

/**
 * Probes all endpoints at once and keeps those with the right genesis, a healthy node, and a clock
 * like ours. It remembers nothing, because an address may lead to many nodes. It costs three small
 * calls an endpoint.
 * @param deadline by `now`, for all later calls of the readers
 */
export async function chooseEndpoints(options: {
  rpc: Rpc;
  genesis: string;
  now: () => number;
  deadline: number;
  dating: Dating;
  withGrace: WithGrace;
  ranking?: Ranking;
}): Promise<EndpointChoice> {
  const { rpc, genesis, now, deadline, dating, withGrace, ranking = NO_RANKING } = options;
  const isAlone = rpc.endpoints.length === 1;
  const probeDeadline = isAlone ? deadline : Math.min(deadline, now() + PROBE_MILLISECONDS);
  const origins = [...new Set(rpc.endpoints.map(({ label }) => originOf(label)))];
  const probes = await withGrace(origins.slice(0, WITNESSES_MAX), (grace) =>
    Promise.all(
      rpc.endpoints.map((endpoint) => probe(endpoint, { deadline: probeDeadline, dating, grace })),
    ),
  );
  const results = probes.map((one): Examined => {
    const { label, until } = one.endpoint;
    if ("refused" in one)
      return { label, refused: one.refused.message, isBehind: one.refused.kind === "behind" };
    if (one.genesis !== genesis)
      return {
        label,
        refused: `${label}: genesis hash is ${one.genesis}, not ${genesis}`,
        isBehind: false,
      };
    return { label, usable: { reader: until(deadline), until, epoch: one.epoch } };
  });
  const witnesses = toWitnesses(results);
  const slots = witnesses.flatMap(({ endpoints: [first] }) => first?.epoch.absoluteSlot ?? []);
  const clusterSlot = ranking.findClusterSlot(slots) ?? medianOf(slots) ?? 0;
  const usable = results.flatMap((one) => ("usable" in one ? [one.usable] : []));
  const refused = results.flatMap((one) => ("refused" in one ? [one.refused] : []));
  return {
    usable: rank(usable, { clusterSlot, witnesses }),
    clusterSlot,
    witnesses,
    refused,
    isOneBehind: results.some((one) => "refused" in one && one.isBehind),
  };
}

type Examined =
  { label: string; usable: UsableEndpoint } | { label: string; refused: string; isBehind: boolean };

/**
 * Groups endpoints by origin. A refused endpoint leaves its witness to the others of that origin.
 */
function toWitnesses(examined: readonly Examined[]): Witness[] {
  const byOrigin = [...Map.groupBy(examined, ({ label }) => originOf(label)).values()].slice(
    0,
    WITNESSES_MAX,
  );
  return byOrigin.map((own) => {
    const endpoints = own.flatMap((one) => ("usable" in one ? [one.usable] : []));
    const reason = own.flatMap((one) => ("refused" in one ? [one.refused] : [])).join("; ");
    const label = endpoints[0]?.reader.label ?? own[0]?.label ?? "";
    return { label, endpoints, reason: endpoints.length > 0 ? null : reason };
  });
}

function rank(
  endpoints: readonly UsableEndpoint[],
  { clusterSlot, witnesses }: { clusterSlot: number; witnesses: readonly Witness[] },
): UsableEndpoint[] {
  const ofWitnesses = new Set(witnesses.flatMap((witness) => witness.endpoints));
  const roundOf = (endpoint: UsableEndpoint) => (ofWitnesses.has(endpoint) ? 0 : 1);
  const distanceOf = ({ epoch }: UsableEndpoint) => Math.abs(epoch.absoluteSlot - clusterSlot);
  const isNearCluster = (endpoint: UsableEndpoint) => distanceOf(endpoint) <= NODES_DIFFER_SLOTS;
  return [
    ...endpoints.filter(isNearCluster).sort((a, b) => roundOf(a) - roundOf(b)),
    ...endpoints
      .filter((endpoint) => !isNearCluster(endpoint))
      .sort((a, b) => distanceOf(a) - distanceOf(b)),
  ];
}

/** Whether two endpoints are in the same epoch and as near as healthy nodes are. */
export function areLevel(
  { epoch: one }: UsableEndpoint,
  { epoch: other }: UsableEndpoint,
): boolean {
  return (
    one.epoch === other.epoch &&
    Math.abs(one.absoluteSlot - other.absoluteSlot) <= NODES_DIFFER_SLOTS
  );
}

async function probe(
  endpoint: RpcEndpoint,
  { deadline, dating, grace }: { deadline: number; dating: Dating; grace: Grace },
): Promise<Probe> {
  const reader = endpoint.until(deadline, grace.cut);
  try {
    const answers = await Promise.all([
      readGenesisHash(reader),
      assertHealthy(reader),
      readEpochInfo(reader, dating.assertAgrees),
    ]);
    grace.answered(originOf(endpoint.label));
    return { endpoint, genesis: answers[0], epoch: answers[2] };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { endpoint, refused: error };
  }
}

/**
 * Checks the health of a node. A resting endpoint counts as healthy, because its slot is read
 * anyway.
 */
async function assertHealthy(reader: RpcReader): Promise<void> {
  try {
    await readHealth(reader);
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== "resting") throw error;
  }
}

/** A node that is not healthy answers with an error. */
const healthSchema = z.unknown();

/**
 * Asks a node whether it is healthy. Where the method is not offered, the slot alone decides.
 * @throws {RpcError} `behind`, or why it did not answer
 */
export async function readHealth(reader: RpcReader): Promise<"ok" | "not offered"> {
  try {
    await reader.call({ method: "getHealth", schema: healthSchema });
    return "ok";
  } catch (error) {
    if (error instanceof RpcError && NOT_OFFERED.has(error.kind)) return "not offered";
    throw error;
  }
}
