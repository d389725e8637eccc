import { majorityOf } from "../contract/panel.ts";

/** Returns how many witnesses may lie and yet invent no change: a minority, or one of two. */
export function liarsMostOf(size: number): number {
  return size === 2 ? 1 : Math.ceil(size / 2) - 1;
}

/**
 * Finds the answer of a majority of a panel.
 * @param answers at most one of each witness
 * @param size number of witnesses in the panel, including those that did not answer
 * @param isSameAnswer by default equality
 * @returns the majority's answers in their order; empty: there is no majority
 */
export function findMajority<Answer>(
  answers: readonly Answer[],
  size: number,
  isSameAnswer: (one: Answer, other: Answer) => boolean = Object.is,
): Answer[] {
  for (const one of answers) {
    const alike = answers.filter((other) => isSameAnswer(one, other));
    if (alike.length >= majorityOf(size)) return alike;
  }
  return [];
}

/**
 * Whether only one of two witnesses answered. Its answer counts once the other has been silent for
 * long enough. A witness whose answer does not count is not silent.
 * @param counted number of answers that count
 */
export function isOneAlone(
  answers: readonly { state: "ok" | "failed" }[],
  counted: number,
): boolean {
  return answers.length === 2 && counted === 1 && answers.some(({ state }) => state === "failed");
}
