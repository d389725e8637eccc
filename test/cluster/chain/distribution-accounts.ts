import { createHash } from "node:crypto";
import { type ChainAccount, remember, type World } from "../world.ts";
import type { Moment } from "../calendar.ts";
import type { Member, Key } from "./cast.ts";
import { NOTHING_SHARED_BASIS_POINTS, type MevStory } from "./mev-story.ts";
import type { Network } from "../../../generator/contract/networks.ts";
import { deriveProgramAddress } from "../../../generator/chain/program-address.ts";

interface MevAccounts {
  at(address: string, moment: Moment): ChainAccount | null;
}

/** Closed epochs still on chain. */
const EPOCHS_KEPT = 3;

/** A fraction of the next epoch: income is counted then. */
const COUNTED = 0.05;

interface Place {
  member: Member;
  program: DistributionProgram;
  basisPoints: number;
}

export function createMevAccounts({ options, random, members }: World, mev: MevStory): MevAccounts {
  const tips = TIP_PROGRAMS[options.network];
  const fees = PRIORITY_FEE_PROGRAMS[options.network];

  const placesByAddress = remember((ordinal) => {
    const byAddress = new Map<string, Place>();
    for (const place of members.flatMap((member) => placesOf(member, ordinal)))
      byAddress.set(
        toDistributionAddress(place.member.vote, options.firstEpoch + ordinal, place.program),
        place,
      );
    return byAddress;
  });

  function placesOf(member: Member, ordinal: number): Place[] {
    const basisPoints = mev.basisPointsOf(member, ordinal);
    if (tips === null || basisPoints === null) return [];
    const shared = mev.priorityFeeBasisPointsOf(member);
    const place = { member, program: tips, basisPoints };
    if (fees === null || shared === NOTHING_SHARED_BASIS_POINTS) return [place];
    return [place, { member, program: fees, basisPoints: shared }];
  }

  function toAccount(
    { member, program, basisPoints }: Place,
    ordinal: number,
    moment: Moment,
  ): ChainAccount {
    const counted = moment.position >= ordinal + 1 + COUNTED;
    const total = mev.rewardsOf(member, ordinal);
    const data = encodeDistributionAccount(program, {
      vote: member.vote,
      uploader: member.identities[0],
      epoch: options.firstEpoch + ordinal,
      basisPoints,
      merkleRoot: counted
        ? { root: random.bytes("tips", member.index, ordinal), totalLamports: total, claims: 100 }
        : null,
    });
    return {
      owner: program.address,
      lamports: toRent(data.length) + soFar(total, moment.position - ordinal),
      data,
    };
  }

  return {
    at(address, moment) {
      for (let ordinal = moment.ordinal; ordinal >= moment.ordinal - EPOCHS_KEPT; ordinal--) {
        const place = placesByAddress(ordinal).get(address);
        if (place === undefined) continue;
        return mev.isCreated(place.member, ordinal, moment)
          ? toAccount(place, ordinal, moment)
          : null;
      }
      return null;
    },
  };
}

/** Tips come evenly over the epoch; nobody claims them here. @param passed epochs since it began */
function soFar(total: bigint, passed: number): bigint {
  return passed >= 1 ? total : (total * BigInt(Math.floor(passed * PARTS))) / BigInt(PARTS);
}

const PARTS = 1_000_000;

/** Mainnet's since September 2026 (SIMD-0437); accounts made before hold more. */
const RENT_LAMPORTS_PER_BYTE = 5_080n;
const STORAGE_OVERHEAD_BYTES = 128;

/** The rent-exempt minimum of an account made now, lamports. */
export function toRent(bytes: number): bigint {
  return BigInt(STORAGE_OVERHEAD_BYTES + bytes) * RENT_LAMPORTS_PER_BYTE;
}

/** A vendor's program with one account per validator and epoch. */
export interface DistributionProgram {
  address: string;
  seed: string;
  /** Its hash marks each account. */
  accountType: string;
  bytes: number;
}

/* Copied on purpose: reader and simulator must not share a wrong address. */

export const TIP_PROGRAMS: Record<Network, DistributionProgram | null> = {
  mainnet: toTipProgram("4R3gSG8BpU4t19KYj8CfnbtRpnT8gtk4dvTHxVRwc2r7"),
  testnet: toTipProgram("DzvGET57TAgEDxvm3ERUM4GNcsAJdqjDLCne9sdfY4wf"),
  alpenglow: null,
};

export const PRIORITY_FEE_PROGRAMS: Record<Network, DistributionProgram | null> = {
  mainnet: {
    address: "Priority6weCZ5HwDn29NxLFpb7TDp2iLZ6XKc5e8d3",
    seed: "PF_DISTRIBUTION_ACCOUNT",
    accountType: "PriorityFeeDistributionAccount",
    bytes: 176,
  },
  testnet: null,
  alpenglow: null,
};

/** Epochs until unclaimed income expires. */
const EXPIRY_EPOCHS = 10;

export interface DistributionFacts {
  vote: Pick<Key, "bytes">;
  uploader: Pick<Key, "bytes">;
  epoch: number;
  basisPoints: number;
  /** null until the next epoch counts the income. */
  merkleRoot: { root: Uint8Array; totalLamports: bigint; claims: number } | null;
}

export function toDistributionAddress(
  vote: Pick<Key, "bytes">,
  epoch: number,
  { seed, address }: DistributionProgram,
): string {
  const epochSeed = Buffer.alloc(8);
  epochSeed.writeBigUInt64LE(BigInt(epoch));
  return deriveProgramAddress([Buffer.from(seed), vote.bytes, epochSeed], address);
}

/** Borsh: an absent root takes one byte, and all after it moves up. */
export function encodeDistributionAccount(
  { accountType, bytes }: DistributionProgram,
  { vote, uploader, epoch, basisPoints, merkleRoot }: DistributionFacts,
): Buffer {
  const data = Buffer.alloc(bytes);
  data.set(createHash("sha256").update(`account:${accountType}`).digest().subarray(0, 8), 0);
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
  data.writeBigUInt64LE(BigInt(epoch + EXPIRY_EPOCHS), offset);
  return data;
}

function toTipProgram(address: string): DistributionProgram {
  return {
    address,
    seed: "TIP_DISTRIBUTION_ACCOUNT",
    accountType: "TipDistributionAccount",
    bytes: 168,
  };
}
