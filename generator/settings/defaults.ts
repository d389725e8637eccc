import type { Network } from "../contract/networks.ts";

/**
 * Public endpoints, used unless a variable names others. They limit the rate by address; nobody
 * promises that those of testnet and alpenglow are up.
 */
export const DEFAULT_RPC_URLS = {
  mainnet: ["https://api.mainnet.solana.com"],
  testnet: ["https://api.testnet.solana.com"],
  alpenglow: ["https://alpenglow.rpcpool.com"],
} as const satisfies Record<Network, readonly string[]>;

/** Base addresses of the MEV vendor's API, without `/api/v1`. It serves no alpenglow. */
export const DEFAULT_MEV_URLS = {
  mainnet: "https://kobe.mainnet.jito.network",
  testnet: "https://kobe.testnet.jito.network",
} as const satisfies Partial<Record<Network, string>>;

/**
 * Calls a second that `backfill` and sweeps make by default. Public endpoints allow so many beside
 * the observations.
 */
export const CALLS_PER_SECOND = 3;

/** Epochs that `transactions` searches by default. Nodes without an archive keep about two days. */
export const CHAIN_EPOCHS_DEFAULT = 2;
/** Most epochs that `transactions` may search. */
export const CHAIN_EPOCHS_MAX = 1_000;
