import { createHash } from "node:crypto";
import type { Network } from "../../contract/networks.ts";

/* The on-chain programs whose accounts hold MEV and priority-fee commissions. */

/** A program with one account per vote account and epoch. */
export interface DistributionProgram {
  address: string;
  seed: string;
  /** Anchor's tag before each account of this type. */
  discriminator: Buffer;
}

/**
 * The program of MEV commissions; null: this network has none. One program a network, because what
 * a validator keeps of an epoch's tips is one fact (`ledger/tips/`). A second one would be a fact
 * of its own, with a section, a majority and a fold beside `tips`.
 */
export const TIP_PROGRAMS: Record<Network, DistributionProgram | null> = {
  mainnet: toTipProgram("4R3gSG8BpU4t19KYj8CfnbtRpnT8gtk4dvTHxVRwc2r7"),
  testnet: toTipProgram("DzvGET57TAgEDxvm3ERUM4GNcsAJdqjDLCne9sdfY4wf"),
  alpenglow: null,
};

/** The program of priority-fee commissions; null: this network has none. */
export const PRIORITY_FEE_PROGRAMS: Record<Network, DistributionProgram | null> = {
  mainnet: {
    address: "Priority6weCZ5HwDn29NxLFpb7TDp2iLZ6XKc5e8d3",
    seed: "PF_DISTRIBUTION_ACCOUNT",
    discriminator: toDiscriminator("PriorityFeeDistributionAccount"),
  },
  testnet: null,
  alpenglow: null,
};

/** Whether the chain of this network holds priority-fee commissions. */
export function hasPriorityFeeProgram(network: Network): boolean {
  return PRIORITY_FEE_PROGRAMS[network] !== null;
}

/** Whether the chain of this network holds MEV commissions. */
export function hasTipProgram(network: Network): boolean {
  return TIP_PROGRAMS[network] !== null;
}

function toTipProgram(address: string): DistributionProgram {
  return {
    address,
    seed: "TIP_DISTRIBUTION_ACCOUNT",
    discriminator: toDiscriminator("TipDistributionAccount"),
  };
}

function toDiscriminator(accountType: string): Buffer {
  return createHash("sha256").update(`account:${accountType}`).digest().subarray(0, 8);
}
