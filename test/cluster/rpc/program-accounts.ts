import { z } from "zod";
import { base58 } from "@scure/base";
import { CONFIG_PROGRAM, toInfoChainAccount } from "../chain/accounts.ts";
import {
  createRowWriter,
  passes,
  toProgramRow,
  type AccountRange,
  type ProgramFilter,
  VOTER_OFFSET,
} from "../chain/stake-program.ts";
import type { ClusterOptions } from "../options.ts";
import { STAKE_PROGRAM } from "../transactions/programs.ts";
import { inContext } from "./accounts.ts";
import type { ClusterView } from "./endpoints.ts";
import { RpcFailure } from "./failure.ts";
import { JsonPieces } from "./json.ts";
import { addressSchema, assertContextSlot, parseParams, programConfigSchema } from "./params.ts";

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

export function getProgramAccounts(view: ClusterView, given: unknown): JsonPieces {
  const [program, config] = parseParams(params, given);
  assertContextSlot(view, config);
  const { rows } = findRows(view, program, config);
  return wrapInContext(view, config, toList(rows));
}

/** The limit counts accounts before filters: a page may be empty. */
export function getProgramAccountsV2(view: ClusterView, given: unknown): JsonPieces {
  const [program, config] = parseParams(pagedParams, given);
  assertContextSlot(view, config);
  const from = config.paginationKey ?? 0;
  const to = from + config.limit;
  const { rows, size } = findRows(view, program, config, { from, to });
  const paginationKey = to < size ? String(to) : null;
  const page = toList(rows).within((accounts) => ({ accounts, paginationKey }));
  return wrapInContext(view, config, page);
}

interface Found {
  rows: readonly Buffer[];
  size: number;
}

function findRows(
  view: ClusterView,
  program: string,
  config: ProgramConfig,
  range?: AccountRange,
): Found {
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
    writer.add(toProgramRow(info.address, toInfoChainAccount(info), config.dataSlice));
  }
  return { rows: writer.finish(), size: accounts.length };
}

function toScan(filters: readonly ProgramFilter[]): StakeScan {
  return filters.some((filter) => "offset" in filter && filter.offset === VOTER_OFFSET)
    ? "by voter"
    : "whole";
}

/** @throws {RpcFailure} as public endpoints do, as nodes without the method, or without the index */
function assertOffered({ cluster }: ClusterView, scan: StakeScan): void {
  if (cluster.options.refusedStakeScans?.includes(scan) !== true) return;
  if (scan === "whole")
    throw new RpcFailure("disabled", "The RPC call or parameters have been disabled.");
  if (scan === "by page") throw new RpcFailure("methodNotFound", "Method not found");
  const index = "excluded from account secondary indexes; this RPC method unavailable for key";
  throw new RpcFailure("excludedFromIndex", `${STAKE_PROGRAM} ${index}`);
}

type FilterParam = NonNullable<ProgramConfig["filters"]>[number];

function toFilter(filter: FilterParam): ProgramFilter {
  if ("dataSize" in filter) return filter;
  const { offset, bytes, encoding } = filter.memcmp;
  if (encoding === "base64") return { offset, bytes: Buffer.from(bytes, "base64") };
  try {
    return { offset, bytes: base58.decode(bytes) };
  } catch (cause) {
    throw new RpcFailure(
      "invalidParams",
      `Invalid params: memcmp bytes are no Base58: ${String(cause)}`,
    );
  }
}

function toList(rows: readonly Buffer[]): JsonPieces {
  return new JsonPieces([Buffer.from("["), ...rows, Buffer.from("]")]);
}

function wrapInContext(
  { slot }: ClusterView,
  { withContext }: ProgramConfig,
  value: JsonPieces,
): JsonPieces {
  return withContext === true ? value.within((place) => inContext(slot, place)) : value;
}
