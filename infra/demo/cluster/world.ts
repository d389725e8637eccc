import { z } from "zod";
import { networkSchema } from "../../../generator/contract/networks.ts";
import { createCalendar, type Calendar } from "./calendar.ts";
import { createCast, type Member } from "./chain/cast.ts";
import { createRandom, type Random } from "./random.ts";

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

/** What every part of the story is told from. */
export interface World {
  options: ClusterOptions;
  random: Random;
  calendar: Calendar;
  members: readonly Member[];
}

/** The stage and the cast of one cluster. */
export function createWorld(options: ClusterOptions): World {
  const random = createRandom(`${options.seed}/${options.network}`);
  return { options, random, calendar: createCalendar(options), members: createCast(options, random) };
}

/**
 * Remembers what is dear to compute, for an epoch or a slot. It changes no answer: `compute` is a pure function of the
 * number. Only the newest few are kept, because a fast-forwarded story passes through thousands.
 */
export function remember<Value>(compute: (at: number) => Value, keep = 8): (at: number) => Value {
  const known = new Map<number, Value>();
  return (at) => {
    const value = known.get(at) ?? compute(at);
    known.set(at, value);
    for (const oldest of known.keys()) {
      if (known.size <= keep) break;
      known.delete(oldest);
    }
    return value;
  };
}

/**
 * What adds up from epoch to epoch: the state at the start of each, made from the one before. All are kept, so that asking
 * for an earlier epoch does not begin at the story's start again.
 */
export function accumulate<Value>(
  first: Value,
  next: (before: Value, ordinal: number) => Value,
): (ordinal: number) => Value {
  const starts = [first];
  return (ordinal) => {
    let newest = starts.at(-1) ?? first;
    for (let before = starts.length - 1; before < ordinal; before++) {
      newest = next(newest, before);
      starts.push(newest);
    }
    return starts[ordinal] ?? newest;
  };
}
