import { majorityOf } from "../contract/panel.ts";

/** Returns how many witnesses may lie and yet invent no change: a minority, or one of two. */
export function liarsMostOf(size: number): number {
  return size === 2 ? 1 : Math.ceil(size / 2) - 1;
}

/**
 * Whether so many witnesses are a majority.
 * @param size number of witnesses in the panel, including those that did not answer
 */
export function isMajority(count: number, size: number): boolean {
  return count >= majorityOf(size);
}

/** What a majority answers. */
export interface Decision<Answer> {
  /** The first answer that a majority's answers are like. */
  answer: Answer;
  /** The majority's answers, in their order. */
  alike: Answer[];
}

/**
 * Finds the answer of a majority of a panel; null: there is no majority.
 * @param answers at most one of each witness
 * @param size number of witnesses in the panel, including those that did not answer
 * @param isSameAnswer by default equality
 */
export function decideAnswer<Answer>(
  answers: readonly Answer[],
  size: number,
  isSameAnswer: (one: Answer, other: Answer) => boolean = Object.is,
): Decision<Answer> | null {
  for (const answer of answers) {
    const alike = answers.filter((other) => isSameAnswer(answer, other));
    if (isMajority(alike.length, size)) return { answer, alike };
  }
  return null;
}

/** Returns the answers of a majority, as `decideAnswer` finds them; empty: there is no majority. */
export function findMajority<Answer>(
  answers: readonly Answer[],
  size: number,
  isSameAnswer?: (one: Answer, other: Answer) => boolean,
): Answer[] {
  return decideAnswer(answers, size, isSameAnswer)?.alike ?? [];
}

/**
 * Returns the largest value that a majority reaches, which no minority can raise; null: too few
 * gave one.
 */
export function findReached<Value extends number | bigint>(
  values: readonly Value[],
  size: number,
): Value | null {
  const descending = [...values].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  return descending[majorityOf(size) - 1] ?? null;
}
