import { createLog, type Log, type Logged } from "../../cluster/transactions/log.ts";
import type { Order } from "../../cluster/transactions/message.ts";
import { toTransaction, type Transaction } from "../../cluster/transactions/transaction.ts";
import { keyOf } from "./keys.ts";

/** What an order does to a vote account. */
export interface Deed {
  vote: string;
  /** Basis points, in the order set. */
  rates: number[];
  /** The new withdraw authority; null: unchanged. */
  handsTo: string | null;
  /** The new withdraw authority if handed over first. */
  signer: string;
  isSigned: boolean;
}

/** An order, and what it does. */
export interface ChainOrder extends Order {
  /** Seconds since 1970. */
  blockTime: number;
  /** Distinguishes equal transactions. */
  nonce: string;
  deeds: readonly Deed[];
}

/** An order that was carried out. */
export type Carried = ChainOrder & Transaction;

/** Newest first. */
export interface Chain extends Log<ChainOrder> {
  oldestFirst: readonly Logged<ChainOrder>[];
  /** null: unknown, or not listed yet. */
  find(signature: string): Carried | null;
}

/** A chain of orders, in any order. */
export function createChain(orders: readonly ChainOrder[]): Chain {
  const known = new Map<string, Carried>();
  const newestFirst = orders.toSorted((a, b) => b.slot - a.slot || b.index - a.index);
  const log = createLog(newestFirst, (order) => {
    const carried = carryOut(order);
    if (!known.has(carried.signature)) known.set(carried.signature, carried);
    return carried;
  });
  return {
    ...log,
    oldestFirst: log.all.toReversed(),
    find: (signature) => known.get(signature) ?? null,
  };
}

/** Signs an order. */
export function carryOut(order: ChainOrder): Carried {
  return toTransaction(order, keyOf(order.nonce));
}
