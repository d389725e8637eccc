import { z } from "zod";
import {
  readonly,
  signer,
  writable,
  writableSigner,
  type Instruction,
  type Keypair,
} from "../../cluster/transactions/message.ts";
import { address, layOut, u32, u64 } from "../../cluster/transactions/layout.ts";
import {
  CLOCK,
  RENT,
  setComputeUnitLimit,
  STAKE_CONFIG,
  STAKE_HISTORY,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
} from "../../cluster/transactions/programs.ts";
import { VOTE_PROGRAM } from "../../../generator/chain/program-address.ts";
import { createKeypair, deriveKeypair } from "./keys.ts";
import {
  authorizeVoterWithKey,
  type BlsKey,
  initializeVoteAccount,
  initializeVoteAccountWithKey,
  VOTE_ACCOUNT_BYTES,
  type VoteAccountOwners,
  withdrawFromVoteAccount,
} from "./vote-program.ts";
import type { Ask } from "./rpc.ts";
import { sendAndConfirm, type Landed } from "./transactions.ts";

export interface Member {
  vote: Keypair;
  stake: Keypair;
  owner: Keypair;
  authority: Keypair;
}

export interface MemberOptions {
  faucet: Keypair;
  /** Without a BLS key it is outside the validator set and paid nothing. */
  keys: { vote: Keypair; bls: BlsKey | null };
  authority?: Keypair;
  /** At first; a multiple of 100 without a BLS key. */
  basisPoints: number;
}

interface VoteKeys {
  vote: Keypair;
  bls: BlsKey;
}

/**
 * A proof of possession is a BLS12-381 signature (SIMD-0387),
 * which Node cannot make: made once, for these addresses only.
 */
export const STEADY: VoteKeys = toVoteKeys(
  "rugwatch test vote account steady",
  "uKdvZnbOAuXYzZHpzGvMzFtcuS/5k93ucoxlpISeubvGWsCuZCk9RnmsTxxYVc9V",
  "opzxh2qW6mjcUTfhUxceY5DI9XI+0tJAd4AqrjNHhMc9KJphtH8bFrqjvy0Jy3IWDhzhLE0Z6WjPKsqLzl0v1QCmQeCgO+iAPWgwyaRt2YT07j1OGvD+EcBPUvjUEXw2",
);
export const NEWCOMER: VoteKeys = toVoteKeys(
  "rugwatch test vote account newcomer",
  "t+EEKma7o+zLVa/0S4h1UdQ104+559NXNlORVhR1CYGw+XoCx32dxVDqufTbcaM9",
  "ilX2sdrLEEu5HhF3IwR5pgUENaxZI9WtOKNkGqxHOQf105FviAKa+LrQTruz6LUYB/aMe1PNqPdo9KXQyMTsU2qNc/Wg2IYmBELpD3n0N0i5935YNifBIbaooOghoQy3",
);

export const LATECOMER: VoteKeys = toVoteKeys(
  "rugwatch test vote account latecomer",
  "heL1AG9Mjq+so9ROEnyE57bA7JHu4GR90tqhtb/MU2E0rOeSAOVs+X3TnyZGMIaN",
  "oQ+tO+JFb42EsYQOq9/USYr6wAqxQE3eHXTiJN0oDaXc+1RQ9Wa5owLCmfevbvojABMPyeuQ6OdoyNfv2G5GRQHunXxcUvQxxh2NJ0i/aXuPCIY7E12wSG291rEKCoZ2",
);

/** More than rent and the planned price of a place in the validator set (SIMD-0357). */
const VOTE_LAMPORTS = 10_000_000_000n;
/** A thousandth of the validator's own, so its leader slots, which nobody serves, are few. */
const STAKE_LAMPORTS = 1_000_000_000_000n;
const balanceSchema = z.object({ value: z.int().min(0).transform(BigInt) });
const CREATE_ACCOUNT = 0;
const STAKE_ACCOUNT_BYTES = 200;

const INITIALIZE = 0;
const DELEGATE_STAKE = 2;
/** Proving a BLS key takes more than the vote program's default. */
const COMPUTE_UNITS = 200_000;

export async function createMember(
  ask: Ask,
  { faucet, keys, authority, basisPoints }: MemberOptions,
): Promise<Member> {
  const owner = createKeypair();
  const member = { vote: keys.vote, stake: createKeypair(), owner, authority: authority ?? owner };
  const node = createKeypair();
  const [voter, withdrawer] = [member.owner.address, member.authority.address];
  const owners = { vote: member.vote.address, node: node.address, voter, withdrawer };
  const instructions = createVoteAccount(faucet, owners, keys.bls, basisPoints);
  await sendAndConfirm(ask, { keys: [faucet, member.vote, node], instructions });
  return member;
}

