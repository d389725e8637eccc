import type { ClusterOptions } from "../cluster/options.ts";

export const DAY_MILLISECONDS = 86_400_000;

/** Two days: 432,000 slots of 400 ms. */
export const EPOCH_MILLISECONDS = 172_800_000;
export const SLOTS_PER_EPOCH = 432_000;

/** Mainnet as planned, without a clock; its stake scan answers 370 MB. */
export const PLANNED_CLUSTER = {
  network: "mainnet",
  seed: 1,
  validators: 1000,
  stakeAccounts: 1_200_000,
  firstEpoch: 1060,
  epochMilliseconds: EPOCH_MILLISECONDS,
  slotsPerEpoch: SLOTS_PER_EPOCH,
} as const satisfies Omit<ClusterOptions, "startsAt">;

/**
 * Validators: mainnet as planned, testnet as recorded in
 * August 2026, alpenglow as a small community cluster.
 */
export const NETWORK_SIZES = { mainnet: PLANNED_CLUSTER.validators, testnet: 621, alpenglow: 100 };

/** Vote accounts ever seen, departed ones included. */
export const KNOWN_VALIDATORS = 3000;

export const PLANNED_EPOCHS = 1000;
