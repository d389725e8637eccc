import type { PanelTipAmounts, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isOneAlone, majorityOf } from "./majority.ts";

/*
 * Tips of a validator in an epoch. Until the merkle root is set they only grow,
 * and each witness reads them at a slot of its own: what a majority reaches is
 * a lower bound, which no minority can raise. With the root a majority must
 * read the same amount, and it is final; so is an account that is gone.
 */

export interface AgreedTipAmount {
  vote: string;
  epoch: number;
  /** Lamports, all of them; null: no majority, or not yet. */
  settled: bigint | "absent" | null;
  /** Lamports at least; null: too few read any. */
  reached: bigint | null;
  /** One of two answered, and the other did not answer. */
  isAlone: boolean;
}

/** A witness's amount, or no account. */
type Answer = { lamports: bigint; isSettled: boolean } | "absent";

/** What the witnesses of a snapshot agree on for each amount that was asked for. */
export function agreeOnTipAmounts({
  tipAmounts,
  epoch: running,
}: Pick<SnapshotEntry, "tipAmounts" | "epoch">): AgreedTipAmount[] {
  if (tipAmounts.state !== "ok") return [];
  const { tips, answers } = tipAmounts.value;
  const answered = answers.filter((answer) => answer.state === "ok");
  const isAlone = isOneAlone(answers, answered.length);
  const size = isAlone ? 1 : answers.length;
  return tips.flatMap(({ vote, epoch }, index): AgreedTipAmount[] => {
    if (epoch > running) return [];
    const counted = answered.flatMap(
      ({ amounts }) => toAnswer(amounts[index] ?? null, epoch < running) ?? [],
    );
    const [last] = findMajority(counted, size, isSameAmount);
    const settled = last === undefined ? null : last === "absent" ? last : last.lamports;
    return [{ vote, epoch, settled, reached: findReached(counted, size), isAlone }];
  });
}

type AmountRow = Extract<PanelTipAmounts["answers"][number], { state: "ok" }>["amounts"][number];

/** null: unreadable, or impossible while its epoch runs. */
function toAnswer(row: AmountRow, isOver: boolean): Answer | null {
  if (row === null) return isOver ? "absent" : null;
  const [lamports, isSettled] = row;
  return lamports === null || (isSettled && !isOver) ? null : { lamports, isSettled };
}

/** Only amounts that cannot change any more can be the same. */
function isSameAmount(one: Answer, other: Answer): boolean {
  if (one === "absent" || other === "absent") return one === other;
  return one.isSettled && other.isSettled && one.lamports === other.lamports;
}

function findReached(counted: readonly Answer[], size: number): bigint | null {
  const amounts = counted.flatMap((answer) => (answer === "absent" ? [] : [answer.lamports]));
  return amounts.sort((a, b) => (a > b ? -1 : a < b ? 1 : 0))[majorityOf(size) - 1] ?? null;
}
