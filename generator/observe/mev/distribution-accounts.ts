import { createHash } from "node:crypto";
import type { Network } from "../../contract/networks.ts";
import { readAccounts, type Account } from "../accounts.ts";
import { deriveProgramAddress } from "../../chain/program-address.ts";
import { decodePublicKey, encodePublicKey } from "../../chain/public-key.ts";
import type { RpcReader } from "../../rpc/rpc.ts";

/** A program of the MEV vendor that shares income among delegators: one account for each vote account and epoch. */
export interface DistributionProgram {
  address: string;
  seed: string;
  /** What the program's framework puts before each account of this type. */
  discriminator: Buffer;
}

/** A distribution account that was asked for. */
export interface DistributionAccount {
  vote: string;
  epoch: number;
  exists: boolean;
  /** The validator's share, fixed when the account was made; null where there is no account, or it was cut. */
  basisPoints: number | null;
}

/** null: there is none on this network. */
export const TIP_PROGRAMS: Record<Network, DistributionProgram | null> = {
  mainnet: toTipProgram("4R3gSG8BpU4t19KYj8CfnbtRpnT8gtk4dvTHxVRwc2r7"),
  testnet: toTipProgram("DzvGET57TAgEDxvm3ERUM4GNcsAJdqjDLCne9sdfY4wf"),
  alpenglow: null,
};

/** null: none is known on this network. */
export const PRIORITY_FEE_PROGRAMS: Record<Network, DistributionProgram | null> = {
  mainnet: {
    address: "Priority6weCZ5HwDn29NxLFpb7TDp2iLZ6XKc5e8d3",
    seed: "PF_DISTRIBUTION_ACCOUNT",
    discriminator: toDiscriminator("PriorityFeeDistributionAccount"),
  },
  testnet: null,
  alpenglow: null,
};

/** Bytes from the start of an account that hold all that is read here, in both layouts. */
const SLICE_BYTES = 147;
const VOTE_OFFSET = 8;
/** Tag of the optional merkle root: the fields behind it move by its length. */
const ROOT_TAG_OFFSET = 72;
const SHARE_OFFSET_WITHOUT_ROOT = 81;
const SHARE_OFFSET_WITH_ROOT = 145;

/**
 * Distribution accounts, in the order wanted.
 * @returns also the lowest slot that any of the calls was answered at; null when nothing was wanted
 * @throws {RpcError}
 */
export async function readDistributionAccounts(
  reader: RpcReader,
  { program, wanted }: { program: DistributionProgram; wanted: { vote: string; epoch: number }[] },
): Promise<{ found: DistributionAccount[]; slot: number | null }> {
  const keys = wanted.map(({ vote, epoch }) => deriveDistributionAddress({ program, vote, epoch }));
  const { accounts, slot } = await readAccounts(reader, { keys, bytes: SLICE_BYTES });
  const found = wanted.map(({ vote, epoch }, index) => {
    const account = accounts[index] ?? null;
    if (account === null || !isOf(account, { program, vote })) return { vote, epoch, exists: false, basisPoints: null };
    return { vote, epoch, exists: true, basisPoints: decodeShare(account.data) };
  });
  return { found, slot };
}

/** Where the account of a vote account for an epoch lies. About 0.12 ms each: too little to be worth remembering. */
export function deriveDistributionAddress({
  program,
  vote,
  epoch,
}: {
  program: DistributionProgram;
  vote: string;
  epoch: number;
}): string {
  const epochBytes = Buffer.alloc(8);
  epochBytes.writeBigUInt64LE(BigInt(epoch));
  return deriveProgramAddress([Buffer.from(program.seed), decodePublicKey(vote), epochBytes], program.address);
}

/** Anyone can send lamports to an address: only the program's own account of this validator counts. */
function isOf({ owner, data }: Account, { program, vote }: { program: DistributionProgram; vote: string }): boolean {
  if (owner !== program.address || data.length < SHARE_OFFSET_WITHOUT_ROOT + 2) return false;
  if (!program.discriminator.equals(data.subarray(0, VOTE_OFFSET))) return false;
  return encodePublicKey(data.subarray(VOTE_OFFSET, VOTE_OFFSET + 32)) === vote;
}

function decodeShare(data: Uint8Array): number | null {
  const offset = data[ROOT_TAG_OFFSET] === 1 ? SHARE_OFFSET_WITH_ROOT : SHARE_OFFSET_WITHOUT_ROOT;
  if (data.length < offset + 2) return null;
  return new DataView(data.buffer, data.byteOffset).getUint16(offset, true);
}

function toTipProgram(address: string): DistributionProgram {
  return { address, seed: "TIP_DISTRIBUTION_ACCOUNT", discriminator: toDiscriminator("TipDistributionAccount") };
}

function toDiscriminator(accountType: string): Buffer {
  return createHash("sha256").update(`account:${accountType}`).digest().subarray(0, 8);
}
