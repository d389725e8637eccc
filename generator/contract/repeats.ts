import type { CommissionEvent } from "./event.ts";

type Repeat = Pick<CommissionEvent, "votePubkey" | "pattern">;

/**
 * Keeps one event of each pattern, the first in the list, and every event without a pattern. If the
 * list is newest first, that one is the newest.
 */
export function withoutRepeats<Event extends Repeat>(events: readonly Event[]): Event[] {
  const seen = new Set<string>();
  return events.filter((event) => {
    const key = toPatternKey(event);
    if (key === null) return true;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** Returns a key that all events of one pattern share; null: the event belongs to no pattern. */
export function toPatternKey({ votePubkey, pattern }: Repeat): string | null {
  return pattern && `${votePubkey} ${pattern.kind} ${pattern.source} ${pattern.firstEpoch}`;
}
