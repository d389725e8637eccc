import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isMajority } from "./majority.ts";
import { findRow, type ListedVote, type WitnessList, type WitnessLists } from "./witness-lists.ts";

/**
 * Which vote accounts are in the validator set, and which are delinquent, in the order of the
 * entry's `votes`; null: no majority. A list that lacks the vote account does not vote.
 */
export interface AgreedSet {
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
  /** All null in a check, which does not compare the validator set. */
  isMember: (boolean | null)[];
  isDelinquent: (boolean | null)[];
}

/**
 * Finds which vote accounts of the entry are delinquent and which are in the validator set, by a
 * majority.
 */
export function agreeOnSet(
  entry: CheckEntry | SnapshotEntry,
  { isAlone, size, lists, differs }: WitnessLists,
): AgreedSet {
  const hasMajority = isMajority(lists.length, size);
  // Just after an epoch boundary, a list may still be of the epoch before.
  const ofEpoch = lists.filter(({ slot }) => slot >= entry.absoluteSlot - entry.slotIndex);
  const isCompared = entry.kind === "snapshot" && isMajority(ofEpoch.length, size);

  function decide(
    shared: ListedVote,
    among: readonly WitnessList[],
    pick: (row: ListedVote) => boolean | null,
  ): boolean | null {
    const answers = among.flatMap((list) => {
      const row = findRow(list, shared.vote, shared);
      return row === null ? [] : (pick(row) ?? []);
    });
    return findMajority(answers, size)[0] ?? null;
  }

  function decideMember(shared: ListedVote, index: number): boolean | null {
    if (!isCompared) return null;
    return differs[index] === true ? decide(shared, ofEpoch, isInSet) : isInSet(shared);
  }

  function decideDelinquent(shared: ListedVote, index: number): boolean | null {
    if (differs[index] === true) return decide(shared, lists, isDelinquent);
    return hasMajority ? isDelinquent(shared) : null;
  }

  return {
    isAlone,
    isMember: entry.votes.map(decideMember),
    isDelinquent: entry.votes.map(decideDelinquent),
  };
}

function isInSet({ inValidatorSet }: ListedVote): boolean | null {
  return inValidatorSet ?? null;
}

function isDelinquent({ delinquent }: ListedVote): boolean {
  return delinquent;
}
