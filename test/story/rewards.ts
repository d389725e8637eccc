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

/** What one witness reads of a validator. */
export interface Rewarded {
  stakes?: readonly (Stake | "gone")[];
  credits?: RewardsAnswer["credits"][number];
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
    credits: names.map((name) => creditsOf(reading[name])),
    stakes: names.flatMap((name) =>
      (reading[name]?.stakes ?? [{}]).map((stake) =>
        stake === "gone" ? null : toRow(stake, creditsOf(reading[name]), totals),
      ),
    ),
  }));
  return { state: "ok", value: { epoch, validators, answers } };
}

function creditsOf(rewarded: Rewarded | undefined): RewardsAnswer["credits"][number] {
  return rewarded?.credits === undefined ? CREDITS : rewarded.credits;
}

function toRow(
  { stake = 100_000_000_000_000n, commission = 500, activationEpoch = 3, ...told }: Stake,
  credits: RewardsAnswer["credits"][number],
  totals: Pick<RewardsAnswer, "totalPoints" | "totalRewards">,
): NonNullable<RewardsAnswer["stakes"][number]> {
  const [end, begin] = credits ?? CREDITS;
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
