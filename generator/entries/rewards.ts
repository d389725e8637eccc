import { z } from "zod";
import { countSchema, pubkeySchema } from "../contract/values.ts";
import { answersOf, lamports } from "./rows.ts";

/** Most stake accounts of one validator that are asked for their reward. */
export const REWARDED_ACCOUNTS_MAX = 2;

/** Most epochs of stake history: a stake that warms up for longer counts as not whole. */
export const STAKE_HISTORY_MAX = 32;

/** An unsigned integer of 128 bits: bigint in memory, a decimal string in the journal. */
const points = z.union([
  z
    .string()
    .regex(/^\d{1,39}$/)
    .transform(BigInt),
  z.bigint().min(0n),
]);

/**
 * `[stake, activationEpoch, creditsObserved, amount]` of a stake account: its delegation in
 * lamports, the credits up to which it was paid, and the reward in lamports that went to it.
 * `activationEpoch` is null for stake of the genesis, `amount` if no reward is listed. Empty: the
 * account was not delegated to the validator in all of the epoch. null: no such account is shown.
 */
const rewardedStake = z
  .union([z.tuple([lamports, countSchema.nullable(), lamports, lamports.nullable()]), z.tuple([])])
  .nullable();

/**
 * `[credits, previousCredits, activeStake, kept]` of a vote account: its credits at the end of the
 * epoch and at its begin, its stake now, and the reward in lamports that went to it, null if none
 * is listed. null: the vote account is not listed.
 */
const rewardedVote = z.tuple([lamports, lamports, lamports, lamports.nullable()]).nullable();

/** `[epoch, effective, activating]`: stake of the cluster, in lamports. */
const stakeOfEpoch = z.tuple([countSchema, lamports, lamports]);

/**
 * The rewards of a closed epoch, as every witness answers them: of a few stake accounts of each
 * validator, with all from which their commission follows.
 */
export const panelRewards = z.object({
  epoch: countSchema,
  /** `[vote, stakeAccounts]`: the largest of each validator. */
  validators: z.array(z.tuple([pubkeySchema, z.array(pubkeySchema).max(REWARDED_ACCOUNTS_MAX)])),
  answers: answersOf({
    slot: countSchema,
    /** Of the cluster in this epoch. */
    totalPoints: points,
    /** Lamports that all points share. */
    totalRewards: lamports,
    /** Newest first. */
    stakeHistory: z.array(stakeOfEpoch).max(STAKE_HISTORY_MAX),
    /** In the order of `validators`. */
    votes: z.array(rewardedVote),
    /** In the order of `validators` and their accounts. */
    stakes: z.array(rewardedStake),
  }),
});

/** The rewards of a closed epoch, as every witness answers them. */
export type PanelRewards = z.infer<typeof panelRewards>;
/** What a `PanelRewards` was asked for: the epoch, and the accounts. */
export type RewardsQuestion = Omit<PanelRewards, "answers">;
/** What one witness answers. */
export type RewardsAnswer = Extract<PanelRewards["answers"][number], { state: "ok" }>;
