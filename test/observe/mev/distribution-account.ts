import { createHash } from "node:crypto";
import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import { TIP_PROGRAMS } from "../../../generator/observe/mev/distribution-accounts.ts";

export const TIP_PROGRAM = TIP_PROGRAMS.mainnet!;

export interface DistributionFacts {
  vote: string;
  basisPoints: number;
  /** Uploaded after the epoch; shifts what follows. */
  withRoot?: boolean;
  owner?: string;
  accountType?: string;
  /** Truncates the account. */
  bytes?: number;
  /** All tips, if there is a root. */
  maxTotalClaim?: bigint;
  lamports?: bigint;
  /** Length that the node gives; null: none. */
  space?: number | null;
}

/** As getMultipleAccounts answers it. */
export function distributionAccount({
  vote,
  basisPoints,
  withRoot = false,
  owner = TIP_PROGRAM.address,
  accountType = "TipDistributionAccount",
  bytes = 168,
  maxTotalClaim,
  lamports = 2_060_160n,
  space = 168,
}: DistributionFacts) {
  const data = Buffer.alloc(168);
  createHash("sha256").update(`account:${accountType}`).digest().copy(data, 0, 0, 8);
  data.set(decodePublicKey(vote), 8);
  data.writeUInt8(withRoot ? 1 : 0, 72);
  // Filled, so that a wrong offset gives a wrong number.
  if (withRoot) data.fill(0xee, 73, 137);
  if (maxTotalClaim !== undefined) data.writeBigUInt64LE(maxTotalClaim, 105);
  data.writeUInt16LE(basisPoints, withRoot ? 145 : 81);
  const cut = data.subarray(0, bytes).toString("base64");
  return { owner, lamports, ...(space !== null && { space }), data: [cut, "base64"] };
}
