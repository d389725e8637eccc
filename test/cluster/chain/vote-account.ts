import { VOTE_PROGRAM } from "../../../generator/chain/program-address.ts";
import type { ChainAccount } from "../world.ts";
import type { Key, VoteAccountLayout } from "./cast.ts";

const RENT_LAMPORTS = 27_074_400n;
/** Pays Alpenglow's ticket into the validator set, 1.6 SOL an epoch. */
const BALANCE_LAMPORTS = 5_000_000_000n;

/** The account that holds such data. */
export function toVoteChainAccount(data: Buffer): ChainAccount {
  return { owner: VOTE_PROGRAM, lamports: RENT_LAMPORTS + BALANCE_LAMPORTS, data };
}

type KeyBytes = Pick<Key, "bytes">;

/** Of nobody. */
export const NO_KEY: KeyBytes = { bytes: new Uint8Array(32) };

/** "unknown": one that comes after these. */
type Layout = VoteAccountLayout | "unknown";

const LAYOUTS: Record<Layout, { version: number; bytes: number }> = {
  "v1.14.11": { version: 1, bytes: 3731 },
  v3: { version: 2, bytes: 3762 },
  v4: { version: 3, bytes: 3762 },
  unknown: { version: 9, bytes: 3762 },
};

interface VoteAccountFacts {
  layout: Layout;
  identity: KeyBytes;
  withdrawer: KeyBytes;
  /** 0 to 65535. */
  basisPoints: number;
  /** Receives the inflation commission. */
  collector: KeyBytes;
  blockRevenueBasisPoints: number;
  blsKey: Uint8Array | null;
}

/** The data of an account that never voted. */
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

/** SIMD-0185. */
function encodeV4(data: Buffer, facts: VoteAccountFacts): void {
  const { collector, identity, basisPoints, blockRevenueBasisPoints, blsKey } = facts;
  data.set(collector.bytes, 68);
  data.set(identity.bytes, 100);
  data.writeUInt16LE(basisPoints, 132);
  data.writeUInt16LE(blockRevenueBasisPoints, 134);
  data.writeUInt8(blsKey === null ? 0 : 1, 144);
  if (blsKey !== null) data.set(blsKey.subarray(0, 48), 145);
}
