import { measureAll, rewardOf, type Measured } from "../../agree/paid.ts";
import type { NamedEntry } from "../../entries/entry.ts";
import type { PanelRewards } from "../../entries/rewards.ts";
import type { UnreadableEntry } from "../../journal/entries.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { PaidContradiction } from "../../views/paid.ts";
import { namesOf, toDay } from "./entries-behind.ts";

/** An epoch whose rewards took another commission than the one that applied, and what shows it. */
export interface PaidEvidence extends PaidContradiction {
  /** Number of the entry in ten digits; null: it cannot be read. */
  name: string | null;
  witnesses: PaidReading[];
}

/** What a witness answered of a validator's rewards. */
export interface PaidReading {
  endpoint: string;
  /** Basis points, or why they do not follow; null: the accounts contradict each other. */
  paid: Measured["paid"];
  /** Of the validator; null: none are listed. */
  credits: bigint | null;
  /** What the vote account itself got, lamports; null: none is listed. */
  kept: bigint | null;
  /** Of the cluster. */
  totalPoints: bigint;
  /** Of the cluster, lamports. */
  totalRewards: bigint;
  accounts: PaidAccount[];
}

/** A stake account; lamports, null: it was not delegated to the validator in all of the epoch. */
interface PaidAccount {
  stakeAccount: string;
  staked: bigint | null;
  /** Before commission. */
  reward: bigint | null;
  /** What it got. */
  amount: bigint | null;
}

/** Reads the entries that show what the epochs paid. */
export async function readPaidEvidence(
  journal: Journal,
  ledger: Ledger,
  {
    votePubkey,
    contradictions,
  }: { votePubkey: string; contradictions: readonly PaidContradiction[] },
): Promise<PaidEvidence[]> {
  const times = new Set(contradictions.flatMap(({ epoch }) => ledger.paidReadAt.get(epoch) ?? []));
  const names = [...new Set([...times].map(toDay))].flatMap((day) => namesOf(ledger, day)).sort();
  const isWanted = ({ kind, time }: { kind: string; time: string }) =>
    kind === "snapshot" && times.has(time);
  const read = await Array.fromAsync(journal.read(names, isWanted));
  return contradictions.map((one) => toEvidence(one, { votePubkey, read }));
}

function toEvidence(
  contradiction: PaidContradiction,
  { votePubkey, read }: { votePubkey: string; read: readonly (NamedEntry | UnreadableEntry)[] },
): PaidEvidence {
  for (const one of read) {
    const rewards = "entry" in one && one.entry.kind === "snapshot" ? one.entry.rewards : null;
    if (rewards?.state === "ok" && rewards.value.epoch === contradiction.epoch)
      return { ...contradiction, name: one.name, witnesses: toReadings(rewards.value, votePubkey) };
  }
  return { ...contradiction, name: null, witnesses: [] };
}

function toReadings(rewards: PanelRewards, votePubkey: string): PaidReading[] {
  const row = rewards.validators.findIndex(([vote]) => vote === votePubkey);
  const keys = rewards.validators[row]?.[1] ?? [];
  return rewards.answers.flatMap((answer) => {
    if (answer.state !== "ok") return [];
    const measured = measureAll(rewards, answer)[row];
    if (measured === undefined) return [];
    const { paid, vote, stakes } = measured;
    const { endpoint, totalPoints, totalRewards } = answer;
    const [credits, kept] = vote === null ? [null, null] : [vote[0] - vote[1], vote[3]];
    const accounts = stakes.map((stake, index): PaidAccount => {
      const stakeAccount = keys[index] ?? "";
      const [delegated, , , amount] = stake ?? [];
      if (delegated === undefined)
        return { stakeAccount, staked: null, reward: null, amount: null };
      const staked = delegated - (amount ?? 0n);
      const reward = rewardOf(staked, credits ?? 0n, answer);
      return { stakeAccount, staked, reward, amount: amount ?? 0n };
    });
    return [{ endpoint, paid, credits, kept, totalPoints, totalRewards, accounts }];
  });
}
