import type { Ledger } from "../../ledger/ledger.ts";
import type { EventRecord } from "../../ledger/records.ts";
import { toExplained, type ExplainedEvent } from "../explain/subject.ts";

/** What a ledger shows the world, as far as a ruling can change it. */
export interface Shown {
  events: Map<string, ExplainedEvent>;
  votes: Set<string>;
}

/** What a ruling did to the record. */
export interface Changes {
  /** Events that are shown no more, and those that are now. */
  gone: ExplainedEvent[];
  come: ExplainedEvent[];
  /** Ids of events whose values stand, between other observations than before. */
  moved: string[];
  /** Validators that nothing tells of any more: their documents stay in the store until `rebuild --prune`. */
  forgotten: number;
}

/** To be taken before the ledger is folded on. */
export function toShown(ledger: Ledger): Shown {
  const events = ledger.events.map((event) => [event.id, toExplained(ledger, event)] as const);
  return { events: new Map(events), votes: new Set(ledger.ordinals.keys()) };
}

export function compareShown(before: Shown, after: Shown): Changes {
  return {
    gone: [...before.events.values()].filter(({ id }) => !after.events.has(id)),
    come: [...after.events.values()].filter(({ id }) => !before.events.has(id)),
    moved: [...after.events.values()]
      .filter((event) => isMoved(before.events.get(event.id), event))
      .map(({ id }) => id),
    forgotten: before.votes.difference(after.votes).size,
  };
}

function isMoved(before: EventBounds | undefined, after: EventBounds): boolean {
  if (before === undefined) return false;
  return (["createdAt", "slot", "previousSlot", "previousSeenAt"] as const).some(
    (part) => before[part] !== after[part],
  );
}

type EventBounds = Pick<EventRecord, "createdAt" | "slot" | "previousSlot" | "previousSeenAt">;
