import { once } from "../once.ts";
import type { Order } from "./message.ts";
import type { Transaction } from "./transaction.ts";

/** Orders of a chain that are signed when they are first asked for: most never are. */
export interface Log<Of extends Order> {
  /** As they were given. */
  all: readonly Logged<Of>[];
  byAddress: ReadonlyMap<string, readonly Logged<Of>[]>;
}

/** An order, and how to have it signed. */
export interface Logged<Of extends Order> {
  order: Of;
  signed: () => Of & Transaction;
}

/** Makes a log. @param sign is asked once for each order at most */
export function createLog<Of extends Order>(
  orders: readonly Of[],
  sign: (order: Of) => Of & Transaction,
): Log<Of> {
  const all = orders.map((order): Logged<Of> => ({ order, signed: once(() => sign(order)) }));
  const byAddress = new Map<string, Logged<Of>[]>();
  for (const logged of all) {
    for (const address of addressesOf(logged.order)) {
      const named = byAddress.get(address);
      if (named === undefined) byAddress.set(address, [logged]);
      else named.push(logged);
    }
  }
  return { all, byAddress };
}

/** All that an order names, looked up or not. */
export function addressesOf({ payer, instructions }: Order): Set<string> {
  const named = instructions.flatMap(({ program, accounts }) => [
    ...accounts.map(({ address }) => address),
    program,
  ]);
  return new Set([payer.address, ...named]);
}
