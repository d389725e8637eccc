import { z } from "zod";
import { accountSchema } from "./accounts.ts";
import { COMMITMENT } from "../rpc/epoch.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { STAKE_ACCOUNT_BYTES, STAKE_PROGRAM } from "./stakes/stake-answers.ts";
import { DELEGATION_OFFSET } from "./stakes/stake-tally.ts";
import { inflationRateSchema, SUPPLY_PARAMS, supplySchema } from "./issuance.ts";
import { CONFIG_PROGRAM, INFO_IDENTITY_OFFSET, INFO_MARKER, INFO_MARKER_OFFSET } from "./validator-info.ts";
import { VOTE_PROGRAM } from "../chain/program-address.ts";
import { countSchema } from "../contract/values.ts";
import { RpcError } from "../rpc/error.ts";

export interface ProbeSubject {
  vote: string;
  identity: string;
}

/** This address exists on all clusters. */
export const NOBODY: ProbeSubject = {
  vote: "Vote111111111111111111111111111111111111111",
  identity: "Vote111111111111111111111111111111111111111",
};

const rowsSchema = z.union([z.array(z.unknown()), z.object({ value: z.array(z.unknown()) })]);
const pageSchema = z.object({ accounts: z.array(z.unknown()) });
const BASE = { commitment: COMMITMENT, encoding: "base64" };
const NO_DATA = { ...BASE, dataSlice: { offset: 0, length: 0 } };

export const PROBED_METHODS = [
  "getMultipleAccounts",
  "getClusterNodes",
  "getBlockProduction",
  "getProgramAccounts of the Config program",
  "getProgramAccounts of the Stake program",
  "getProgramAccountsV2 of the Stake program",
  "getRecentPerformanceSamples",
  "getEpochSchedule",
  "getAgGenesisCert",
  "getInflationRate",
  "getSupply",
] as const;

export type ProbedMethod = (typeof PROBED_METHODS)[number];

/**
 * A probe shows that a method is open, not that the full question is answered in time: a scan of all stake accounts is
 * a thousand times larger.
 */
export const METHOD_PROBES: Record<ProbedMethod, (reader: RpcReader, subject: ProbeSubject) => Promise<unknown>> = {
  getMultipleAccounts: (reader, { vote }) => {
    const schema = z.object({ value: z.array(accountSchema.nullable()).length(1) });
    return reader.call({ method: "getMultipleAccounts", params: [[vote], NO_DATA], schema });
  },
  getClusterNodes: (reader) =>
    reader.call({ method: "getClusterNodes", schema: z.array(z.unknown()).min(1, "no node at all") }),
  getBlockProduction: (reader, { identity }) => {
    const schema = z.object({ value: z.object({ byIdentity: z.record(z.string(), z.unknown()) }) });
    return reader.call({ method: "getBlockProduction", params: [{ commitment: COMMITMENT, identity }], schema });
  },
  "getProgramAccounts of the Config program": (reader, { identity }) => {
    const filters = [
      { memcmp: { offset: INFO_MARKER_OFFSET, bytes: INFO_MARKER, encoding: "base58" } },
      { memcmp: { offset: INFO_IDENTITY_OFFSET, bytes: identity, encoding: "base58" } },
    ];
    const params = [CONFIG_PROGRAM, { ...NO_DATA, filters }];
    return reader.call({ method: "getProgramAccounts", params, schema: rowsSchema });
  },
  "getProgramAccounts of the Stake program": (reader, { vote }) => {
    const params = [STAKE_PROGRAM, { ...NO_DATA, filters: toStakeFilters(vote), withContext: true }];
    return reader.call({ method: "getProgramAccounts", params, schema: rowsSchema });
  },
  "getProgramAccountsV2 of the Stake program": (reader, { vote }) => {
    const params = [STAKE_PROGRAM, { ...NO_DATA, filters: toStakeFilters(vote), limit: 1 }];
    const schema = z.union([pageSchema, z.object({ value: pageSchema })]);
    return reader.call({ method: "getProgramAccountsV2", params, schema });
  },
  getRecentPerformanceSamples: (reader) => {
    const schema = z
      .array(z.object({ numSlots: z.int().min(0), samplePeriodSecs: z.int().min(1) }))
      .min(1, "no sample");
    return reader.call({ method: "getRecentPerformanceSamples", params: [1], schema });
  },
  getEpochSchedule: (reader) =>
    reader.call({ method: "getEpochSchedule", schema: z.object({ slotsPerEpoch: z.int().min(1) }) }),
  getAgGenesisCert: (reader) => reader.call({ method: "getAgGenesisCert", schema: z.looseObject({}).nullable() }),
  getInflationRate: (reader) => reader.call({ method: "getInflationRate", schema: inflationRateSchema }),
  getSupply: (reader) => reader.call({ method: "getSupply", params: SUPPLY_PARAMS, schema: supplySchema }),
};

function toStakeFilters(vote: string) {
  return [
    { dataSize: STAKE_ACCOUNT_BYTES },
    { memcmp: { offset: DELEGATION_OFFSET, bytes: vote, encoding: "base58" } },
  ];
}

export interface TransactionHistory {
  firstSlot: number;
  /** By the chain's clock, milliseconds since 1970. */
  firstAt: number | null;
}

const listSchema = z.array(z.object({ signature: z.string().max(100) })).max(1);

/**
 * The vote program's newest transaction is found at once.
 * @throws {RpcError} when the node keeps none, or does not tell
 */
export async function probeHistory(reader: RpcReader): Promise<TransactionHistory> {
  const [, history] = await Promise.all([readNewest(reader), readReach(reader)]);
  return history;
}

async function readNewest(reader: RpcReader): Promise<void> {
  const listed = await reader.call({
    method: "getSignaturesForAddress",
    params: [VOTE_PROGRAM, { limit: 1, commitment: COMMITMENT }],
    schema: listSchema,
  });
  const options = { encoding: "base64", maxSupportedTransactionVersion: 0, commitment: COMMITMENT };
  for (const { signature } of listed) {
    await reader.call({ method: "getTransaction", params: [signature, options], schema: z.unknown() });
  }
}

async function readReach(reader: RpcReader): Promise<TransactionHistory> {
  const firstSlot = await reader.call({ method: "getFirstAvailableBlock", schema: countSchema });
  try {
    const seconds = await reader.call({ method: "getBlockTime", params: [firstSlot], schema: countSchema });
    return { firstSlot, firstAt: seconds * 1000 };
  } catch (error) {
    // A cluster's first block has no time, and some nodes forget those of old blocks.
    if (error instanceof RpcError) return { firstSlot, firstAt: null };
    throw error;
  }
}
