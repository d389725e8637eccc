import type { EventRecord } from "../../ledger/event-record.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { toExplained, type ExplainedEvent } from "../explain/event.ts";

/** What a ruling changed. */
export interface Changes {
  gone: ExplainedEvent[];
  come: ExplainedEvent[];
  /** Ids of events with the same values between other observations. */
  moved: string[];
  /** Validators that the ledger no longer knows; their documents stay until `rebuild --prune`. */
  forgotten: number;
}

/** What readers see of a ledger, as far as a ruling can change it. */
interface Visible {
  events: Map<string, ExplainedEvent>;
  votes: Set<string>;
}

/** Take it before the ledger is folded on. */
export function toVisible(ledger: Ledger): Visible {
  const events = ledger.events.map((event) => [event.id, toExplained(ledger, event)] as const);
  return { events: new Map(events), votes: new Set(ledger.validatorIndexes.keys()) };
}

/** What readers see of a ledger after a ruling and did not see before, and the reverse. */
export function compareVisible(before: Visible, after: Visible): Changes {
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
