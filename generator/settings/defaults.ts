import type { Network } from "../contract/networks.ts";

/** Public, all rate limited by address; testnet and alpenglow come with no promise of being up. */
export const DEFAULT_RPC_URLS = {
  mainnet: ["https://api.mainnet.solana.com"],
  testnet: ["https://api.testnet.solana.com"],
  alpenglow: ["https://alpenglow.rpcpool.com"],
} as const satisfies Record<Network, readonly string[]>;

/** What public endpoints bear beside the observations: 40 of a method in ten seconds. */
export const CALLS_PER_SECOND = 3;

/** How far `transactions` goes back: nodes without an archive behind them keep some two days. */
export const CHAIN_EPOCHS_DEFAULT = 2;
export const CHAIN_EPOCHS_MAX = 1_000;
