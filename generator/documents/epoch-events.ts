import type { CommissionEvent } from "../contract/event.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { onlyRugs } from "./rugs.ts";
import type { View } from "./view.ts";

/** The RUG events of an epoch, of each validator and source the newest (endpoint 9); null: an epoch that is not tracked. */
export function renderEpochEvents(view: View, epoch: number): DocumentOf<"epochEvents"> | null {
  const { network } = view.ledger;
  if (!view.trackedEpochs().has(epoch)) return null;
  const data = newestOfEach(onlyRugs(view.eventsByEpoch().get(epoch) ?? []));
  const uniqueValidators = new Set(data.map(({ votePubkey }) => votePubkey)).size;
  return { data, meta: { network, epoch, total: data.length, uniqueValidators } };
}

/** The first of each validator and source: the list is newest first. */
function newestOfEach(events: readonly CommissionEvent[]): CommissionEvent[] {
  const firsts = new Map<string, CommissionEvent>();
  for (const event of events) {
    const key = `${event.votePubkey} ${event.source}`;
    if (!firsts.has(key)) firsts.set(key, event);
  }
  return [...firsts.values()];
}
