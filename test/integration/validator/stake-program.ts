import {
  address,
  layOut,
  u32,
  u64,
  CLOCK,
  RENT,
  STAKE_CONFIG,
  STAKE_HISTORY,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
} from "../../../infra/demo/cluster/transactions/programs.ts";
import { readonly, signer, writable, type Instruction } from "../../../infra/demo/cluster/transactions/message.ts";

/** Bytes of a stake account. */
export const STAKE_ACCOUNT_BYTES = 200;

const INITIALIZE = 0;
const DELEGATE_STAKE = 2;

/** A stake account of one owner, who may also withdraw it at any time. */
export function initializeStake(stake: string, owner: string): Instruction {
  const withoutLockup = layOut(u64(0n), u64(0n), address(SYSTEM_PROGRAM));
  return {
    program: STAKE_PROGRAM,
    accounts: [writable(stake), readonly(RENT)],
    data: layOut(u32(INITIALIZE), address(owner), address(owner), withoutLockup),
  };
}

/** Delegates all that lies in a stake account; it is active from the next epoch on. */
export function delegateStake({ stake, vote, owner }: { stake: string; vote: string; owner: string }): Instruction {
  return {
    program: STAKE_PROGRAM,
    accounts: [
      ...[writable(stake), readonly(vote), readonly(CLOCK), readonly(STAKE_HISTORY), readonly(STAKE_CONFIG)],
      signer(owner),
    ],
    data: u32(DELEGATE_STAKE),
  };
}
