import { examineEndpoint, type EndpointExamination } from "../../../generator/observe/endpoint-examination.ts";
import { judgeEndpoints } from "../../../generator/service/doctor/endpoints.ts";
import type { Finding } from "../../../generator/service/doctor/findings.ts";
import { GENESIS_HASHES } from "../../../generator/rpc/ranking.ts";
import { createRpc } from "../../../generator/rpc/rpc.ts";
import { key } from "../../observe/fixtures.ts";
import { startNode, type Methods } from "../../rpc/rpc-server.ts";

export const VOTE_ROW = {
  votePubkey: key(1),
  nodePubkey: key(2),
  activatedStake: 5_000_000_000,
  commission: 5,
  inflationRewardsCommissionBps: 500,
  epochVoteAccount: true,
  epochCredits: [],
  lastVote: 999_990,
  rootSlot: 999_980,
};

/** Of the newest transaction. */
export const SIGNATURE = "5".repeat(88);

/** A healthy node of mainnet, with exceptions. */
export function wellNode(otherwise: Methods = {}): Methods {
  return {
    getGenesisHash: GENESIS_HASHES.mainnet,
    getHealth: "ok",
    getVersion: { "solana-core": "4.2.1" },
    getEpochInfo: { epoch: 1060, slotIndex: 999, slotsInEpoch: 432_000, absoluteSlot: 1_000_000 },
    getVoteAccounts: { current: [VOTE_ROW], delinquent: [] },
    getBlockTime: 1_795_132_800,
    getMultipleAccounts: { context: { slot: 1_000_000 }, value: [null] },
    getClusterNodes: [{ pubkey: key(2) }],
    getBlockProduction: { value: { byIdentity: {} } },
    getProgramAccounts: [],
    getProgramAccountsV2: { accounts: [], paginationKey: null },
    getRecentPerformanceSamples: [{ numSlots: 300, samplePeriodSecs: 60, slot: 1 }],
    getEpochSchedule: { slotsPerEpoch: 432_000 },
    getAgGenesisCert: null,
    getInflationRate: { total: 0.04, validator: 0.04, foundation: 0, epoch: 1060 },
    getSupply: { context: { slot: 1_000_000 }, value: { total: 620_000_000_000_000_000n } },
    getMinimumBalanceForRentExemption: 650_240,
    getSignaturesForAddress: [{ signature: SIGNATURE, slot: 999_999, err: null }],
    getTransaction: null,
    getFirstAvailableBlock: 100_000,
    ...otherwise,
  };
}

export function nodeWithout(...methods: string[]): Methods {
  return Object.fromEntries(Object.entries(wellNode()).filter(([method]) => !methods.includes(method)));
}

/** Records the parameters of each call. */
export function spyOn(node: Methods): { spying: Methods; asked: Map<string, unknown[][]> } {
  const asked = new Map<string, unknown[][]>();
  const spies = Object.entries(node).map(([method, answer]) => [
    method,
    (params: unknown[]) => {
      asked.set(method, [...(asked.get(method) ?? []), params]);
      return answer;
    },
  ]);
  return { spying: Object.fromEntries(spies) as Methods, asked };
}

/** Examines nodes as a network's endpoints, preferred first. */
export async function examineNodes(nodes: Methods[], now = Date.now): Promise<EndpointExamination[]> {
  const servers = await Promise.all(nodes.map(startNode));
  try {
    return await examineAddresses(
      servers.map(({ url }) => url),
      now,
    );
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

/** Examines addresses as a network's endpoints, without waits between tries. */
export async function examineAddresses(addresses: string[], now = Date.now): Promise<EndpointExamination[]> {
  const timer = () => performance.now();
  const rpc = createRpc({ endpoints: addresses, now: timer, sleep: () => Promise.resolve() });
  try {
    return await Promise.all(rpc.endpoints.map((endpoint) => examineEndpoint({ endpoint, now, timer })));
  } finally {
    await rpc.close();
  }
}

export function judge(examinations: EndpointExamination[]) {
  return judgeEndpoints("mainnet", GENESIS_HASHES.mainnet, examinations);
}

/** `level subject: found → advice`. */
export function told({ level, subject, found, advice }: Finding): string {
  return `${level} ${subject}: ${found}${advice === null ? "" : ` → ${advice}`}`;
}
