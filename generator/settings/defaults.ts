import type { Network } from "../contract/networks.ts";

/**
 * Where each cluster is read when no endpoint is set: public JSON-RPC, preferred first. All are rate limited by address;
 * testnet and alpenglow come with no promise of being up.
 */
export const DEFAULT_RPC_URLS = {
  mainnet: ["https://api.mainnet.solana.com"],
  testnet: ["https://api.testnet.solana.com"],
  alpenglow: ["https://alpenglow.rpcpool.com"],
} as const satisfies Record<Network, readonly string[]>;
