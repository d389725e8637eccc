import { createHash } from "node:crypto";
import { VOTE_PROGRAM } from "../../../generator/chain/program-address.ts";
import { encodePublicKey } from "../../../generator/chain/public-key.ts";
import { address, layOut, u16, u32, u64, u8 } from "../../cluster/transactions/layout.ts";
import { CLOCK, RENT } from "../../cluster/transactions/programs.ts";
import {
  readonly,
  signer,
  writable,
  type Instruction,
} from "../../cluster/transactions/message.ts";

export const VOTE_ACCOUNT_BYTES = 3762;

const INITIALIZE_ACCOUNT = 0;
const AUTHORIZE = 1;
const WITHDRAW = 3;
const AUTHORIZE_CHECKED = 7;
const AUTHORIZE_WITH_SEED = 10;
const AUTHORIZE_CHECKED_WITH_SEED = 11;
const INITIALIZE_ACCOUNT_V2 = 16;

const VOTER = 0;
const WITHDRAWER = 1;
const VOTER_WITH_KEY = 2;
const BLOCK_REVENUE_BASIS_POINTS = 10_000;

export interface VoteAccountOwners {
  vote: string;
  node: string;
  voter: string;
  withdrawer: string;
}

/** The voter's BLS key and proof of possession, valid for one vote account only. */
export interface BlsKey {
  publicKey: Uint8Array;
  proof: Uint8Array;
}

/** Without a BLS key, so outside the validator set (SIMD-0357). */
export function initializeVoteAccount(
  { vote, node, voter, withdrawer }: VoteAccountOwners,
  percent: number,
): Instruction {
  return {
    program: VOTE_PROGRAM,
    accounts: [writable(vote), readonly(RENT), readonly(CLOCK), signer(node)],
    data: layOut(
      u32(INITIALIZE_ACCOUNT),
      address(node),
      address(voter),
      address(withdrawer),
      u8(percent),
    ),
  };
}

/** May be in the validator set (SIMD-0464); its commission goes to itself. */
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

function authorize(vote: string, signers: string[], ...data: Uint8Array[]): Instruction {
  const accounts = [writable(vote), readonly(CLOCK), ...signers.map(signer)];
  return { program: VOTE_PROGRAM, accounts, data: layOut(...data) };
}

/** Sets the voter and the BLS key that the validator set requires (SIMD-0387). */
export function authorizeVoterWithKey(
  vote: string,
  owner: string,
  { voter, key }: { voter: string; key: BlsKey },
) {
  return authorize(
    vote,
    [owner],
    u32(AUTHORIZE),
    address(voter),
    u32(VOTER_WITH_KEY),
    key.publicKey,
    key.proof,
  );
}

export function authorizeVoter(vote: string, owner: string, voter: string): Instruction {
  return authorize(vote, [owner], u32(AUTHORIZE), address(voter), u32(VOTER));
}

/** The new withdraw authority signs too. */
export function authorizeWithdrawerChecked(
  vote: string,
  withdrawer: string,
  to: string,
): Instruction {
  return authorize(vote, [withdrawer, to], u32(AUTHORIZE_CHECKED), u32(WITHDRAWER));
}

/** A withdraw authority derived from a base key, which signs, a program and a seed. */
interface SeededAuthority {
  base: string;
  owner: string;
  seed: string;
}

/** Replaces a seed-derived one. */
export function authorizeWithdrawerWithSeed(
  vote: string,
  from: SeededAuthority,
  to: string,
): Instruction {
  return authorize(vote, [from.base], u32(AUTHORIZE_WITH_SEED), ...seedFields(from), address(to));
}

/** The same; the new one signs too. */
export function authorizeWithdrawerCheckedWithSeed(
  vote: string,
  from: SeededAuthority,
  to: string,
): Instruction {
  return authorize(vote, [from.base, to], u32(AUTHORIZE_CHECKED_WITH_SEED), ...seedFields(from));
}

export function addressWithSeed({ base, owner, seed }: SeededAuthority): string {
  return encodePublicKey(
    createHash("sha256").update(address(base)).update(seed).update(address(owner)).digest(),
  );
}

function seedFields({ owner, seed }: SeededAuthority): Uint8Array[] {
  const text = Buffer.from(seed);
  return [u32(WITHDRAWER), address(owner), u64(BigInt(text.length)), text];
}

type Withdrawal = Record<"vote" | "to" | "withdrawer", string> & { lamports: bigint };

/** Withdrawing everything closes the account. */
export function withdrawFromVoteAccount({
  vote,
  to,
  withdrawer,
  lamports,
}: Withdrawal): Instruction {
  const accounts = [writable(vote), writable(to), signer(withdrawer)];
  return { program: VOTE_PROGRAM, accounts, data: layOut(u32(WITHDRAW), u64(lamports)) };
}
