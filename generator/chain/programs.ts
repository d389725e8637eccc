/** The program that owns vote accounts, and through which alone a commission changes. */
export const VOTE_PROGRAM = "Vote111111111111111111111111111111111111111";
