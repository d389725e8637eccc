import { onTestFinished } from "vitest";
import type { Network } from "../../../generator/contract/networks.ts";
import { createDispatcher } from "../../../generator/rpc/http.ts";
import { GENESIS_HASHES } from "../../../generator/rpc/genesis.ts";
import {
  LIMITS,
  type CheckContext,
  type Finding,
} from "../../../generator/service/doctor/check.ts";
import { checkEndpoints } from "../../../generator/service/doctor/endpoints.ts";
import type { Settings } from "../../../generator/settings/settings.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { voteRow } from "../../observe/cluster.ts";
import { key } from "../../observe/fixtures.ts";
import { startNode, type Methods } from "../../rpc/rpc-server.ts";
import { makeSettings } from "../settings.ts";

export const VOTE_ROW = voteRow(1, {
  nodePubkey: key(2),
  commission: 5,
  inflationRewardsCommissionBps: 500,
  lastVote: 999_990,
});

/** Of the newest transaction. */
const SIGNATURE = "5".repeat(88);

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
  return Object.fromEntries(
    Object.entries(wellNode()).filter(([method]) => !methods.includes(method)),
  );
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

/** Never rings. */
export const clockAt = (now = Date.now) => ({
  now,
  timer: () => performance.now(),
  sleepUntil: (time: number) =>
    time <= now() ? Promise.resolve() : new Promise<void>(() => undefined),
});

/** What a check looks at: empty stores in memory, no setting, no limit. */
export function makeContext(
  changes: Partial<Omit<CheckContext, "settings">> = {},
  settings: Partial<Settings> = {},
) {
  return {
    settings: makeSettings(settings),
    networks: ["mainnet", "testnet"] as const,
    publicStore: openMemoryStore(),
    stateStore: openMemoryStore(),
    clock: clockAt(),
    dispatcher: createDispatcher(),
    signal: new AbortController().signal,
    limits: LIMITS,
    ...changes,
  } satisfies CheckContext;
}

/** The findings of nodes as the network's endpoints, preferred first. */
export async function checkNodes(
  nodes: Methods[],
  now = Date.now,
  network: Network = "mainnet",
): Promise<string[]> {
  const servers = await Promise.all(nodes.map(startNode));
  for (const server of servers) onTestFinished(() => server.close());
  const addresses = servers.map(({ url }) => url);
  return checkAddresses(addresses, { clock: clockAt(now) }, network);
}

export async function checkAddresses(
  addresses: string[],
  changes: Partial<CheckContext> = {},
  network: Network = "mainnet",
): Promise<string[]> {
  const { rpcUrls } = makeSettings({});
  const context = makeContext(changes, { rpcUrls: { ...rpcUrls, [network]: addresses } });
  return (await checkEndpoints(network, context)).map(toFindingLine);
}

/** `level subject: found → advice`. */
export function toFindingLine({ level, subject, found, advice }: Finding): string {
  return `${level} ${subject}: ${found}${advice === null ? "" : ` → ${advice}`}`;
}
