import { z } from "zod";
import type { ClusterView } from "./endpoints.ts";
import { RpcFailure } from "./failure.ts";
import { assertContextSlot, contextConfigSchema, parseParams } from "./params.ts";
import type { View } from "./view.ts";
import { renderClientId, type NodeState } from "../chain/nodes.ts";

/** `lagging` predates the basis points field. */
const NODE_VERSIONS = { first: "4.2.1", second: "4.2.0", lagging: "4.0.3" } as const;

const contextParams = z.tuple([contextConfigSchema.optional()]);
const sampleParams = z.tuple([z.int().min(1).max(720).optional()]);

const SKIPPED_PERIOD = 25;
const TRANSACTIONS_PER_SLOT = 900n;
const SAMPLE_MILLISECONDS = 60_000;

export function getGenesisHash(view: View): string {
  return view.genesisHash();
}

export function getHealth({ slotsBehind }: View): string {
  if (slotsBehind === 0) return "ok";
  throw new RpcFailure("nodeUnhealthy", `Node is behind by ${slotsBehind} slots`, {
    numSlotsBehind: slotsBehind,
  });
}

export function getVersion({ endpoint }: ClusterView): object {
  return { "feature-set": 1_234_567_890, "solana-core": NODE_VERSIONS[endpoint] };
}

export function getSlot(view: View, params: unknown): number {
  const [config] = parseParams(contextParams, params);
  assertContextSlot(view, config);
  return view.slot;
}

export function getEpochInfo(view: View, params: unknown): object {
  const [config] = parseParams(contextParams, params);
  assertContextSlot(view, config);
  const place = view.epoch();
  const { absoluteSlot: slot } = place;
  return {
    ...place,
    blockHeight: slot - Math.floor(slot / SKIPPED_PERIOD),
    transactionCount: BigInt(slot) * TRANSACTIONS_PER_SLOT,
  };
}

export function getEpochSchedule(view: View): object {
  return view.schedule();
}

export function getRecentPerformanceSamples(
  { cluster, state }: ClusterView,
  params: unknown,
): object[] {
  const [limit] = parseParams(sampleParams, params);
  const numSlots = cluster.calendar.slotsIn(SAMPLE_MILLISECONDS);
  const { slot, ordinal, epoch } = state.moment;
  const newest = slot - (slot % numSlots);
  const oldest = cluster.calendar.firstSlotOf(epoch - ordinal) + numSlots;
  const samples = Array.from({ length: limit ?? 720 }, (_, age) => newest - age * numSlots)
    .filter((sampled) => sampled >= oldest)
    .map((sampled) => ({
      numNonVoteTransactions: numSlots * 300,
      numSlots,
      numTransactions: numSlots * Number(TRANSACTIONS_PER_SLOT),
      samplePeriodSecs: SAMPLE_MILLISECONDS / 1000,
      slot: sampled,
    }));
  return samples;
}

export function getAgGenesisCert({ cluster }: ClusterView): object | null {
  if (cluster.migrationEpoch === null) return null;
  const bytes = (count: number, from: number) =>
    Array.from({ length: count }, (_, index) => (from + index * 37) % 256);
  const slot = cluster.calendar.firstSlotOf(cluster.migrationEpoch) + 5000;
  return {
    block: { slot, block_id: bytes(32, cluster.options.seed) },
    signature: {
      signature: bytes(192, cluster.options.seed + 1),
      bitmap: bytes(25, cluster.options.seed + 2),
    },
  };
}

const blockTimeParams = z.tuple([z.int().min(0)]);

/** Seconds since 1970. */
export function getBlockTime({ cluster, state }: ClusterView, params: unknown): number {
  const [slot] = parseParams(blockTimeParams, params);
  if (slot > state.moment.slot)
    throw new RpcFailure("invalidParams", `Block not available for slot ${slot}`);
  const { ordinal, slotIndex } = cluster.calendar.momentOfSlot(slot);
  return Math.floor(cluster.calendar.timeOf(ordinal, slotIndex) / 1000);
}

const SHRED_VERSION = 50_093;
const FEATURE_SET = 1_234_567_890;

export function getClusterNodes(view: ClusterView): object[] {
  const { state, endpoint, cluster } = view;
  const validators = state.nodes.map((node) => toRow(node, endpoint === "second"));
  return [
    ...validators,
    ...toRpcNodes(cluster.members.slice(0, Math.ceil(cluster.members.length / 20))),
  ];
}

function toRow(node: NodeState, knowsNewNames: boolean) {
  const at = (port: number) =>
    node.ip.includes(":") ? `[${node.ip}]:${port}` : `${node.ip}:${port}`;
  return {
    clientId: renderClientId(node.member, knowsNewNames),
    featureSet: FEATURE_SET,
    gossip: at(8001),
    pubkey: node.identity,
    pubsub: null,
    rpc: null,
    serveRepair: at(8012),
    shredVersion: SHRED_VERSION,
    tpu: null,
    tpuForwards: null,
    tpuForwardsQuic: null,
    tpuQuic: at(8009),
    tpuVote: at(8005),
    tvu: at(8002),
    version: node.version,
  };
}

/** They have no vote account. */
function toRpcNodes(owners: ClusterView["cluster"]["members"]) {
  return owners.map(({ index, staker }) => ({
    clientId: "Agave",
    featureSet: null,
    gossip: `11.1.255.${index % 256}:8001`,
    pubkey: staker.address,
    pubsub: `11.1.255.${index % 256}:8900`,
    rpc: `11.1.255.${index % 256}:8899`,
    shredVersion: null,
    tvu: null,
    version: null,
  }));
}
