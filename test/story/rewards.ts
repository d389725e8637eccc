import type { SnapshotEntry } from "../../generator/entries/entry.ts";
import type { PanelRewards, RewardsAnswer } from "../../generator/entries/rewards.ts";
import { epochAt, slotAt } from "./clock.ts";
import { keyOf } from "./validators.ts";
import { answersBy } from "./witnesses.ts";

/* What each witness reads of the rewards that a closed epoch paid. */

/** Near mainnet's in late 2026. */
const TOTALS = {
  totalPoints: 2_800_000_000_000_000_000_000_000n,
  totalRewards: 110_000_000_000_000n,
} as const;

/** Credits at the end of the epoch, and at its begin. */
export const CREDITS: [credits: bigint, previousCredits: bigint] = [20_000_000n, 13_100_000n];

const USUAL_STAKE = 100_000_000_000_000n;

/** A stake account that was paid for an epoch; by default of 100,000 SOL at 5 %. */
export interface Stake {
  /** Lamports while the epoch ran. */
  stake?: bigint;
  /** Basis points that were taken. */
  commission?: number;
  /** null: of the genesis. */
  activationEpoch?: number | null;
  creditsObserved?: bigint;
  /** Instead of what the runtime pays; null: no reward. */
  amount?: bigint | null;
}

/** What one witness reads of a validator; by default of 100,000 SOL in all. */
export interface Rewarded {
  /** "gone": closed for this validator; "missing": not shown. */
  stakes?: readonly (Stake | "gone" | "missing")[];
  /** null: it is not listed. */
  credits?: [credits: bigint, previousCredits: bigint] | null;
  /** Lamports that went to the vote account, instead of what the runtime pays; null: none. */
  kept?: bigint | null;
}

type Told = Partial<Pick<RewardsAnswer, "totalPoints" | "totalRewards" | "stakeHistory">>;

/** What a witness reads of each validator, by name. */
export type RewardsReading = Record<string, Rewarded> | "silent";

/** Each witness on what the epoch before paid; all are asked about the first one's accounts. */
export function rewardsOf(
  minute: number,
  readings: readonly RewardsReading[],
  told: Told = {},
): Extract<SnapshotEntry["rewards"], { state: "ok" }> {
  const epoch = epochAt(minute) - 1;
  const asked = readings.find((reading) => reading !== "silent") ?? {};
  const names = Object.keys(asked);
  const countOf = (name: string) => (asked[name]?.stakes ?? [{}]).length;
  const validators: PanelRewards["validators"] = names.map((name) => [
    keyOf(name),
    Array.from({ length: countOf(name) }, (_, index) => keyOf(`stake ${index} of ${name}`)),
  ]);
  const totals = { ...TOTALS, stakeHistory: [], ...told };
  const answers = answersBy([...readings], (reading) => ({
    slot: slotAt(minute),
    ...totals,
    votes: names.map((name) => toVote(reading[name] ?? {}, totals)),
    stakes: names.flatMap((name) =>
      (reading[name]?.stakes ?? [{}]).map((stake): RewardsAnswer["stakes"][number] => {
        if (stake === "missing") return null;
        return stake === "gone" ? [] : toRow(stake, reading[name]?.credits ?? CREDITS, totals);
      }),
    ),
  }));
  return { state: "ok", value: { epoch, validators, answers } };
}

type Totals = Pick<RewardsAnswer, "totalPoints" | "totalRewards">;

function toVote(
  { credits = CREDITS, stakes = [{}], kept }: Rewarded,
  totals: Totals,
): RewardsAnswer["votes"][number] {
  if (credits === null) return null;
  const [end, begin] = credits;
  const [first = {}] = stakes;
  const { commission = 500 } = typeof first === "string" ? {} : first;
  const all = { stake: USUAL_STAKE, earned: end - begin, ...totals };
  const own = payOf({ ...all, commission: 10_000 - Math.min(commission, 10_000) });
  return [end, begin, USUAL_STAKE, kept === undefined ? own : kept];
}

function toRow(
  { stake = USUAL_STAKE, commission = 500, activationEpoch = 3, ...told }: Stake,
  [end, begin]: readonly [bigint, bigint],
  totals: Totals,
): [bigint, number | null, bigint, bigint | null] {
  const amount =
    told.amount === undefined
      ? payOf({ stake, earned: end - begin, commission, ...totals })
      : told.amount;
  return [stake + (amount ?? 0n), activationEpoch, told.creditsObserved ?? end, amount];
}

/** What the runtime pays a stake (Agave 4.2, `redeem_stake_rewards`); null: nothing. */
function payOf(of: {
  stake: bigint;
  earned: bigint;
  commission: number;
  totalPoints: bigint;
  totalRewards: bigint;
}): bigint | null {
  const reward = (of.stake * of.earned * of.totalRewards) / of.totalPoints;
  const kept = BigInt(Math.min(of.commission, 10_000));
  const amount = (reward * (10_000n - kept)) / 10_000n;
  return amount === 0n ? null : amount;
}
