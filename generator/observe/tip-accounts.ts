import { createHash } from "node:crypto";
import type { Network } from "../contract/networks.ts";
import type { Account } from "./accounts.ts";
import { deriveProgramAddress } from "./pda.ts";
import { decodePublicKey, encodePublicKey } from "./public-key.ts";

/** The MEV vendor's tip-distribution program; null: there is none on this network. */
export const TIP_DISTRIBUTION_PROGRAMS: Record<Network, string | null> = {
  mainnet: "4R3gSG8BpU4t19KYj8CfnbtRpnT8gtk4dvTHxVRwc2r7",
  testnet: "DzvGET57TAgEDxvm3ERUM4GNcsAJdqjDLCne9sdfY4wf",
  alpenglow: null,
};

/** Bytes from the start of a tip account that hold all that is read here, in both layouts. */
export const TIP_ACCOUNT_SLICE_BYTES = 193;

const SEED = Buffer.from("TIP_DISTRIBUTION_ACCOUNT");
/** What the program's framework puts before each account of this type. */
const DISCRIMINATOR = createHash("sha256").update("account:TipDistributionAccount").digest().subarray(0, 8);

const VOTE_OFFSET = 8;
/** Tag of the optional merkle root: the fields behind it move by its length. */
const ROOT_TAG_OFFSET = 72;
const COMMISSION_OFFSET_WITHOUT_ROOT = 81;
const COMMISSION_OFFSET_WITH_ROOT = 145;

/** Where the tip account of a vote account for an epoch lies. */
export function deriveTipAddress({ program, vote, epoch }: { program: string; vote: string; epoch: number }): string {
  const epochBytes = Buffer.alloc(8);
  epochBytes.writeBigUInt64LE(BigInt(epoch));
  return deriveProgramAddress([SEED, decodePublicKey(vote), epochBytes], program);
}

/**
 * The MEV commission that a tip account holds, in basis points, fixed when the account was made. `exists` is false for no
 * account, and for one that is not the program's or not this vote account's: anyone can send lamports to an address.
 */
export function decodeTipAccount(
  account: Account | null,
  { program, vote }: { program: string; vote: string },
): { exists: boolean; mevBasisPoints: number | null } {
  const gone = { exists: false, mevBasisPoints: null };
  if (account?.owner !== program) return gone;
  const { data } = account;
  if (data.length < COMMISSION_OFFSET_WITHOUT_ROOT + 2 || !DISCRIMINATOR.equals(data.subarray(0, VOTE_OFFSET)))
    return gone;
  if (encodePublicKey(data.subarray(VOTE_OFFSET, VOTE_OFFSET + 32)) !== vote) return gone;
  const hasRoot = data[ROOT_TAG_OFFSET] === 1;
  const offset = hasRoot ? COMMISSION_OFFSET_WITH_ROOT : COMMISSION_OFFSET_WITHOUT_ROOT;
  if (data.length < offset + 2) return { exists: true, mevBasisPoints: null };
  return { exists: true, mevBasisPoints: new DataView(data.buffer, data.byteOffset).getUint16(offset, true) };
}
