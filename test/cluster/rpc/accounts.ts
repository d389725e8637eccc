import { z } from "zod";
import { base58 } from "@scure/base";
import type { View } from "./endpoints.ts";
import { readMomentAt } from "./load.ts";
import {
  toAccountJson,
  type Slice,
  createRowWriter,
  passes,
  type AccountRange,
  type ProgramFilter,
  VOTER_OFFSET,
} from "../chain/stake-program.ts";
import {
  RpcError,
  accountConfigSchema,
  addressSchema,
  assertContextSlot,
  contextConfigSchema,
  parseParams,
  programConfigSchema,
} from "./params.ts";
import { CONFIG_PROGRAM, toInfoChainAccount } from "../chain/accounts.ts";
import { toRent } from "../chain/distribution-accounts.ts";
import type { ClusterOptions } from "../options.ts";
import { STAKE_PROGRAM } from "../transactions/programs.ts";

const KEYS_MAX = 100;

const manyParams = z.tuple([z.array(addressSchema), accountConfigSchema]);
const rentParams = z.tuple([z.int().min(0), contextConfigSchema.optional()]);
const oneParams = z.tuple([addressSchema, accountConfigSchema]);

export function getMultipleAccounts(view: View, params: unknown): string {
  const [addresses, config] = parseParams(manyParams, params);
  if (addresses.length > KEYS_MAX)
    throw new RpcError("invalidParams", `Too many inputs provided; max ${KEYS_MAX}`);
  assertContextSlot(view, config);
  return withContext(
    view,
    `[${addresses.map((address) => toAccountText(view, address, config.dataSlice)).join(",")}]`,
  );
}

export function getAccountInfo(view: View, params: unknown): string {
  const [address, config] = parseParams(oneParams, params);
  assertContextSlot(view, config);
  return withContext(view, toAccountText(view, address, config.dataSlice));
}

export function getMinimumBalanceForRentExemption(view: View, params: unknown): string {
  const [bytes, config] = parseParams(rentParams, params);
  assertContextSlot(view, config);
  return toRent(bytes).toString();
}

function toAccountText(
  { cluster, state, lie }: View,
  address: string,
  slice: Slice | undefined,
): string {
  const read = readMomentAt(cluster, address, state.moment);
  const account = read && cluster.accounts.at(address, read, lie);
  return account === null ? "null" : toAccountJson(account, slice);
}

function withContext({ state }: View, value: string): string {
  return `{"context":{"apiVersion":"4.2.1","slot":${state.moment.slot}},"value":${value}}`;
}

const params = z.tuple([addressSchema, programConfigSchema]);
const pagedParams = z.tuple([
  addressSchema,
  programConfigSchema.extend({
    limit: z.int().min(1).max(10_000).default(1_000),
    /** Opaque to callers. */
    paginationKey: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number)
      .nullish(),
  }),
]);

type ProgramConfig = z.output<typeof programConfigSchema>;
type StakeScan = NonNullable<ClusterOptions["refusedStakeScans"]>[number];

export function getProgramAccounts(view: View, given: unknown): Iterable<Buffer> {
  const [program, config] = parseParams(params, given);
  assertContextSlot(view, config);
  const { rows } = findRows(view, program, config);
  return wrapInContext(view, config, wrap("[", rows, "]"));
}

/** The limit counts accounts before filters: a page may be empty. */
export function getProgramAccountsV2(view: View, given: unknown): Iterable<Buffer> {
  const [program, config] = parseParams(pagedParams, given);
  assertContextSlot(view, config);
  const from = config.paginationKey ?? 0;
  const to = from + config.limit;
  const { rows, size } = findRows(view, program, config, { from, to });
  const next = to < size ? `"${to}"` : "null";
  return wrapInContext(view, config, wrap('{"accounts":[', rows, `],"paginationKey":${next}}`));
}

interface Found {
  rows: readonly Buffer[];
  size: number;
}

function findRows(view: View, program: string, config: ProgramConfig, range?: AccountRange): Found {
  const filters = (config.filters ?? []).map(toFilter);
  const { cluster, state } = view;
  if (program === STAKE_PROGRAM) {
    assertOffered(view, range === undefined ? toScan(filters) : "by page");
    const { stakeProgram } = cluster;
    return {
      rows: stakeProgram.rows(state.moment, config.dataSlice, filters, range),
      size: stakeProgram.size,
    };
  }
  const writer = createRowWriter();
  const accounts = program === CONFIG_PROGRAM ? cluster.accounts.info : [];
  for (const info of accounts.slice(range?.from, range?.to)) {
    if (!passes(info.data, filters)) continue;
    writer.add(
      `{"account":${toAccountJson(toInfoChainAccount(info), config.dataSlice)},"pubkey":"${info.address}"}`,
    );
  }
  return { rows: writer.finish(), size: accounts.length };
}

function toScan(filters: readonly ProgramFilter[]): StakeScan {
  return filters.some((filter) => "offset" in filter && filter.offset === VOTER_OFFSET)
    ? "by voter"
    : "whole";
}

/** @throws {RpcError} as public endpoints do, as nodes without the method, or without the index */
function assertOffered({ cluster }: View, scan: StakeScan): void {
  if (cluster.options.refusedStakeScans?.includes(scan) !== true) return;
  if (scan === "whole")
    throw new RpcError("disabled", "The RPC call or parameters have been disabled.");
  if (scan === "by page") throw new RpcError("methodNotFound", "Method not found");
  const index = "excluded from account secondary indexes; this RPC method unavailable for key";
  throw new RpcError("excludedFromIndex", `${STAKE_PROGRAM} ${index}`);
}

type FilterParam = NonNullable<ProgramConfig["filters"]>[number];

function toFilter(filter: FilterParam): ProgramFilter {
  if ("dataSize" in filter) return filter;
  const { offset, bytes, encoding } = filter.memcmp;
  if (encoding === "base64") return { offset, bytes: Buffer.from(bytes, "base64") };
  try {
    return { offset, bytes: base58.decode(bytes) };
  } catch (cause) {
    throw new RpcError(
      "invalidParams",
      `Invalid params: memcmp bytes are no Base58: ${String(cause)}`,
    );
  }
}

function wrapInContext({ state }: View, { withContext }: ProgramConfig, value: Buffer[]): Buffer[] {
  if (withContext !== true) return value;
  return wrap(`{"context":{"apiVersion":"4.2.1","slot":${state.moment.slot}},"value":`, value, "}");
}

function wrap(before: string, pieces: readonly Buffer[], after: string): Buffer[] {
  return [Buffer.from(before), ...pieces, Buffer.from(after)];
}
