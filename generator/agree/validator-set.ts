import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { majorityOf } from "./majority.ts";
import { findRow, type ListedVote, type WitnessList, type WitnessLists } from "./witness-lists.ts";

/** Of a vote account; null: no majority. A list that lacks it does not vote. */
interface AgreedStatus {
  /** Of the epoch's validator set; null in a check, which does not compare it. */
  isMember: boolean | null;
  isDelinquent: boolean | null;
}

export interface AgreedSet {
  panelSize: number;
  /** Of two the one that did not answer, or gave no list: its origin. */
  silent: string | null;
  /** One of two decides, and the other did not answer. */
  isAlone: boolean;
  /** Every vote account of the entry. */
  byVote: Map<string, AgreedStatus>;
}

/** What the witnesses of an observation agree on: who votes, and who is in the validator set. */
export function agreeOnSet(
  entry: CheckEntry | SnapshotEntry,
  { panelSize, silent, isAlone, size, lists, differing }: WitnessLists,
): AgreedSet {
  const isMajority = lists.length >= majorityOf(size);
  // Just after a boundary, a list may still be of the epoch before.
  const ofEpoch = lists.filter(({ slot }) => slot >= entry.absoluteSlot - entry.slotIndex);
  const isCompared = entry.kind === "snapshot" && ofEpoch.length >= majorityOf(size);
  const byVote = new Map<string, AgreedStatus>();

  function decideStatus(
    shared: ListedVote,
    among: readonly WitnessList[],
    pick: (row: ListedVote) => boolean | null,
  ): boolean | null {
    const counts = { yes: 0, no: 0 };
    for (const list of among) {
      const row = findRow(list, shared.vote, shared);
      const answer = row === null ? null : pick(row);
      if (answer !== null) counts[answer ? "yes" : "no"] += 1;
    }
    if (counts.yes >= majorityOf(size)) return true;
    return counts.no >= majorityOf(size) ? false : null;
  }

  for (const shared of entry.votes as readonly ListedVote[]) {
    const { vote } = shared;
    if (differing.has(vote)) {
      const isMember = isCompared ? decideStatus(shared, ofEpoch, isInSet) : null;
      byVote.set(vote, { isMember, isDelinquent: decideStatus(shared, lists, isDelinquent) });
    } else {
      const isMember = isCompared ? isInSet(shared) : null;
      byVote.set(vote, { isMember, isDelinquent: isMajority ? isDelinquent(shared) : null });
    }
  }
  return { panelSize, silent, isAlone, byVote };
}

function isInSet({ inValidatorSet }: ListedVote): boolean | null {
  return inValidatorSet ?? null;
}

function isDelinquent({ delinquent }: ListedVote): boolean {
  return delinquent;
}
