import { z } from "zod";
import { accountSchema } from "./accounts.ts";
import { COMMITMENT, type EpochInfo } from "../rpc/epoch.ts";
import { RpcError } from "../rpc/error.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { STAKE_ACCOUNT_BYTES, STAKE_PROGRAM } from "./stakes/stake-answers.ts";
import { DELEGATION_OFFSET } from "./stakes/stake-tally.ts";
import { inflationRateSchema, SUPPLY_PARAMS, supplySchema } from "./issuance.ts";
import { TRANSACTION_OPTIONS } from "./transactions/transaction-answer.ts";
import { readRentMinimum } from "./mev/tip-amounts.ts";
import {
  CONFIG_PROGRAM,
  INFO_IDENTITY_OFFSET,
  INFO_MARKER,
  INFO_MARKER_OFFSET,
} from "./validator-info.ts";
import { VOTE_PROGRAM } from "../chain/program-address.ts";
import { countSchema } from "../contract/values.ts";

/** A vote account to ask about, its identity, and the current epoch. */
interface ProbeSubject {
  vote: string;
  identity: string;
  epoch: EpochInfo;
}

/** This address exists on all clusters. */
export const NOBODY: Omit<ProbeSubject, "epoch"> = {
  vote: "Vote111111111111111111111111111111111111111",
  identity: "Vote111111111111111111111111111111111111111",
};

const rowsSchema = z.union([z.array(z.unknown()), z.object({ value: z.array(z.unknown()) })]);
const pageSchema = z.object({ accounts: z.array(z.unknown()) });
const BASE = { commitment: COMMITMENT, encoding: "base64" };
const NO_DATA = { ...BASE, dataSlice: { offset: 0, length: 0 } };

/** What `generate doctor` probes, by the names that its findings show. */
export const PROBED_METHODS = [
  "getMultipleAccounts",
  "getClusterNodes",
  "getBlockProduction",
  "getProgramAccounts of the Config program",
  "getProgramAccounts(V2) of the Stake program",
  "getRecentPerformanceSamples",
  "getEpochSchedule",
  "getAgGenesisCert",
  "getInflationRate",
  "getSupply",
  "getMinimumBalanceForRentExemption",
  "transactions of a whole epoch",
] as const;

/** Name of a probe. */
export type ProbedMethod = (typeof PROBED_METHODS)[number];

/**
 * Shows that a method is open, not that the full question is answered in time: a scan of
 * all stake accounts is a thousand times larger. Each throws an RpcError when refused.
 */
export const METHOD_PROBES: Record<
  ProbedMethod,
  (reader: RpcReader, subject: ProbeSubject) => Promise<unknown>
> = {
  getMultipleAccounts: (reader, { vote }) => {
    const schema = z.object({ value: z.array(accountSchema.nullable()).length(1) });
    return reader.call({ method: "getMultipleAccounts", params: [[vote], NO_DATA], schema });
  },
  getClusterNodes: (reader) =>
    reader.call({
      method: "getClusterNodes",
      schema: z.array(z.unknown()).min(1, "no node at all"),
    }),
  getBlockProduction: (reader, { identity }) => {
    const schema = z.object({ value: z.object({ byIdentity: z.record(z.string(), z.unknown()) }) });
    return reader.call({
      method: "getBlockProduction",
      params: [{ commitment: COMMITMENT, identity }],
      schema,
    });
  },
  "getProgramAccounts of the Config program": (reader, { identity }) => {
    const filters = [
      { memcmp: { offset: INFO_MARKER_OFFSET, bytes: INFO_MARKER, encoding: "base58" } },
      { memcmp: { offset: INFO_IDENTITY_OFFSET, bytes: identity, encoding: "base58" } },
    ];
    const params = [CONFIG_PROGRAM, { ...NO_DATA, filters }];
    return reader.call({ method: "getProgramAccounts", params, schema: rowsSchema });
  },
  "getProgramAccounts(V2) of the Stake program": probeStakeAccounts,
  getRecentPerformanceSamples: (reader) => {
    const schema = z
      .array(z.object({ numSlots: z.int().min(0), samplePeriodSecs: z.int().min(1) }))
      .min(1, "no sample");
    return reader.call({ method: "getRecentPerformanceSamples", params: [1], schema });
  },
  getEpochSchedule: (reader) =>
    reader.call({
      method: "getEpochSchedule",
      schema: z.object({ slotsPerEpoch: z.int().min(1) }),
    }),
  getAgGenesisCert: (reader) =>
    reader.call({ method: "getAgGenesisCert", schema: z.looseObject({}).nullable() }),
  getInflationRate: (reader) =>
    reader.call({ method: "getInflationRate", schema: inflationRateSchema }),
  getSupply: (reader) =>
    reader.call({ method: "getSupply", params: SUPPLY_PARAMS, schema: supplySchema }),
  getMinimumBalanceForRentExemption: readRentMinimum,
  "transactions of a whole epoch": probeTransactions,
};

/** Whole or, as some offer it instead, by pages. */
async function probeStakeAccounts(reader: RpcReader, { vote }: ProbeSubject): Promise<void> {
  const filters = [
    { dataSize: STAKE_ACCOUNT_BYTES },
    { memcmp: { offset: DELEGATION_OFFSET, bytes: vote, encoding: "base58" } },
  ];
  const params = [STAKE_PROGRAM, { ...NO_DATA, filters, withContext: true }];
  const page = [STAKE_PROGRAM, { ...NO_DATA, filters, limit: 1 }];
  const pages = z.union([pageSchema, z.object({ value: pageSchema })]);
  const [whole, paged] = await Promise.allSettled([
    reader.call({ method: "getProgramAccounts", params, schema: rowsSchema }),
    reader.call({ method: "getProgramAccountsV2", params: page, schema: pages }),
  ]);
  if (whole.status === "rejected" && paged.status === "rejected") throw whole.reason;
}

const listSchema = z.array(z.object({ signature: z.string().max(100) })).max(1);

/** Also asks for the vote program's newest transaction, which is found at once. */
async function probeTransactions(reader: RpcReader, { epoch }: ProbeSubject): Promise<void> {
  const [firstSlot] = await Promise.all([
    reader.call({ method: "getFirstAvailableBlock", schema: countSchema }),
    readNewest(reader),
  ]);
  if (epoch.absoluteSlot - firstSlot >= epoch.slotsInEpoch) return;
  throw new RpcError({
    kind: "rpc",
    message: `keeps less than an epoch of transactions, from slot ${firstSlot} on`,
  });
}

async function readNewest(reader: RpcReader): Promise<void> {
  const listed = await reader.call({
    method: "getSignaturesForAddress",
    params: [VOTE_PROGRAM, { limit: 1, commitment: COMMITMENT }],
    schema: listSchema,
  });
  for (const { signature } of listed) {
    await reader.call({
      method: "getTransaction",
      params: [signature, TRANSACTION_OPTIONS],
      schema: z.unknown(),
    });
  }
}
