import type { SnapshotEntry } from "../entries/entry.ts";
import { findMajority, majorityOf } from "./majority.ts";
import { findRow, type ListedVote, type WitnessLists } from "./witness-lists.ts";

/** The identity of each vote account, as the lists of a snapshot show it. */
export interface AgreedIdentities {
  /** Of a majority. Also of vote accounts that the entry's own list lacks. */
  byVote: Map<string, string>;
  /**
   * Identities that two vote accounts or more may
   * have: where lists differ, it may be any of theirs.
   */
  shared: Set<string>;
  /** One of two decides, and the other did not answer. */
  isAlone: boolean;
}

/** What the lists of a snapshot's witnesses agree on. */
export function agreeOnIdentities(
  { votes }: Pick<SnapshotEntry, "votes">,
  { lists, size, isAlone, differing }: WitnessLists,
): AgreedIdentities {
  const byVote = new Map<string, string>();
  const owners = new Map<string, string>();
  const shared = new Set<string>();

  function decideIdentity(vote: string, row: ListedVote | null): void {
    const shown = differing.has(vote) ? undefined : row?.identity;
    const identities =
      shown === undefined
        ? lists.flatMap((list) => findRow(list, vote, row)?.identity ?? [])
        : lists.map(() => shown);
    const [agreed] = findMajority(identities, size);
    if (agreed !== undefined) byVote.set(vote, agreed);
    const possible = agreed === undefined ? identities : [agreed];
    if (identities.length < majorityOf(size)) return;
    for (const identity of possible) {
      if ((owners.get(identity) ?? vote) !== vote) shared.add(identity);
      owners.set(identity, vote);
    }
  }

  const others = new Set(differing);
  for (const row of votes) {
    others.delete(row.vote);
    decideIdentity(row.vote, row);
  }
  for (const vote of others) decideIdentity(vote, null);
  return { byVote, shared, isAlone };
}
