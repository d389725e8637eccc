import type { Network } from "../contract/networks.ts";

/** Rate limited by address; testnet and alpenglow come with no promise of being up. */
export const DEFAULT_RPC_URLS = {
  mainnet: ["https://api.mainnet.solana.com"],
  testnet: ["https://api.testnet.solana.com"],
  alpenglow: ["https://alpenglow.rpcpool.com"],
} as const satisfies Record<Network, readonly string[]>;

/** The vendor serves no API of alpenglow. */
export const DEFAULT_MEV_URLS = {
  mainnet: "https://kobe.mainnet.jito.network",
  testnet: "https://kobe.testnet.jito.network",
} as const satisfies Partial<Record<Network, string>>;

/** Public endpoints bear so many beside the observations. */
export const CALLS_PER_SECOND = 3;

/** Nodes without an archive keep some two days. */
export const CHAIN_EPOCHS_DEFAULT = 2;
export const CHAIN_EPOCHS_MAX = 1_000;