export function stakeOn(ask: Ask, faucet: Keypair, member: Member): Promise<Landed> {
  const instructions = createStake(faucet, member);
  return sendAndConfirm(ask, { keys: [faucet, member.stake, member.owner], instructions });
}

export function createVoteAccount(
  faucet: Keypair,
  owners: VoteAccountOwners,
  key: BlsKey | null,
  basisPoints: number,
) {
  return [
    setComputeUnitLimit(COMPUTE_UNITS),
    createAccount(faucet.address, owners.vote, {
      lamports: VOTE_LAMPORTS,
      bytes: VOTE_ACCOUNT_BYTES,
      owner: VOTE_PROGRAM,
    }),
    key === null
      ? initializeVoteAccount(owners, basisPoints / 100)
      : initializeVoteAccountWithKey(owners, { key, basisPoints }),
  ];
}

/** Closes a vote account that did not vote for two epochs, and opens it with another commission. */
export async function reopen(
  ask: Ask,
  { vote, owner, authority }: Member,
  { faucet, keys, basisPoints }: Omit<MemberOptions, "authority">,
): Promise<Landed> {
  const { value: lamports } = await ask("getBalance", [vote.address], balanceSchema);
  const [to, withdrawer] = [faucet.address, authority.address];
  const node = createKeypair();
  const owners = { vote: vote.address, node: node.address, voter: owner.address, withdrawer };
  await sendAndConfirm(ask, {
    keys: [faucet, authority],
    instructions: [withdrawFromVoteAccount({ vote: vote.address, to, withdrawer, lamports })],
  });
  const instructions = createVoteAccount(faucet, owners, keys.bls, basisPoints);
  return sendAndConfirm(ask, { keys: [faucet, vote, node], instructions });
}

export function bringKey(
  ask: Ask,
  faucet: Keypair,
  { vote, owner }: Member,
  { bls: key }: VoteKeys,
) {
  const authorize = authorizeVoterWithKey(vote.address, owner.address, {
    voter: owner.address,
    key,
  });
  return sendAndConfirm(ask, {
    keys: [faucet, owner],
    instructions: [setComputeUnitLimit(COMPUTE_UNITS), authorize],
  });
}

function createStake(faucet: Keypair, { vote, stake, owner }: Member): Instruction[] {
  const made = { lamports: STAKE_LAMPORTS, bytes: STAKE_ACCOUNT_BYTES, owner: STAKE_PROGRAM };
  return [
    createAccount(faucet.address, stake.address, made),
    initializeStake(stake.address, owner.address),
    delegateStake({ stake: stake.address, vote: vote.address, owner: owner.address }),
  ];
}

function toVoteKeys(name: string, publicKey: string, proof: string): VoteKeys {
  return {
    vote: deriveKeypair(name),
    bls: { publicKey: Buffer.from(publicKey, "base64"), proof: Buffer.from(proof, "base64") },
  };
}

function initializeStake(stake: string, owner: string): Instruction {
  const withoutLockup = layOut(u64(0n), u64(0n), address(SYSTEM_PROGRAM));
  return {
    program: STAKE_PROGRAM,
    accounts: [writable(stake), readonly(RENT)],
    data: layOut(u32(INITIALIZE), address(owner), address(owner), withoutLockup),
  };
}

function delegateStake({
  stake,
  vote,
  owner,
}: {
  stake: string;
  vote: string;
  owner: string;
}): Instruction {
  return {
    program: STAKE_PROGRAM,
    accounts: [
      ...[
        writable(stake),
        readonly(vote),
        readonly(CLOCK),
        readonly(STAKE_HISTORY),
        readonly(STAKE_CONFIG),
      ],
      signer(owner),
    ],
    data: u32(DELEGATE_STAKE),
  };
}

interface NewAccount {
  lamports: bigint;
  bytes: number;
  owner: string;
}

/** The new account signs too, so that nobody takes another's address. */
function createAccount(
  payer: string,
  account: string,
  { lamports, bytes, owner }: NewAccount,
): Instruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [writableSigner(payer), writableSigner(account)],
    data: layOut(u32(CREATE_ACCOUNT), u64(lamports), u64(BigInt(bytes)), address(owner)),
  };
}
