import { z } from "zod";
import type { View } from "./endpoints.ts";
import { toAccountJson, type Slice } from "./program-rows.ts";
import { RpcError } from "./rpc-error.ts";
import { accountConfigSchema, addressSchema, assertContextSlot, parseParams } from "./rpc-params.ts";

/** Most keys of one getMultipleAccounts. */
const KEYS_MAX = 100;

const manyParams = z.tuple([z.array(addressSchema), accountConfigSchema]);
const oneParams = z.tuple([addressSchema, accountConfigSchema]);

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

function toAccountText({ cluster, state, lie }: View, address: string, slice: Slice | undefined): string {
  const account = cluster.accounts.at(address, state.moment, lie);
  return account === null ? "null" : toAccountJson(account, slice);
}

function withContext({ state }: View, value: string): string {
  return `{"context":{"apiVersion":"4.2.1","slot":${state.moment.slot}},"value":${value}}`;
}
