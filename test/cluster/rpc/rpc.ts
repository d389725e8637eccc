import { z } from "zod";
import type { View } from "./endpoints.ts";
import { toJson, RpcError } from "./params.ts";
import {
  getAccountInfo,
  getMinimumBalanceForRentExemption,
  getMultipleAccounts,
  getProgramAccounts,
  getProgramAccountsV2,
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
import { getInflationRate, getSupply } from "./issuance.ts";
import { getBlockProduction, getVoteAccounts } from "./votes.ts";
import { getFirstAvailableBlock, getSignaturesForAddress, getTransaction } from "./transactions.ts";

type Method = (view: View, params: unknown) => string | Iterable<Buffer>;

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>(
  Object.entries({
    getAccountInfo,
    getAgGenesisCert,
    getBlockProduction,
    getBlockTime,
    getClusterNodes,
    getEpochInfo,
    getEpochSchedule,
    getFirstAvailableBlock,
    getGenesisHash,
    getHealth,
    getInflationRate,
    getMinimumBalanceForRentExemption,
    getMultipleAccounts,
    getProgramAccounts,
    getProgramAccountsV2,
    getRecentPerformanceSamples,
    getSignaturesForAddress,
    getSlot,
    getSupply,
    getTransaction,
    getVersion,
    getVoteAccounts,
  }),
);

const requestSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).default(null),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});

export function answerRpc(view: View, body: string): Buffer[] {
  let id: string | number | null = null;
  try {
    const request = parseRequest(body);
    id = request.id;
    const method = METHODS.get(request.method);
    if (method === undefined) throw new RpcError("methodNotFound", "Method not found");
    const result = method(view, request.params);
    const pieces = typeof result === "string" ? [Buffer.from(result)] : result;
    return [
      Buffer.from('{"jsonrpc":"2.0","result":'),
      ...pieces,
      Buffer.from(`,"id":${toJson(id)}}`),
    ];
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, message, data } = error;
    return [Buffer.from(toJson({ jsonrpc: "2.0", error: { code, message, data }, id }))];
  }
}

function parseRequest(body: string): z.output<typeof requestSchema> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new RpcError("parseError", "Parse error");
  }
  const request = requestSchema.safeParse(value);
  if (!request.success) throw new RpcError("invalidRequest", "Invalid request");
  return request.data;
}
