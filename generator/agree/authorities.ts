import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isMajority } from "./majority.ts";
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
  vote: string;
  key: string;
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
}

/** The withdraw authorities of the vote accounts that were read. */
export interface AgreedAuthorities {
  panelSize: number;
  /** Without those on which no majority agrees. */
  agreed: AgreedAuthority[];
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
  const hasMajority = isMajority(answers.length, size);

  function decide(vote: string, index: number): AgreedAuthority | null {
    const first = answers[0]?.rows[index]?.[2] ?? null;
    // Nearly always all answers agree.
    if (first !== null && hasMajority && answers.every(({ rows }) => rows[index]?.[2] === first))
      return { vote, key: first, from: ofAll.from, until: ofAll.until, isAlone };
    const shown = answers.flatMap(({ slot, rows }) => {
      const key = rows[index]?.[2] ?? null;
      return key === null ? [] : [{ key, slot }];
    });
    const alike = findMajority(shown, size, (one, other) => one.key === other.key);
    if (alike[0] === undefined) return null;
    const { from, until } = spanOf(slotsOf(alike), size);
    return { vote, key: alike[0].key, from, until, isAlone };
  }

  const votes = entry.kind === "check" ? entry.unclear : entry.votes.map(({ vote }) => vote);
  return { panelSize, agreed: votes.flatMap((vote, index) => decide(vote, index) ?? []) };
}

function slotsOf(answers: readonly { slot: number }[]): number[] {
  return answers.map(({ slot }) => slot);
}
