import { z } from "zod";

/** The clusters of Solana that Rugwatch covers, in the order in which they are listed. */
export const NETWORKS = ["mainnet", "testnet", "alpenglow"] as const;

/** A cluster's name in answers. */
export const networkSchema = z
  .enum(NETWORKS)
  .meta({ description: "The cluster that the answer describes." });

/** A cluster's name, as in paths, keys and the parameter `network`. */
export type Network = z.infer<typeof networkSchema>;

/** The cluster that requests without `network` ask about. */
export const DEFAULT_NETWORK: Network = "mainnet";
