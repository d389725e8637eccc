import { z } from "zod";
import { networkSchema } from "../../generator/contract/networks.ts";

export const ENDPOINTS = ["first", "second", "lagging"] as const;

export type EndpointName = (typeof ENDPOINTS)[number];

/** The story's parts need this many. */
const VALIDATORS_MIN = 12;

/** Two active, one joining, one leaving, two ended. */
export const STAKE_ACCOUNTS_PER_VALIDATOR_MIN = 6;

const STAKE_SCANS = ["whole", "by page", "by voter"] as const;

/** Delinquency after 128 silent slots must not fill the epoch. */
const SLOTS_PER_EPOCH_MIN = 4096;

const clusterOptionsSchema = z
  .object({
    network: networkSchema,
    seed: z.int().min(0),
    validators: z.int().min(VALIDATORS_MIN).max(10_000),
    stakeAccounts: z.int().min(0).max(5_000_000),
    /** Epoch milliseconds of `firstEpoch`'s first slot. */
    startsAt: z.int().min(0),
    /** Past every network's warm-up, with some epochs before the story. */
    firstEpoch: z.int().min(100).max(60_000),
    epochMilliseconds: z.int().min(1000),
    slotsPerEpoch: z.int().min(SLOTS_PER_EPOCH_MIN).max(1_000_000),
    refusedStakeScans: z.array(z.enum(STAKE_SCANS)).optional(),
    /** Some raise their commission only while an epoch ends, which no poll sees. */
    hiddenFlips: z.boolean().optional(),
    unevenRugs: z.boolean().optional(),
    /** In the second half of each epoch no majority tells the commission of one. */
    disputes: z.boolean().optional(),
    /** No key signs all day what changes nothing. */
    withoutRoutine: z.boolean().optional(),
    /** Absent: two mainnet epochs. */
    transactionSlots: z.int().min(1).optional(),
    withoutTransactions: z.array(z.enum(ENDPOINTS)).optional(),
    /** First and last epoch in which the MEV API fails. */
    mevOutageEpochs: z.tuple([z.int(), z.int()]).optional(),
  })
  .refine(
    ({ validators, stakeAccounts }) =>
      stakeAccounts >= validators * STAKE_ACCOUNTS_PER_VALIDATOR_MIN,
    {
      path: ["stakeAccounts"],
      message: `at least ${STAKE_ACCOUNTS_PER_VALIDATOR_MIN} for each validator`,
    },
  );

export type ClusterOptions = z.infer<typeof clusterOptionsSchema>;

/** What is not given is as in the demo and in most tests: two hours an epoch, 200 ms a slot. */
export type ClusterRequest = Pick<ClusterOptions, "startsAt"> & Partial<ClusterOptions>;

export const FIRST_EPOCH = 1060;
export const EPOCH_MILLISECONDS = 2 * 3_600_000;
const SLOT_MILLISECONDS = 200;
export const SLOTS_PER_EPOCH = EPOCH_MILLISECONDS / SLOT_MILLISECONDS;

/** @throws {z.ZodError} where the script could not be played so */
export function toClusterOptions({
  validators = 40,
  epochMilliseconds = EPOCH_MILLISECONDS,
  ...others
}: ClusterRequest): ClusterOptions {
  return clusterOptionsSchema.parse({
    network: "mainnet",
    seed: 11,
    validators,
    stakeAccounts: validators * STAKE_ACCOUNTS_PER_VALIDATOR_MIN,
    firstEpoch: FIRST_EPOCH,
    epochMilliseconds,
    slotsPerEpoch: epochMilliseconds / SLOT_MILLISECONDS,
    ...others,
  });
}
