import type { CommissionEvent } from "./event.ts";

type Repeat = Pick<CommissionEvent, "votePubkey" | "pattern">;

/** The newest event of each pattern, if the list is newest first. */
export function withoutRepeats<Event extends Repeat>(events: readonly Event[]): Event[] {
  const told = new Set<string>();
  return events.filter((event) => {
    const key = toPatternKey(event);
    if (key === null) return true;
    const isFirst = !told.has(key);
    told.add(key);
    return isFirst;
  });
}

/** The same for all events of a pattern; null: of none. */
export function toPatternKey({ votePubkey, pattern }: Repeat): string | null {
  return pattern && `${votePubkey} ${pattern.kind} ${pattern.source} ${pattern.firstEpoch}`;
}
