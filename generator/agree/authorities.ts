import { majorityOf } from "../contract/panel.ts";
import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { findMajority } from "./majority.ts";
import { keepNear, type Span, spanOf } from "./slots.ts";
import { decidesAlone, type WitnessLists } from "./witness-lists.ts";

/*
 * Anybody can sign with a key of their own, so a signature counts only if its key was the withdraw
 * authority at that slot.
 */

/**
 * A vote account's withdraw authority on which a majority agrees, and the slots at which its
 * accounts showed it.
 */
export interface AgreedAuthority extends Pick<Span, "from" | "until"> {
  key: string;
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
}

/** The withdraw authorities of the vote accounts that were read. */
export interface AgreedAuthorities {
  panelSize: number;
  /** By vote account; without those on which no majority agrees. */
  byVote: Map<string, AgreedAuthority>;
}

/** Finds the withdraw authority on which a majority agrees, for each vote account that was read. */
export function agreeOnAuthorities(
  entry: CheckEntry | SnapshotEntry,
  lists: Pick<WitnessLists, "isAlone" | "silent" | "slot">,
): AgreedAuthorities {
  const { panel, accounts } = entry;
  const panelSize = panel.length;
  const answers = keepNear(
    accounts.filter((answer) => answer.state === "ok"),
    lists.slot,
  );
  const isAlone = decidesAlone(lists, accounts, answers);
  const size = isAlone ? 1 : panelSize;
  const ofAll = spanOf(slotsOf(answers), size);

  function decide(index: number): Omit<AgreedAuthority, "isAlone"> | null {
    const keys = answers.map(({ rows }) => rows[index]?.[2] ?? null);
    const [first = null] = keys;
    // Nearly always all answers agree.
    if (first !== null && keys.length >= majorityOf(size) && keys.every((key) => key === first))
      return { key: first, from: ofAll.from, until: ofAll.until };
    const shown = answers.flatMap(({ slot: at }, witness) => {
      const key = keys[witness] ?? null;
      return key === null ? [] : [{ key, slot: at }];
    });
    const alike = findMajority(shown, size, (one, other) => one.key === other.key);
    if (alike[0] === undefined) return null;
    const { from, until } = spanOf(slotsOf(alike), size);
    return { key: alike[0].key, from, until };
  }

  const byVote = new Map<string, AgreedAuthority>();
  const votes = entry.kind === "check" ? entry.unclear : entry.votes.map(({ vote }) => vote);
  for (const [index, vote] of votes.entries()) {
    const decided = decide(index);
    if (decided !== null) byVote.set(vote, { ...decided, isAlone });
  }
  return { panelSize, byVote };
}

function slotsOf(answers: readonly { slot: number }[]): number[] {
  return answers.map(({ slot }) => slot);
}
