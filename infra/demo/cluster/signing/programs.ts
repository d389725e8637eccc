/** Addresses of the programs and system accounts that the instructions name. */
export const SYSTEM_PROGRAM = "11111111111111111111111111111111";
export const STAKE_PROGRAM = "Stake11111111111111111111111111111111111111";
export const COMPUTE_BUDGET_PROGRAM = "ComputeBudget111111111111111111111111111111";

export const RENT = "SysvarRent111111111111111111111111111111111";
export const CLOCK = "SysvarC1ock11111111111111111111111111111111";
export const SLOT_HASHES = "SysvarS1otHashes111111111111111111111111111";
export const STAKE_HISTORY = "SysvarStakeHistory1111111111111111111111111";
/** No longer read, but its place among the accounts is still there. */
export const STAKE_CONFIG = "StakeConfig11111111111111111111111111111111";

/** Squads, by which several keys decide together. */
export const MULTISIG_PROGRAM = "SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf";
