import { z } from "zod";
import type { ClusterView } from "./endpoints.ts";
import { RpcFailure, toFailureReply } from "./failure.ts";
import { JsonPieces, replyOf, toReply } from "./json.ts";
import {
  getAccountInfo,
  getMinimumBalanceForRentExemption,
  getMultipleAccounts,
} from "./accounts.ts";
import {
  getBlockTime,
  getAgGenesisCert,
  getEpochInfo,
  getEpochSchedule,
  getGenesisHash,
  getHealth,
  getRecentPerformanceSamples,
  getSlot,
  getVersion,
  getClusterNodes,
} from "./node.ts";
import { getInflationRate, getInflationReward, getSupply } from "./issuance.ts";
import { getProgramAccounts, getProgramAccountsV2 } from "./program-accounts.ts";
import { getBlockProduction, getVoteAccounts } from "./votes.ts";
import { getFirstAvailableBlock, getSignaturesForAddress, getTransaction } from "./transactions.ts";
import type { View } from "./view.ts";

/** What any view answers. */
const VIEW_METHODS = {
  getAccountInfo,
  getBlockProduction,
  getEpochInfo,
  getEpochSchedule,
  getFirstAvailableBlock,
  getGenesisHash,
  getHealth,
  getMinimumBalanceForRentExemption,
  getMultipleAccounts,
  getSignaturesForAddress,
  getSlot,
  getTransaction,
  getVoteAccounts,
} satisfies Record<string, (view: View, params: unknown) => unknown>;

type ViewMethod = keyof typeof VIEW_METHODS;

const CLUSTER_METHODS = new Map<string, (view: ClusterView, params: unknown) => unknown>(
  Object.entries({
    ...VIEW_METHODS,
    getAgGenesisCert,
    getBlockTime,
    getClusterNodes,
    getInflationRate,
    getInflationReward,
    getProgramAccounts,
    getProgramAccountsV2,
    getRecentPerformanceSamples,
    getSupply,
    getVersion,
  }),
);

/** The result of a method. @throws {RpcFailure} where a node refuses */
export function answer(view: View, method: ViewMethod, params: readonly unknown[]): unknown {
  return VIEW_METHODS[method](view, params);
}

const requestSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});

/** What an endpoint of the simulated cluster replies to a body. */
export function answerRpc(view: ClusterView, body: string): readonly Buffer[] {
  let id: string | number | null = null;
  try {
    const request = parseRequest(body);
    id = request.id;
    const method = CLUSTER_METHODS.get(request.method);
    if (method === undefined) throw new RpcFailure("methodNotFound", "Method not found");
    const result = method(view, request.params);
    if (!(result instanceof JsonPieces)) return [Buffer.from(toReply(id, result))];
    return result.within((place) => replyOf(id, place)).pieces;
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return [Buffer.from(toFailureReply(id, error))];
  }
}

function parseRequest(body: string): z.output<typeof requestSchema> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new RpcFailure("parseError", "Parse error");
  }
  const request = requestSchema.safeParse(value);
  if (!request.success) throw new RpcFailure("invalidRequest", "Invalid request");
  return request.data;
}
