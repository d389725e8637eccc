import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isMajority } from "./majority.ts";
import { findRow, type ListedVote, type WitnessList, type WitnessLists } from "./witness-lists.ts";

/**
 * The status of a vote account; null: no majority. A list that lacks the vote account does not
 * vote.
 */
interface AgreedStatus {
  /**
   * Whether it is in the epoch's validator set; also null in a check, which does not compare it.
   */
  isMember: boolean | null;
  isDelinquent: boolean | null;
}

/** Which vote accounts are in the validator set, and which are delinquent. */
export interface AgreedSet {
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
  /** In the order of the entry's `votes`. */
  statuses: AgreedStatus[];
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

  function decideStatus(
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

  function toStatus(shared: ListedVote, index: number): AgreedStatus {
    if (differs[index] === true) {
      const isMember = isCompared ? decideStatus(shared, ofEpoch, isInSet) : null;
      return { isMember, isDelinquent: decideStatus(shared, lists, isDelinquent) };
    }
    const isMember = isCompared ? isInSet(shared) : null;
    return { isMember, isDelinquent: hasMajority ? isDelinquent(shared) : null };
  }

  const statuses = entry.votes.map(toStatus);
  return { isAlone, statuses };
}

function isInSet({ inValidatorSet }: ListedVote): boolean | null {
  return inValidatorSet ?? null;
}

function isDelinquent({ delinquent }: ListedVote): boolean {
  return delinquent;
}
