import type { Key, VoteAccountLayout } from "./cast.ts";

/** Bytes of an account and the version number in its first four. */
const LAYOUTS: Record<VoteAccountLayout, { version: number; bytes: number }> = {
  "v1.14.11": { version: 1, bytes: 3731 },
  v3: { version: 2, bytes: 3762 },
  v4: { version: 3, bytes: 3762 },
};

/** What the encoded accounts say. */
export interface VoteAccountFacts {
  layout: VoteAccountLayout;
  identity: Key;
  withdrawer: Key;
  /** Inflation commission, from 0 to 65535. */
  basisPoints: number;
  /** Whom that is paid to. */
  collector: Key;
  blockRevenueBasisPoints: number;
  /** null: none registered. */
  blsKey: Uint8Array | null;
}

/**
 * A vote account as it lies on chain. The fields that tell commission and identity are all there; the vote history behind
 * them is left zero, an account that has never voted.
 */
export function encodeVoteAccount(facts: VoteAccountFacts): Buffer {
  const { version, bytes } = LAYOUTS[facts.layout];
  const data = Buffer.alloc(bytes);
  data.writeUInt32LE(version, 0);
  data.set(facts.identity.bytes, 4);
  data.set(facts.withdrawer.bytes, 36);
  if (facts.layout === "v4") encodeV4(data, facts);
  else data.writeUInt8(Math.min(Math.floor(facts.basisPoints / 100), 255), 68);
  return data;
}

/** Collectors, rates in basis points, pending rewards, and the optional BLS key (SIMD-0185). */
function encodeV4(data: Buffer, facts: VoteAccountFacts): void {
  const { collector, identity, basisPoints, blockRevenueBasisPoints, blsKey } = facts;
  data.set(collector.bytes, 68);
  data.set(identity.bytes, 100);
  data.writeUInt16LE(basisPoints, 132);
  data.writeUInt16LE(blockRevenueBasisPoints, 134);
  data.writeUInt8(blsKey === null ? 0 : 1, 144);
  if (blsKey !== null) data.set(blsKey.subarray(0, 48), 145);
}
