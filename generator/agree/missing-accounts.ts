import type { SnapshotEntry } from "../entries/entry.ts";
import { isMajority } from "./majority.ts";
import type { WitnessLists } from "./witness-lists.ts";

/**
 * Finds which listed vote accounts a majority of a panel of three or more cannot find, so that a
 * list made them up. Of two witnesses either may be lying.
 * @returns in the order of `votes`
 */
export function findMissingAccounts({
  votes,
  accounts,
}: Pick<SnapshotEntry, "votes" | "accounts">): boolean[] {
  const size = accounts.length;
  const answers = accounts.filter((answer) => answer.state === "ok");
  return votes.map((_, index) => {
    const without = answers.filter(({ rows }) => rows[index] === null);
    return size > 2 && isMajority(without.length, size);
  });
}

/**
 * Finds which vote accounts that the entry's own list lacks, and that do not exist by one answer,
 * a majority does not list either.
 */
export function findAbsentAccounts(
  { absent }: Pick<SnapshotEntry, "absent">,
  { lists, size }: Pick<WitnessLists, "lists" | "size">,
): string[] {
  return absent.filter((vote) => {
    const without = lists.filter(({ rows }) => !rows.has(vote));
    return isMajority(without.length, size);
  });
}
