import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isOneAlone } from "./majority.ts";
import { keepNear, type Span, spanOf } from "./slots.ts";

/*
 * Anybody can sign with a key of their own: a signature counts
 * only if its key was the withdraw authority at that slot.
 */

/** A vote account's withdraw authority; the slots are those of the accounts that show it. */
export interface AgreedAuthority extends Pick<Span, "from" | "until"> {
  key: string;
  /** One of two answered, and the other did not answer. */
  isAlone: boolean;
}

export interface AgreedAuthorities {
  panelSize: number;
  /** Without vote accounts on which no majority agrees. */
  byVote: Map<string, AgreedAuthority>;
}

/** What the witnesses answer for the withdraw authority of each vote account that was read. */
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
  // Mostly all answer the same.
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
