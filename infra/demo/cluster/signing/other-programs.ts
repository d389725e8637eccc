import { layOut, u32, u64, u8 } from "./layout.ts";
import { writable, writableSigner, type Instruction } from "./message.ts";
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from "./programs.ts";

const TRANSFER = 2;
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;

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

/** What is paid for each unit of it beside the fee, in millionths of a lamport. */
export function setComputeUnitPrice(microLamports: bigint): Instruction {
  return {
    program: COMPUTE_BUDGET_PROGRAM,
    accounts: [],
    data: layOut(u8(SET_COMPUTE_UNIT_PRICE), u64(microLamports)),
  };
}
