import { address, layOut, u32, u64, u8 } from "./layout.ts";
import { writable, writableSigner, type Instruction } from "./message.ts";
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from "./programs.ts";

const CREATE_ACCOUNT = 0;
const TRANSFER = 2;
const SET_COMPUTE_UNIT_LIMIT = 2;

export interface NewAccount {
  payer: string;
  account: string;
  lamports: bigint;
  bytes: number;
  /** The program that may change it. */
  owner: string;
}

/** A new account; it signs too, so that nobody takes another's address. */
export function createAccount({ payer, account, lamports, bytes, owner }: NewAccount): Instruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [writableSigner(payer), writableSigner(account)],
    data: layOut(u32(CREATE_ACCOUNT), u64(lamports), u64(BigInt(bytes)), address(owner)),
  };
}

export function transfer({ from, to, lamports }: { from: string; to: string; lamports: bigint }): Instruction {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [writableSigner(from), writable(to)],
    data: layOut(u32(TRANSFER), u64(lamports)),
  };
}

/** How much the transaction may compute, where more than what is usual for its programs is needed. */
export function setComputeUnitLimit(units: number): Instruction {
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data: layOut(u8(SET_COMPUTE_UNIT_LIMIT), u32(units)) };
}
