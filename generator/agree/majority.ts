/** The least number of witnesses that are more than half of a panel. */
export function majorityOf(size: number): number {
  return Math.floor(size / 2) + 1;
}

/** So many may lie without effect: a minority, or one of two. */
export function liarsMostOf(size: number): number {
  return size === 2 ? 1 : Math.ceil(size / 2) - 1;
}

/**
 * What a majority of a panel says.
 * @param said at most one of each witness
 * @param size witnesses of the panel, also those that said nothing
 * @param isSame by default equality
 * @returns all that say the same, in their order; empty: no majority
 */
export function findMajority<Said>(
  said: readonly Said[],
  size: number,
  isSame: (one: Said, other: Said) => boolean = Object.is,
): Said[] {
  for (const one of said) {
    const alike = said.filter((other) => isSame(one, other));
    if (alike.length >= majorityOf(size)) return alike;
  }
  return [];
}

/**
 * Whether one of two witnesses is the only one that answered. Its word counts once the other was silent for long enough;
 * an answer that does not count is no silence.
 * @param told of those whose answer counts
 */
export function isOneAlone(answers: readonly { state: "ok" | "failed" }[], told: number): boolean {
  return answers.length === 2 && told === 1 && answers.some(({ state }) => state === "failed");
}
