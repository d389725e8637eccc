import { address, layOut, u16, u32, u64, u8 } from "../../generator/demo/signing/layout.ts";
import { readonly, signer, writable, type Instruction } from "../../generator/demo/signing/message.ts";
import { VOTE_PROGRAM } from "../../generator/chain/programs.ts";
import { CLOCK, RENT } from "../../generator/demo/signing/programs.ts";

/** Bytes of a vote account in every layout. */
export const VOTE_ACCOUNT_BYTES = 3762;

// The places of the instructions in the program's enum.
const INITIALIZE_ACCOUNT = 0;
const AUTHORIZE = 1;
const WITHDRAW = 3;
const INITIALIZE_ACCOUNT_V2 = 16;

const VOTER_WITH_KEY = 2;
const BLOCK_REVENUE_BASIS_POINTS = 10_000;

/** Whose a vote account is to be. */
export interface VoteAccountOwners {
  vote: string;
  /** Identity of the node, which signs. */
  node: string;
  voter: string;
  withdrawer: string;
}

/** The voter's BLS key and the proof that whoever brings it has its private half, which holds for one vote account only. */
export interface BlsKey {
  publicKey: Uint8Array;
  proof: Uint8Array;
}

/** A vote account without a BLS key, which the validator set therefore leaves out (SIMD-0357). */
export function initializeVoteAccount(
  { vote, node, voter, withdrawer }: VoteAccountOwners,
  percent: number,
): Instruction {
  return {
    program: VOTE_PROGRAM,
    accounts: [writable(vote), readonly(RENT), readonly(CLOCK), signer(node)],
    data: layOut(u32(INITIALIZE_ACCOUNT), address(node), address(voter), address(withdrawer), u8(percent)),
  };
}

/** A vote account that may be in the validator set (SIMD-0464); its commission goes to itself. */
export function initializeVoteAccountWithKey(
  { vote, node, voter, withdrawer }: VoteAccountOwners,
  { key, basisPoints }: { key: BlsKey; basisPoints: number },
): Instruction {
  return {
    program: VOTE_PROGRAM,
    accounts: [writable(vote), signer(node), writable(vote), writable(vote)],
    data: layOut(
      u32(INITIALIZE_ACCOUNT_V2),
      ...[address(node), address(voter), key.publicKey, key.proof, address(withdrawer)],
      ...[u16(basisPoints), u16(BLOCK_REVENUE_BASIS_POINTS)],
    ),
  };
}

/** Names the voter, and gives the account the BLS key without which the validator set leaves it out (SIMD-0387). */
export function authorizeVoterWithKey(vote: string, owner: string, { voter, key }: { voter: string; key: BlsKey }) {
  return {
    program: VOTE_PROGRAM,
    accounts: [writable(vote), readonly(CLOCK), signer(owner)],
    data: layOut(u32(AUTHORIZE), address(voter), u32(VOTER_WITH_KEY), key.publicKey, key.proof),
  } satisfies Instruction;
}

/** Takes lamports out of a vote account; all of them close it. */
export function withdrawFromVoteAccount(options: {
  vote: string;
  to: string;
  withdrawer: string;
  lamports: bigint;
}): Instruction {
  const { vote, to, withdrawer, lamports } = options;
  return {
    program: VOTE_PROGRAM,
    accounts: [writable(vote), writable(to), signer(withdrawer)],
    data: layOut(u32(WITHDRAW), u64(lamports)),
  };
}
