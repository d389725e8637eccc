import { base58 } from "@scure/base";

/** What one transaction did to one vote account, if it succeeded. */
export interface Deed {
  vote: string;
  /** Basis points, in the order in which they were set; the last one stood when it was done. */
  rates: number[];
  /** Who holds the withdraw authority afterwards; null: whoever did before. */
  handsTo: string | null;
  /** The withdraw authority that set the rates; handed over first, it is the new one. */
  signer: string;
  /** Whether it is signed for, or only the witnesses tell of it. */
  isSigned: boolean;
}

/** `[index of the outer instruction, its inner ones]`, as getTransaction tells them. */
export interface InnerGroup {
  index: number;
  instructions: { programIdIndex: number; accounts: number[]; data: string }[];
}

/** What is signed, and its name. */
export interface Signed {
  signature: string;
  bytes: Uint8Array;
}

/** A transaction as the cluster carried it out. */
export interface Carried {
  slot: number;
  /** Its place in the block. */
  index: number;
  /** Seconds since 1970. */
  blockTime: number;
  failed: boolean;
  inner: InnerGroup[];
  /** Addresses from look-up tables, all of them writable. */
  loaded: string[];
  /** Every address that it names. */
  addresses: string[];
  /** What it did, or would have done. */
  deeds: Deed[];
  /** Signing takes time, and most of what nobody asks for is never signed. */
  sign: () => Signed;
}

/** All that the cluster carried out, by who is named in it. */
export interface Chain {
  all: readonly Carried[];
  /** Newest first. */
  byAddress: ReadonlyMap<string, readonly Carried[]>;
  /** null: there is no such transaction, or nobody listed it yet. */
  find(signature: string): Carried | null;
}

/** @param all in any order */
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
    for (const address of one.addresses) byAddress.set(address, [...(byAddress.get(address) ?? []), one]);
  return { all: newestFirst.toReversed(), byAddress, find: (signature) => signed.get(signature) ?? null };
}

/** Bytes of a signed transaction with the name that its first signature gives it. */
export function toSigned(bytes: Uint8Array): Signed {
  return { signature: base58.encode(bytes.subarray(1, 65)), bytes };
}

/** Does it once. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
