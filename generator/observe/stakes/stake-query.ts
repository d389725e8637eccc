import { COMMITMENT } from "../../rpc/epoch.ts";

/** Owner of every stake account. */
export const STAKE_PROGRAM = "Stake11111111111111111111111111111111111111";
/** Size of a stake account. */
export const STAKE_ACCOUNT_BYTES = 200;
/** The state «delegated», as the first four bytes of an account, in base64. */
const DELEGATED = "AgAAAA==";

/** The slice of a stake account that says what is delegated to whom and when: voter, stake, activation, deactivation. */
export const DELEGATION_OFFSET = 124;
export const DELEGATION_BYTES = 56;

/**
 * Parameters that ask a method of getProgramAccounts' kind for the delegation of every delegated stake account.
 * @param options further options of the method
 * @param voterByte only delegations to vote accounts whose key begins with this byte
 */
export function toStakeParams(options: Record<string, unknown>, voterByte?: number): unknown[] {
  const filters: unknown[] = [
    { dataSize: STAKE_ACCOUNT_BYTES },
    { memcmp: { offset: 0, bytes: DELEGATED, encoding: "base64" } },
  ];
  if (voterByte !== undefined) {
    const bytes = Buffer.of(voterByte).toString("base64");
    filters.push({ memcmp: { offset: DELEGATION_OFFSET, bytes, encoding: "base64" } });
  }
  const dataSlice = { offset: DELEGATION_OFFSET, length: DELEGATION_BYTES };
  return [
    STAKE_PROGRAM,
    { commitment: COMMITMENT, encoding: "base64", dataSlice, filters, withContext: true, ...options },
  ];
}
