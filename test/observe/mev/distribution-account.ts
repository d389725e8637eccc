import { decodePublicKey } from "../../../generator/chain/public-key.ts";
import { TIP_PROGRAMS as READ_PROGRAMS } from "../../../generator/observe/mev/tip-programs.ts";
import {
  encodeDistributionAccount,
  TIP_PROGRAMS,
} from "../../cluster/chain/distribution-accounts.ts";
import { NO_KEY } from "../../cluster/chain/vote-account.ts";
import { toAccount } from "../../cluster/rpc/accounts.ts";

export const TIP_PROGRAM = READ_PROGRAMS.mainnet!;

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
  const data = encodeDistributionAccount(
    { ...TIP_PROGRAMS.mainnet!, accountType },
    {
      vote: { bytes: decodePublicKey(vote) },
      uploader: NO_KEY,
      epoch: 0,
      basisPoints,
      merkleRoot: withRoot ? NO_ROOT : null,
    },
  );
  // Filled, so that a wrong offset gives a wrong number.
  if (withRoot) data.fill(0xee, 73, 137);
  if (maxTotalClaim !== undefined) data.writeBigUInt64LE(maxTotalClaim, 105);
  const account = toAccount({ owner, lamports, data: data.subarray(0, bytes) });
  return { ...account, space: space ?? undefined };
}

const NO_ROOT = { root: new Uint8Array(32), totalLamports: 0n, claims: 0 };
