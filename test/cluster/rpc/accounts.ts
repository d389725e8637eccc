import { z } from "zod";
import { toRent } from "../chain/distribution-accounts.ts";
import type { ChainAccount } from "../world.ts";
import { RpcFailure } from "./failure.ts";
import {
  accountConfigSchema,
  addressSchema,
  assertContextSlot,
  contextConfigSchema,
  parseParams,
} from "./params.ts";
import type { View } from "./view.ts";

const KEYS_MAX = 100;

const manyParams = z.tuple([z.array(addressSchema), accountConfigSchema]);
const rentParams = z.tuple([z.int().min(0), contextConfigSchema.optional()]);
const oneParams = z.tuple([addressSchema, accountConfigSchema]);

export function getMultipleAccounts(view: View, params: unknown): object {
  const [addresses, config] = parseParams(manyParams, params);
  if (addresses.length > KEYS_MAX)
    throw new RpcFailure("invalidParams", `Too many inputs provided; max ${KEYS_MAX}`);
  assertContextSlot(view, config);
  return inContext(
    view.slot,
    addresses.map((address) => toShown(view, address, config.dataSlice)),
  );
}

export function getAccountInfo(view: View, params: unknown): object {
  const [address, config] = parseParams(oneParams, params);
  assertContextSlot(view, config);
  return inContext(view.slot, toShown(view, address, config.dataSlice));
}

export function getMinimumBalanceForRentExemption(view: View, params: unknown): bigint {
  const [bytes, config] = parseParams(rentParams, params);
  assertContextSlot(view, config);
  return toRent(bytes);
}

function toShown(view: View, address: string, slice: Slice | undefined): object | null {
  const account = view.account(address);
  return account === null ? null : toAccount(account, slice);
}

/** Bytes of an account's data. */
export interface Slice {
  offset: number;
  length: number;
}

const RENT_EPOCH = 2n ** 64n - 1n;

/** An account in base64. @param slice of its data; by default all */
export function toAccount({ owner, lamports, data }: ChainAccount, slice?: Slice) {
  const from = slice?.offset ?? 0;
  const to = slice === undefined ? data.length : Math.min(from + slice.length, data.length);
  return {
    data: [data.toString("base64", from, to), "base64"] as const,
    executable: false,
    lamports,
    owner,
    rentEpoch: RENT_EPOCH,
    space: data.length,
  };
}

/** A value as of a slot. */
export function inContext<Value>(slot: number, value: Value) {
  return { context: { apiVersion: "4.2.1", slot }, value };
}
