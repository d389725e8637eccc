import type { SnapshotEntry } from "../entries/entry.ts";
import { findMajority } from "./majority.ts";
import { findRow, type ListedVote, type WitnessLists } from "./witness-lists.ts";

/** The identity of each vote account, as the lists of a snapshot show it. */
export interface AgreedIdentities {
  /** Of a majority. Also of vote accounts that the entry's own list lacks. */
  byVote: Map<string, string>;
  /** Identities of two vote accounts or more. */
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

  function decide(vote: string, shared: ListedVote | null): void {
    const identities = lists.flatMap((list) => findRow(list, vote, shared)?.identity ?? []);
    const [identity] = findMajority(identities, size);
    if (identity !== undefined) byVote.set(vote, identity);
  }

  const others = new Set(differing);
  for (const row of votes) {
    others.delete(row.vote);
    decide(row.vote, row);
  }
  for (const vote of others) decide(vote, null);
  return { byVote, shared: findShared([...byVote.values()]), isAlone };
}

function findShared(identities: readonly string[]): Set<string> {
  const once = new Set<string>();
  const shared = new Set<string>();
  for (const identity of identities) (once.has(identity) ? shared : once).add(identity);
  return shared;
}
