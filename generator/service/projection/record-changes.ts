import { hash } from "node:crypto";
import type { Change } from "../../contract/change.ts";
import type { CommissionEvent } from "../../contract/event.ts";
import { toEventsOf } from "../../documents/event-lists.ts";
import { appendChange, findNewest, headOf } from "../../ledger/change-log.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { Touched } from "../../ledger/touched.ts";
import { touchedByIncidents } from "../../views/incidents.ts";

/*
 * The ledger keeps events as they were published, so what an event looks like is stored: whoever
 * changes it raises FOLD_VERSION, not RENDER_VERSION.
 */

/**
 * Appends what an entry or a ruling published, corrected or withdrew. Withdrawals come first,
 * because a change with a corrected date is a new event.
 * @param time of the entry or ruling; ISO 8601 in UTC
 */
export function recordChanges(
  { ledger, touched }: { ledger: Ledger; touched: Touched },
  time: string,
): void {
  const validatorIndexes = touched.events
    .union(touched.costs)
    .union(touchedByIncidents(ledger, touched));
  if (validatorIndexes.size === 0) return;
  const { changes } = ledger;
  const head = headOf(changes);
  const events = toEventsOf(ledger, validatorIndexes);
  for (const { event } of findWithdrawn(ledger, { validatorIndexes, events })) {
    appendChange(changes, { at: time, kind: "withdrawal", event });
    changes.published.delete(event.id);
  }
  for (const event of events) {
    const known = changes.published.get(event.id);
    const digest = toDigest(event);
    if (known?.digest === digest) continue;
    appendChange(changes, { at: time, kind: known === undefined ? "event" : "correction", event });
    changes.published.set(event.id, {
      validatorIndex: ledger.validatorIndexes.get(event.votePubkey) ?? -1,
      digest,
    });
  }
  if (headOf(changes) > head) touched.changesSince = Math.min(touched.changesSince, head + 1);
}

/** The newest changes of withdrawn events, in the order of publication. */
function findWithdrawn(
  { changes }: Ledger,
  {
    validatorIndexes,
    events,
  }: { validatorIndexes: ReadonlySet<number>; events: readonly CommissionEvent[] },
): Change[] {
  const current = new Set(events.map(({ id }) => id));
  const withdrawn = [...changes.published].flatMap(([id, { validatorIndex }]) =>
    validatorIndexes.has(validatorIndex) && !current.has(id) ? [id] : [],
  );
  const newest = findNewest(changes, new Set(withdrawn));
  return withdrawn.flatMap((id) => newest.get(id) ?? []);
}

function toDigest(event: CommissionEvent): string {
  return hash("sha256", JSON.stringify(event)).slice(0, 32);
}
