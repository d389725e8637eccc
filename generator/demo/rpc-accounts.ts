import { base58 } from "@scure/base";
import { z } from "zod";
import { CONFIG_PROGRAM, toInfoChainAccount } from "./accounts.ts";
import type { View } from "./endpoints.ts";
import { createRowWriter, passes, toAccountJson, type ProgramFilter, type Slice } from "./program-rows.ts";
import { RpcError } from "./rpc-error.ts";
import {
  accountConfigSchema,
  addressSchema,
  assertContextSlot,
  parseParams,
  programConfigSchema,
} from "./rpc-params.ts";
import { STAKE_PROGRAM } from "./stake-program.ts";

/** Most keys of one getMultipleAccounts. */
const KEYS_MAX = 100;

const manyParams = z.tuple([z.array(addressSchema), accountConfigSchema]);
const oneParams = z.tuple([addressSchema, accountConfigSchema]);
const programParams = z.tuple([addressSchema, programConfigSchema]);

export function getMultipleAccounts(view: View, params: unknown): string {
  const [addresses, config] = parseParams(manyParams, params);
  if (addresses.length > KEYS_MAX) throw new RpcError("invalidParams", `Too many inputs provided; max ${KEYS_MAX}`);
  assertContextSlot(view, config);
  return withContext(view, `[${addresses.map((address) => toAccountText(view, address, config.dataSlice)).join(",")}]`);
}

export function getAccountInfo(view: View, params: unknown): string {
  const [address, config] = parseParams(oneParams, params);
  assertContextSlot(view, config);
  return withContext(view, toAccountText(view, address, config.dataSlice));
}

/** The Stake and the Config program; of any other the node here holds no accounts. */
export function getProgramAccounts(view: View, params: unknown): Iterable<Buffer> {
  const [program, config] = parseParams(programParams, params);
  assertContextSlot(view, config);
  const filters = (config.filters ?? []).map(toFilter);
  const rows = toProgramRows(view, program, config.dataSlice, filters);
  return config.withContext === true ? wrapInContext(view, rows) : wrap("[", rows, "]");
}

function toProgramRows(
  view: View,
  program: string,
  slice: Slice | undefined,
  filters: ProgramFilter[],
): readonly Buffer[] {
  const { cluster, state } = view;
  if (program === STAKE_PROGRAM) return cluster.stakeProgram.rows(state.moment, slice, filters);
  const writer = createRowWriter();
  if (program !== CONFIG_PROGRAM) return writer.finish();
  for (const info of cluster.accounts.info) {
    if (!passes(info.data, filters)) continue;
    writer.add(`{"account":${toAccountJson(toInfoChainAccount(info), slice)},"pubkey":"${info.address}"}`);
  }
  return writer.finish();
}

type FilterParam = NonNullable<z.output<typeof programConfigSchema>["filters"]>[number];

function toFilter(filter: FilterParam): ProgramFilter {
  if ("dataSize" in filter) return filter;
  const { offset, bytes, encoding } = filter.memcmp;
  if (encoding === "base64") return { offset, bytes: Buffer.from(bytes, "base64") };
  try {
    return { offset, bytes: base58.decode(bytes) };
  } catch (cause) {
    throw new RpcError("invalidParams", `Invalid params: memcmp bytes are no Base58: ${String(cause)}`);
  }
}

function toAccountText({ cluster, state, lie }: View, address: string, slice: Slice | undefined): string {
  const account = cluster.accounts.at(address, state.moment, lie);
  return account === null ? "null" : toAccountJson(account, slice);
}

function withContext({ state }: View, value: string): string {
  return `{"context":{"apiVersion":"4.2.1","slot":${state.moment.slot}},"value":${value}}`;
}

function wrapInContext({ state }: View, rows: readonly Buffer[]): Iterable<Buffer> {
  return wrap(`{"context":{"apiVersion":"4.2.1","slot":${state.moment.slot}},"value":[`, rows, "]}");
}

function wrap(before: string, rows: readonly Buffer[], after: string): Buffer[] {
  return [Buffer.from(before), ...rows, Buffer.from(after)];
}
