import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isOneAlone } from "./majority.ts";
import { keepNear, type Span, spanOf } from "./slots.ts";

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
export function agreeOnAuthorities(entry: CheckEntry | SnapshotEntry): AgreedAuthorities {
  const { panel, accounts, slot } = entry;
  const panelSize = panel.length;
  const answers = keepNear(
    accounts.filter((answer) => answer.state === "ok"),
    slot,
  );
  const isAlone = isOneAlone(accounts, answers.length);
  const size = isAlone ? 1 : panelSize;
  const byVote = new Map<string, AgreedAuthority>();
  // Usually all answers agree, and then their span is the same for all vote accounts.
  const ofAll = spanOf(
    answers.map((answer) => answer.slot),
    size,
  );
  const votes = entry.kind === "check" ? entry.unclear : entry.votes.map(({ vote }) => vote);
  for (const [index, vote] of votes.entries()) {
    const keys = answers.flatMap(({ rows, slot: at }) => {
      const key = rows[index]?.[2] ?? null;
      return key === null ? [] : [{ key, slot: at }];
    });
    const alike = findMajority(keys, size, (one, other) => one.key === other.key);
    const [first] = alike;
    if (first === undefined) continue;
    const slots = alike.map((one) => one.slot);
    const { from, until } = alike.length === answers.length ? ofAll : spanOf(slots, size);
    byVote.set(vote, { key: first.key, from, until, isAlone });
  }
  return { panelSize, byVote };
}
