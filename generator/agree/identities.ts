import type { SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isMajority } from "./majority.ts";
import { findRow, type ListedVote, type WitnessLists } from "./witness-lists.ts";

/** The identity of each vote account, by the lists of a snapshot. */
export interface AgreedIdentities {
  /**
   * Identities on which a majority agrees, by vote account; also of those that the entry's own list
   * lacks.
   */
  byVote: Map<string, string>;
  /**
   * Identities that two or more vote accounts may have. Where lists differ and no majority agrees,
   * a vote account may have any of the listed identities.
   */
  shared: Set<string>;
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
}

/** Finds the identity on which a majority of the lists agrees, for each vote account. */
export function agreeOnIdentities(
  { votes }: Pick<SnapshotEntry, "votes">,
  { lists, size, isAlone, differs, unlisted }: WitnessLists,
): AgreedIdentities {
  const byVote = new Map<string, string>();
  const owners = new Map<string, string>();
  const shared = new Set<string>();

  function own(vote: string, identity: string): void {
    if ((owners.get(identity) ?? vote) !== vote) shared.add(identity);
    owners.set(identity, vote);
  }

  function decideIdentity(vote: string, row: ListedVote | null): void {
    const identities = lists.flatMap((list) => findRow(list, vote, row)?.identity ?? []);
    const [agreed] = findMajority(identities, size);
    if (agreed !== undefined) byVote.set(vote, agreed);
    const possible = agreed === undefined ? identities : [agreed];
    if (!isMajority(identities.length, size)) return;
    for (const identity of possible) own(vote, identity);
  }

  for (const [index, row] of votes.entries()) {
    if (differs[index] === true) decideIdentity(row.vote, row);
    else if (isMajority(lists.length, size)) {
      byVote.set(row.vote, row.identity);
      own(row.vote, row.identity);
    }
  }
  for (const vote of unlisted) decideIdentity(vote, null);
  return { byVote, shared, isAlone };
}
