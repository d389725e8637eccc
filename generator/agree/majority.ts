/** The least number of witnesses that are more than half of a panel. */
export function majorityOf(size: number): number {
  return Math.floor(size / 2) + 1;
}

/** So many may lie without effect: a minority, or one of two. */
export function liarsMostOf(size: number): number {
  return size === 2 ? 1 : Math.ceil(size / 2) - 1;
}

/**
 * What a majority of a panel answers.
 * @param answers at most one of each witness
 * @param size witnesses of the panel, also those that did not answer
 * @param isSameAnswer by default equality
 * @returns all that are the same, in their order; empty: no majority
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
 * Whether one of two witnesses is the only one that answered. Its answer counts once
 * the other was silent for long enough; an answer that does not count is no silence.
 * @param counted number of answers that count
 */
export function isOneAlone(
  answers: readonly { state: "ok" | "failed" }[],
  counted: number,
): boolean {
  return answers.length === 2 && counted === 1 && answers.some(({ state }) => state === "failed");
}
