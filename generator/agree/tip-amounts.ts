import type { PanelTipAmounts, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isOneAlone, majorityOf } from "./majority.ts";

/*
 * Tips of a validator in an epoch. Until the merkle root is set they only grow, and each witness reads them at a slot of
 * its own: what a majority reaches is a lower bound, which no minority can raise. With the root a majority must tell the
 * same amount, and it is final; so is an account that is gone.
 */

export interface AgreedTipAmount {
  vote: string;
  epoch: number;
  /** Lamports, all of them; null: not told alike, or not yet. */
  settled: bigint | "absent" | null;
  /** Lamports at least; null: too few tell any. */
  reached: bigint | null;
  /** One of two said it, and the other did not answer. */
  isAlone: boolean;
}

/** A witness's amount, or no account. */
type Word = { lamports: bigint; isSettled: boolean } | "absent";

/** What the witnesses of a snapshot say of each amount that was asked for. */
export function agreeOnTipAmounts({
  tipAmounts,
  epoch: running,
}: Pick<SnapshotEntry, "tipAmounts" | "epoch">): AgreedTipAmount[] {
  if (tipAmounts.state !== "ok") return [];
  const { tips, answers } = tipAmounts.value;
  const told = answers.filter((answer) => answer.state === "ok");
  const isAlone = isOneAlone(answers, told.length);
  const size = isAlone ? 1 : answers.length;
  return tips.flatMap(({ vote, epoch }, index): AgreedTipAmount[] => {
    if (epoch > running) return [];
    const words = told.flatMap(({ amounts }) => toWord(amounts[index] ?? null, epoch < running) ?? []);
    const [last] = findMajority(words, size, isSame);
    const settled = last === undefined ? null : last === "absent" ? last : last.lamports;
    return [{ vote, epoch, settled, reached: findReached(words, size), isAlone }];
  });
}

type Told = Extract<PanelTipAmounts["answers"][number], { state: "ok" }>["amounts"][number];

/** null: unreadable, or impossible while its epoch runs. */
function toWord(told: Told, isOver: boolean): Word | null {
  if (told === null) return isOver ? "absent" : null;
  const [lamports, isSettled] = told;
  return lamports === null || (isSettled && !isOver) ? null : { lamports, isSettled };
}

/** Only what cannot change any more is told alike. */
function isSame(one: Word, other: Word): boolean {
  if (one === "absent" || other === "absent") return one === other;
  return one.isSettled && other.isSettled && one.lamports === other.lamports;
}

function findReached(words: readonly Word[], size: number): bigint | null {
  const amounts = words.flatMap((word) => (word === "absent" ? [] : [word.lamports]));
  return amounts.sort((a, b) => (a > b ? -1 : a < b ? 1 : 0))[majorityOf(size) - 1] ?? null;
}
