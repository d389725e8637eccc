import type { Network } from "../../generator/contract/networks.ts";

/** The only host that pages lead to for what the chain itself says. A link needs nothing of the Content-Security-Policy. */
const EXPLORER = "https://explorer.solana.com";

/** What a network is called there. alpenglow is not to be found there. */
const CLUSTERS = { mainnet: "", testnet: "?cluster=testnet", alpenglow: null } as const satisfies Record<
  Network,
  string | null
>;

/** A transaction by its signature, or an account by its key, in the explorer; null: it cannot be looked up there. */
export function toExplorerAddress(kind: "tx" | "address", name: string, network: Network): string | null {
  const cluster = CLUSTERS[network];
  if (cluster === null || !/^[1-9A-HJ-NP-Za-km-z]{32,88}$/.test(name)) return null;
  return `${EXPLORER}/${kind}/${name}${cluster}`;
}
