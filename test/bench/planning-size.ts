import type { ClusterOptions } from "../../infra/demo/cluster/options.ts";

export const DAY_MILLISECONDS = 86_400_000;

/** Two days of 432,000 slots of 400 ms. */
export const EPOCH_MILLISECONDS = 172_800_000;
export const SLOTS_PER_EPOCH = 432_000;

/** Mainnet as it is planned for, its clock apart: who is listed, and an answer of 370 MB. */
export const PLANNED_CLUSTER = {
  network: "mainnet",
  seed: 1,
  validators: 1000,
  stakeAccounts: 1_200_000,
  firstEpoch: 1060,
  epochMilliseconds: EPOCH_MILLISECONDS,
  slotsPerEpoch: SLOTS_PER_EPOCH,
} as const satisfies Omit<ClusterOptions, "startsAt">;

/** Validators: as planned; of testnet, in a recorded answer of August 2026; and of a small cluster of a community. */
export const NETWORK_SIZES = { mainnet: PLANNED_CLUSTER.validators, testnet: 621, alpenglow: 100 };

/** Every vote account ever seen, those that left included. */
export const KNOWN_VALIDATORS = 3000;

/** Epochs of history. */
export const PLANNED_EPOCHS = 1000;
