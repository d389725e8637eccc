import { majorityOf } from "../contract/panel.ts";
import type { SnapshotEntry } from "../entries/entry.ts";

/**
 * "missing": a majority of a panel of three or more finds no such vote account, so that a list made
 * it up. Of two witnesses either may be lying.
 */
export type AgreedExistence = "missing" | "not missing";

/** Finds which listed vote accounts a majority cannot find; in the order of `votes`. */
export function agreeOnExistence({
  votes,
  accounts,
}: Pick<SnapshotEntry, "votes" | "accounts">): AgreedExistence[] {
  const size = accounts.length;
  const answers = accounts.filter((answer) => answer.state === "ok");
  return votes.map((_, index) => {
    const without = answers.filter(({ rows }) => rows[index] === null);
    return size > 2 && without.length >= majorityOf(size) ? "missing" : "not missing";
  });
}
