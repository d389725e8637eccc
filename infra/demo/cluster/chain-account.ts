/** An account as a node holds it. */
export interface ChainAccount {
  owner: string;
  lamports: bigint;
  data: Buffer;
}
