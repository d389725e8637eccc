import { readonly, signer, writable, type Instruction, writableSigner } from "./message.ts";
import { VOTE_PROGRAM } from "../../../generator/chain/program-address.ts";
import { address, layOut, toCompact, u16, u32, u64, u8 } from "./layout.ts";

// In the vote program's enum.
const AUTHORIZE = 1;
const UPDATE_COMMISSION = 5;
const TOWER_SYNC = 14;
const UPDATE_COMMISSION_COLLECTOR = 17;
const UPDATE_COMMISSION_BPS = 18;

const WITHDRAWER = 1;
const INFLATION_REWARDS = 0;
const BLOCK_REVENUE = 1;
const NO_ROOT = 2n ** 64n - 1n;

export function updateCommission(vote: string, withdrawer: string, percent: number): Instruction {
  const data = layOut(u32(UPDATE_COMMISSION), u8(percent));
  return { program: VOTE_PROGRAM, accounts: [writable(vote), signer(withdrawer)], data };
}

/** SIMD-0291. */
export function updateCommissionBasisPoints(
  vote: string,
  withdrawer: string,
  basisPoints: number,
): Instruction {
  const data = layOut(u32(UPDATE_COMMISSION_BPS), u16(basisPoints), u32(INFLATION_REWARDS));
  return { program: VOTE_PROGRAM, accounts: [writable(vote), signer(withdrawer)], data };
}

/** SIMD-0123. */
export function updateBlockRevenueCommission(
  vote: string,
  withdrawer: string,
  basisPoints: number,
): Instruction {
  const data = layOut(u32(UPDATE_COMMISSION_BPS), u16(basisPoints), u32(BLOCK_REVENUE));
  return { program: VOTE_PROGRAM, accounts: [writable(vote), signer(withdrawer)], data };
}

/** SIMD-0232: to the vote account, or an account of the system program. */
export function updateCommissionCollector(
  vote: string,
  withdrawer: string,
  { of, to }: { of: "inflation rewards" | "block revenue"; to: string },
): Instruction {
  const kind = of === "inflation rewards" ? INFLATION_REWARDS : BLOCK_REVENUE;
  const data = layOut(u32(UPDATE_COMMISSION_COLLECTOR), u32(kind));
  return {
    program: VOTE_PROGRAM,
    accounts: [writable(vote), writable(to), signer(withdrawer)],
    data,
  };
}

export function authorizeWithdrawer(
  vote: string,
  withdrawer: string,
  successor: string,
): Instruction {
  return {
    program: VOTE_PROGRAM,
    accounts: [writable(vote), readonly(CLOCK), signer(withdrawer)],
    data: layOut(u32(AUTHORIZE), address(successor), u32(WITHDRAWER)),
  };
}

export interface SlotHash {
  slot: bigint;
  hash: string;
}

/**
 * The last one as root earns that one's credits.
 * @param root null: first vote
 */
export function voteFor(
  vote: string,
  voter: string,
  { slot, hash, root }: SlotHash & { root: bigint | null },
) {
  const confirmations = layOut(toCompact(Number(slot - (root ?? 0n))), u8(1));
  const withoutTimestamp = u8(0);
  const blockId = address(hash);
  return {
    program: VOTE_PROGRAM,
    accounts: [writable(vote), signer(voter)],
    data: layOut(
      u32(TOWER_SYNC),
      u64(root ?? NO_ROOT),
      ...[toCompact(1), confirmations, address(hash), withoutTimestamp, blockId],
    ),
  } satisfies Instruction;
}

const TRANSFER = 2;
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;

export function transfer({
  from,
  to,
  lamports,
}: {
  from: string;
  to: string;
  lamports: bigint;
}): Instruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [writableSigner(from), writable(to)],
    data: layOut(u32(TRANSFER), u64(lamports)),
  };
}

export function setComputeUnitLimit(units: number): Instruction {
  return {
    program: COMPUTE_BUDGET_PROGRAM,
    accounts: [],
    data: layOut(u8(SET_COMPUTE_UNIT_LIMIT), u32(units)),
  };
}

export function setComputeUnitPrice(microLamports: bigint): Instruction {
  return {
    program: COMPUTE_BUDGET_PROGRAM,
    accounts: [],
    data: layOut(u8(SET_COMPUTE_UNIT_PRICE), u64(microLamports)),
  };
}

export const SYSTEM_PROGRAM = "11111111111111111111111111111111";
export const STAKE_PROGRAM = "Stake11111111111111111111111111111111111111";
export const COMPUTE_BUDGET_PROGRAM = "ComputeBudget111111111111111111111111111111";

export const RENT = "SysvarRent111111111111111111111111111111111";
export const CLOCK = "SysvarC1ock11111111111111111111111111111111";
export const SLOT_HASHES = "SysvarS1otHashes111111111111111111111111111";
export const STAKE_HISTORY = "SysvarStakeHistory1111111111111111111111111";
/** Nobody reads it, but its place among the accounts remains. */
export const STAKE_CONFIG = "StakeConfig11111111111111111111111111111111";

/** Squads. */
export const MULTISIG_PROGRAM = "SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf";
