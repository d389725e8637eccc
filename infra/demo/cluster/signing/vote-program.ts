import { address, layOut, u16, u32, u64, u8 } from "./layout.ts";
import { readonly, signer, toCompact, writable, type Instruction } from "./message.ts";
import { VOTE_PROGRAM } from "../../../../generator/chain/programs.ts";
import { CLOCK } from "./programs.ts";

// The places of the instructions in the program's enum.
const AUTHORIZE = 1;
const UPDATE_COMMISSION = 5;
const TOWER_SYNC = 14;
const UPDATE_COMMISSION_COLLECTOR = 17;
const UPDATE_COMMISSION_BPS = 18;

const WITHDRAWER = 1;
const INFLATION_REWARDS = 0;
const BLOCK_REVENUE = 1;
const NO_ROOT = 2n ** 64n - 1n;

/** A new inflation commission in whole percent; the account holds a hundred times as many basis points then. */
export function updateCommission(vote: string, withdrawer: string, percent: number): Instruction {
  const data = layOut(u32(UPDATE_COMMISSION), u8(percent));
  return { program: VOTE_PROGRAM, accounts: [writable(vote), signer(withdrawer)], data };
}

/** A new inflation commission in basis points (SIMD-0291). */
export function updateCommissionBasisPoints(vote: string, withdrawer: string, basisPoints: number): Instruction {
  const data = layOut(u32(UPDATE_COMMISSION_BPS), u16(basisPoints), u32(INFLATION_REWARDS));
  return { program: VOTE_PROGRAM, accounts: [writable(vote), signer(withdrawer)], data };
}

/** A new commission on block revenue in basis points (SIMD-0123). */
export function updateBlockRevenueCommission(vote: string, withdrawer: string, basisPoints: number): Instruction {
  const data = layOut(u32(UPDATE_COMMISSION_BPS), u16(basisPoints), u32(BLOCK_REVENUE));
  return { program: VOTE_PROGRAM, accounts: [writable(vote), signer(withdrawer)], data };
}

/** Who gets the commission from now on (SIMD-0232): the vote account itself, or one of the system program. */
export function updateCommissionCollector(
  vote: string,
  withdrawer: string,
  { of, to }: { of: "inflation rewards" | "block revenue"; to: string },
): Instruction {
  const kind = of === "inflation rewards" ? INFLATION_REWARDS : BLOCK_REVENUE;
  const data = layOut(u32(UPDATE_COMMISSION_COLLECTOR), u32(kind));
  return { program: VOTE_PROGRAM, accounts: [writable(vote), writable(to), signer(withdrawer)], data };
}

/** Hands the withdraw authority over. The new one need not sign. */
export function authorizeWithdrawer(vote: string, withdrawer: string, successor: string): Instruction {
  return {
    program: VOTE_PROGRAM,
    accounts: [writable(vote), readonly(CLOCK), signer(withdrawer)],
    data: layOut(u32(AUTHORIZE), address(successor), u32(WITHDRAWER)),
  };
}

/** A slot, and the hash of its bank in Base58. */
export interface SlotHash {
  slot: bigint;
  hash: string;
}

/**
 * A vote for one slot that takes the one before it as final, which earns that one's credits.
 * @param root the slot of the last vote; null: this is the first one
 */
export function voteFor(vote: string, voter: string, { slot, hash, root }: SlotHash & { root: bigint | null }) {
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
