import type { InnerGroup } from "../../cluster/rpc/view.ts";
import type { Version } from "../../cluster/transactions/message-layout.ts";

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

export interface Signed {
  signature: string;
  bytes: Uint8Array;
}

export interface Carried {
  slot: number;
  index: number;
  /** Seconds since 1970. */
  blockTime: number;
  failed: boolean;
  version: Version;
  inner: InnerGroup[];
  /** Addresses from look-up tables, all writable. */
  loaded: string[];
  addresses: string[];
  deeds: Deed[];
  /** Lazy: signing is slow, and most transactions are never asked for. */
  sign: () => Signed;
}

export interface Chain {
  all: readonly Carried[];
  /** Newest first. */
  byAddress: ReadonlyMap<string, readonly Carried[]>;
  /** null: unknown, or not listed yet. */
  find(signature: string): Carried | null;
}

export function createChain(all: readonly Carried[]): Chain {
  const signed = new Map<string, Carried>();
  const remembered = all.map((one): Carried => {
    const sign = () => {
      const own = one.sign();
      if (!signed.has(own.signature)) signed.set(own.signature, carried);
      return own;
    };
    const carried = { ...one, sign };
    return carried;
  });
  const newestFirst = remembered.sort((a, b) => b.slot - a.slot || b.index - a.index);
  const byAddress = new Map<string, Carried[]>();
  for (const one of newestFirst)
    for (const address of one.addresses)
      byAddress.set(address, [...(byAddress.get(address) ?? []), one]);
  return {
    all: newestFirst.toReversed(),
    byAddress,
    find: (signature) => signed.get(signature) ?? null,
  };
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
