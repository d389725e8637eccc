import type { PaidUnknown } from "../contract/history.ts";
import type { SnapshotEntry } from "../entries/entry.ts";
import type { RewardsAnswer, RewardsQuestion } from "../entries/rewards.ts";
import { findMajority } from "./majority.ts";
import { decidesAlone, type WitnessLists } from "./witness-lists.ts";

/*
 * The runtime pays a stake account (Agave 4.2, `redeem_stake_rewards`, `commission_split`)
 *
 *     reward = points × total rewards / total points, points = stake × credits earned
 *     amount = reward × (10,000 − commission) / 10,000
 *
 * each rounded down. So the amount tells the commission, to the basis point, if the reward is large
 * enough. The amount was added to the stake, which is read after it was paid.
 */

/** What a validator's delegators were paid in an epoch, by a majority of the panel. */
export interface AgreedPaid {
  vote: string;
  /**
   * The commission taken, in basis points, or why nothing tells it; null: there is no majority, or
   * the accounts contradict each other.
   */
  paid: number | Exclude<PaidUnknown, "not_read"> | null;
}

/** The commissions that a closed epoch's rewards really took. */
export interface AgreedRewards {
  epoch: number;
  validators: AgreedPaid[];
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
}

/**
 * Least reward, before commission, from which a commission follows. Above 10,000 lamports no two
 * commissions pay the same; at a hundred times that, an amount that was paid for another stake
 * fits some whole basis point by chance once in a hundred times.
 */
export const MEASURABLE_LAMPORTS = 1_000_000n;

const WHOLE_BASIS_POINTS = 10_000n;
/** Share of the cluster's effective stake that warms up in an epoch, in percent. */
const WARMUP_PERCENT = 9n;

/** Finds what a majority agrees on for each validator; null: rewards were not read. */
export function agreeOnPaid(
  { rewards }: Pick<SnapshotEntry, "rewards">,
  lists: Pick<WitnessLists, "isAlone" | "silent">,
): AgreedRewards | null {
  if (rewards.state !== "ok") return null;
  const { answers, ...question } = rewards.value;
  const answered = answers.filter((answer) => answer.state === "ok");
  const isAlone = decidesAlone(lists, answers, answered);
  const size = isAlone ? 1 : answers.length;
  const measured = answered.map((answer) => measureAll(question, answer));
  const validators = question.validators.map(([vote], index): AgreedPaid => {
    const counted = measured.flatMap((all) => all[index]?.paid ?? []);
    const [paid = null] = findMajority(counted, size);
    return { vote, paid };
  });
  return { epoch: question.epoch, validators, isAlone };
}

/** What one witness's answer says of a validator. */
export interface Measured {
  /** null: nothing. */
  paid: AgreedPaid["paid"];
  /** null: it is not listed. */
  vote: RewardsAnswer["votes"][number];
  /** In the order of the accounts asked for. */
  stakes: readonly RewardsAnswer["stakes"][number][];
}

/** What one witness's answer says of each validator, in the order of the question. */
export function measureAll(
  { epoch, validators }: RewardsQuestion,
  answer: RewardsAnswer,
): Measured[] {
  let next = 0;
  return validators.map(([, accounts], index) => {
    const stakes = answer.stakes.slice(next, (next += accounts.length));
    const vote = answer.votes[index] ?? null;
    return { paid: measure({ epoch, vote, stakes, answer }), vote, stakes };
  });
}

type Vote = NonNullable<RewardsAnswer["votes"][number]>;
type Stake = Extract<RewardsAnswer["stakes"][number], [bigint, ...unknown[]]>;

interface Measuring {
  epoch: number;
  vote: RewardsAnswer["votes"][number];
  stakes: readonly RewardsAnswer["stakes"][number][];
  answer: RewardsAnswer;
}

function measure({ epoch, vote, stakes, answer }: Measuring): AgreedPaid["paid"] {
  if (vote === null) return null;
  const [credits, previousCredits] = vote;
  if (credits <= previousCredits) return "no_rewards";
  const paid = stakes.flatMap((stake) => {
    if (stake === null) return [null];
    if (!isWhole(stake, epoch, answer)) return [];
    // Not paid up to the epoch's end, or shown as it was before.
    return [stake[2] === credits ? toPaid(stake, vote, answer) : null];
  });
  const rates = paid.filter((one) => typeof one === "number");
  const [first] = rates;
  // Accounts that contradict each other tell nothing.
  if (first !== undefined) return rates.every((rate) => rate === first) ? first : null;
  if (paid.includes(null)) return null;
  return paid[0] === undefined ? "no_account" : paid[0];
}

/** null: it was paid for another stake. */
function toPaid(
  [stake, , , amount]: Stake,
  [credits, previousCredits, activeStake, kept]: Vote,
  answer: RewardsAnswer,
): AgreedPaid["paid"] {
  // A reopened account starts again from 0 credits, and the runtime pays no stake that has more.
  if (amount === null && previousCredits === 0n) return "no_rewards";
  const paid = amount ?? 0n;
  const earned = credits - previousCredits;
  const reward = rewardOf(stake - paid, earned, answer);
  if (paid > stake || paid > reward) return null;
  if (reward < MEASURABLE_LAMPORTS) return "too_small";
  // An account that was split off after the payment shows no reward either.
  if (amount === null && !hasKeptHalf(kept, rewardOf(activeStake, earned, answer))) return null;
  // The largest commission that leaves as much.
  const commission = WHOLE_BASIS_POINTS - divideUp(paid * WHOLE_BASIS_POINTS, reward);
  const left = (reward * (WHOLE_BASIS_POINTS - commission)) / WHOLE_BASIS_POINTS;
  return left === paid ? Number(commission) : null;
}

/** Of a stake that has moved since, but hardly by half. A collector's income is not known. */
function hasKeptHalf(kept: bigint | null, reward: bigint): boolean {
  return kept !== null && kept * 2n >= reward;
}

/** Lamports before commission, of lamports staked in the epoch. */
export function rewardOf(
  staked: bigint,
  earned: bigint,
  { totalPoints, totalRewards }: Pick<RewardsAnswer, "totalPoints" | "totalRewards">,
): bigint {
  return totalPoints === 0n || staked < 0n ? 0n : (staked * earned * totalRewards) / totalPoints;
}

/** Whether a stake had warmed up before the epoch began (`stake_and_activating` of Agave 4.2). */
function isWhole(
  stake: Stake | [],
  epoch: number,
  { stakeHistory }: RewardsAnswer,
): stake is Stake {
  const [, activationEpoch] = stake;
  if (activationEpoch === undefined) return false;
  if (activationEpoch === null) return true;
  if (activationEpoch >= epoch) return false;
  const history = new Map(stakeHistory.map(([of, ...stakes]) => [of, stakes]));
  const oldest = Math.min(...history.keys());
  // It warmed up before all that is kept, unless it took longer than that.
  let at = activationEpoch < oldest ? null : activationEpoch;
  while (at !== null && at < epoch) {
    const [effective, activating] = history.get(at) ?? [0n, 0n];
    if (activating * 100n <= effective * WARMUP_PERCENT) return true;
    at += 1;
  }
  return at === null;
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
