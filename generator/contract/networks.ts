import { z } from "zod";

export const NETWORKS = ["mainnet", "testnet", "alpenglow"] as const;

export const networkSchema = z
  .enum(NETWORKS)
  .meta({ description: "The cluster that the answer describes." });

export type Network = z.infer<typeof networkSchema>;

export const DEFAULT_NETWORK: Network = "mainnet";
