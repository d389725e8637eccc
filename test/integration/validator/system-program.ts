import { address, layOut, u32, u64, SYSTEM_PROGRAM } from "../../../infra/demo/cluster/transactions/programs.ts";
import { writableSigner, type Instruction } from "../../../infra/demo/cluster/transactions/message.ts";

const CREATE_ACCOUNT = 0;

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
