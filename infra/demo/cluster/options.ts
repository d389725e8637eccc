import { z } from "zod";
import { networkSchema } from "../../../generator/contract/networks.ts";

/** The RPC endpoints of every network, preferred first. */
export const ENDPOINTS = ["first", "second", "lagging"] as const;

export type EndpointName = (typeof ENDPOINTS)[number];

/** Fewer validators cannot carry the story's parts. */
export const VALIDATORS_MIN = 12;

/** Rows a validator's delegations need at least: two active, one joining, one leaving, two that ended. */
export const STAKE_ACCOUNTS_PER_VALIDATOR_MIN = 6;

/** How all stake accounts may be asked for: in one answer, page by page, or by the first byte of the voter. */
const STAKE_SCANS = ["whole", "by page", "by voter"] as const;

/** Below this the distance of 128 slots after which a silent validator counts as delinquent swallows the epoch. */
const SLOTS_PER_EPOCH_MIN = 4096;

export const clusterOptionsSchema = z
  .object({
    network: networkSchema,
    /** Another seed is another story. */
    seed: z.int().min(0),
    validators: z.int().min(VALIDATORS_MIN).max(10_000),
    stakeAccounts: z.int().min(0).max(5_000_000),
    /** Epoch milliseconds of the first slot of `firstEpoch`. */
    startsAt: z.int().min(0),
    /** Late enough that every network is past its short first epochs and has some before the story. */
    firstEpoch: z.int().min(100).max(60_000),
    epochMilliseconds: z.int().min(1000),
    slotsPerEpoch: z.int().min(SLOTS_PER_EPOCH_MIN).max(1_000_000),
    /** What the cluster's endpoints refuse, as many real ones do; absent: nothing. */
    refusedStakeScans: z.array(z.enum(STAKE_SCANS)).optional(),
    /** Whether some raise their commission for no longer than the moment in which an epoch ends, which no poll sees. */
    hiddenFlips: z.boolean().optional(),
    /** Whether some epochs see many rugs and others few or none, as in life; absent: all see as many. */
    unevenRugs: z.boolean().optional(),
    /** Slots for which endpoints keep transactions; absent: two of mainnet's epochs. */
    transactionSlots: z.int().min(1).optional(),
    /** Endpoints that keep no transactions at all; absent: none. */
    withoutTransactions: z.array(z.enum(ENDPOINTS)).optional(),
    /** First and last epoch in which the MEV vendor's API fails; absent: in none. */
    mevOutageEpochs: z.tuple([z.int(), z.int()]).optional(),
  })
  .refine(({ validators, stakeAccounts }) => stakeAccounts >= validators * STAKE_ACCOUNTS_PER_VALIDATOR_MIN, {
    path: ["stakeAccounts"],
    message: `at least ${STAKE_ACCOUNTS_PER_VALIDATOR_MIN} for each validator`,
  });

/** What one simulated cluster is made of. */
export type ClusterOptions = z.infer<typeof clusterOptionsSchema>;
