import type { PanelTipAmounts, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, findReached } from "./majority.ts";
import { decidesAlone, type WitnessLists } from "./witness-lists.ts";

/*
 * Tips of a validator in an epoch only grow until the merkle root is set, and each witness reads
 * them at a slot of its own. What a majority reaches is then a lower bound, which no minority can
 * raise. Once the root is set, a majority must read the same amount, which is final. An account
 * that is gone is final too.
 */

/** The tips of a validator in an epoch on which the panel agrees. */
export interface AgreedTipAmount {
  vote: string;
  epoch: number;
  /**
   * All tips in lamports, or "absent" if the account is gone; null: there is no majority, or they
   * may still grow.
   */
  settled: bigint | "absent" | null;
  /** The least tips in lamports that a majority reads; null: too few read any. */
  reached: bigint | null;
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
}

/** A witness's amount; "absent": no such account. */
type Answer = { lamports: bigint; isSettled: boolean } | "absent";

/** Finds what a majority agrees on for each amount that was asked for. */
export function agreeOnTipAmounts(
  { tipAmounts, epoch: running }: Pick<SnapshotEntry, "tipAmounts" | "epoch">,
  lists: Pick<WitnessLists, "isAlone" | "silent">,
): AgreedTipAmount[] {
  if (tipAmounts.state !== "ok") return [];
  const { tips, answers } = tipAmounts.value;
  const answered = answers.filter((answer) => answer.state === "ok");
  const isAlone = decidesAlone(lists, answers, answered);
  const size = isAlone ? 1 : answers.length;
  return tips.flatMap(({ vote, epoch }, index): AgreedTipAmount[] => {
    if (epoch > running) return [];
    const counted = answered.flatMap(
      ({ amounts }) => toAnswer(amounts[index] ?? null, epoch < running) ?? [],
    );
    const amounts = counted.flatMap((answer) => (answer === "absent" ? [] : [answer.lamports]));
    const [last] = findMajority(counted, size, isSameAmount);
    const settled = last === undefined ? null : last === "absent" ? last : last.lamports;
    return [{ vote, epoch, settled, reached: findReached(amounts, size), isAlone }];
  });
}

type AmountRow = Extract<PanelTipAmounts["answers"][number], { state: "ok" }>["amounts"][number];

/** Converts a witness's amount; null: it is unreadable, or impossible while its epoch runs. */
function toAnswer(row: AmountRow, isOver: boolean): Answer | null {
  if (row === null) return isOver ? "absent" : null;
  const [lamports, isSettled] = row;
  return lamports === null || (isSettled && !isOver) ? null : { lamports, isSettled };
}

/** Whether two amounts are the same. Only amounts that cannot change any more can be. */
function isSameAmount(one: Answer, other: Answer): boolean {
  if (one === "absent" || other === "absent") return one === other;
  return one.isSettled && other.isSettled && one.lamports === other.lamports;
}
