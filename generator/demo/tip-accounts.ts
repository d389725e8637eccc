import { createHash } from "node:crypto";
import type { Network } from "../contract/networks.ts";
import { deriveProgramAddress } from "../observe/pda.ts";
import type { Key } from "./cast.ts";

/** Tip distribution program of the MEV vendor; alpenglow has none. */
export const TIP_PROGRAMS: Record<Network, string | null> = {
  mainnet: "4R3gSG8BpU4t19KYj8CfnbtRpnT8gtk4dvTHxVRwc2r7",
  testnet: "DzvGET57TAgEDxvm3ERUM4GNcsAJdqjDLCne9sdfY4wf",
  alpenglow: null,
};

/** Allocated for the largest form; what a smaller one does not use is zero. */
const BYTES = 168;

/** Epochs after which the tips can no longer be claimed. */
const EXPIRY_EPOCHS = 10;

/** Anchor's mark of the account type. */
const DISCRIMINATOR = createHash("sha256").update("account:TipDistributionAccount").digest().subarray(0, 8);

export interface TipAccountFacts {
  vote: Key;
  uploader: Key;
  epoch: number;
  /** From 0 to 10000. */
  basisPoints: number;
  /** null until the tips of the epoch are counted, in the next one. */
  merkleRoot: { root: Uint8Array; totalLamports: bigint; claims: number } | null;
}

/** Where the tips of a validator and an epoch lie. */
export function toTipAddress(vote: Key, epoch: number, program: string): string {
  const epochSeed = Buffer.alloc(8);
  epochSeed.writeBigUInt64LE(BigInt(epoch));
  return deriveProgramAddress([Buffer.from("TIP_DISTRIBUTION_ACCOUNT"), vote.bytes, epochSeed], program);
}

/** A tip-distribution account as it lies on chain (Borsh: an absent root takes one byte only, and all behind it moves up). */
export function encodeTipAccount({ vote, uploader, epoch, basisPoints, merkleRoot }: TipAccountFacts): Buffer {
  const data = Buffer.alloc(BYTES);
  data.set(DISCRIMINATOR, 0);
  data.set(vote.bytes, 8);
  data.set(uploader.bytes, 40);
  let offset = data.writeUInt8(merkleRoot === null ? 0 : 1, 72);
  if (merkleRoot !== null) {
    data.set(merkleRoot.root, offset);
    offset = data.writeBigUInt64LE(merkleRoot.totalLamports, offset + 32);
    offset = data.writeBigUInt64LE(BigInt(merkleRoot.claims), offset);
    offset = data.writeBigUInt64LE(0n, offset);
    offset = data.writeBigUInt64LE(0n, offset);
  }
  offset = data.writeBigUInt64LE(BigInt(epoch), offset);
  offset = data.writeUInt16LE(basisPoints, offset);
  offset = data.writeBigUInt64LE(BigInt(epoch + EXPIRY_EPOCHS), offset);
  // The bump seed; nobody reads it.
  data.writeUInt8(255, offset);
  return data;
}
