import { renderClientId } from "./clients.ts";
import type { View } from "./endpoints.ts";
import { toJson } from "./json.ts";
import type { NodeState } from "./node-story.ts";

const SHRED_VERSION = 50_093;
const FEATURE_SET = 1_234_567_890;

/** What the answering node sees in gossip: validators and nodes that do not vote. */
export function getClusterNodes(view: View): string {
  const { state, endpoint, cluster } = view;
  const validators = state.nodes.map((node) => toRow(node, endpoint === "second"));
  return toJson([...validators, ...toRpcNodes(cluster.members.slice(0, Math.ceil(cluster.members.length / 20)))]);
}

function toRow(node: NodeState, knowsNewNames: boolean) {
  const at = (port: number) => (node.ip.includes(":") ? `[${node.ip}]:${port}` : `${node.ip}:${port}`);
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

/** Nodes that serve RPC and have no vote account: the stakers' keys are nobody's identity. */
function toRpcNodes(owners: View["cluster"]["members"]) {
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
