import { hash } from "node:crypto";
import type { CommissionEvent } from "../contract/event.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { appendChange, findNewest, headOf, readSegment } from "../ledger/change-log.ts";
import { FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import type { Touched } from "../ledger/touched.ts";
import { touchedByIncidents } from "../views/incidents.ts";
import { toEventsOf } from "./event-lists.ts";

/**
 * Appends what an entry or a ruling published, corrected or withdrew. Withdrawals come first: a change that is dated
 * anew is another event.
 * @param time of the entry or ruling; ISO 8601 in UTC
 */
export function recordChanges({ ledger, touched }: { ledger: Ledger; touched: Touched }, time: string): void {
  const validatorIndexes = touched.events.union(touched.prices).union(touchedByIncidents(ledger, touched));
  if (validatorIndexes.size === 0) return;
  const { changes } = ledger;
  const head = headOf(changes);
  const events = toEventsOf(ledger, validatorIndexes);
  const standing = new Set(events.map(({ id }) => id));
  for (const [id, { validatorIndex }] of changes.published) {
    if (!validatorIndexes.has(validatorIndex) || standing.has(id)) continue;
    const newest = findNewest(changes, id);
    if (newest !== null) appendChange(changes, { at: time, kind: "withdrawal", event: newest.event });
    changes.published.delete(id);
  }
  for (const event of events) {
    const known = changes.published.get(event.id);
    const digest = toDigest(event);
    if (known?.digest === digest) continue;
    appendChange(changes, { at: time, kind: known === undefined ? "event" : "correction", event });
    changes.published.set(event.id, { validatorIndex: ledger.validatorIndexes.get(event.votePubkey) ?? -1, digest });
  }
  if (headOf(changes) > head) touched.changesSince = Math.min(touched.changesSince, head + 1);
}

function toDigest(event: CommissionEvent): string {
  return hash("sha256", JSON.stringify(event)).slice(0, 32);
}

/**
 * Another one: an entry that a ruling leaves out or lets in, the fold or the cluster's series makes another past.
 * Withdrawals of events make none, as they follow in the log.
 */
export function toEdition({ series, rulings }: Ledger): string {
  const newest = [...rulings.observations.values()]
    .map(({ name }) => name)
    .sort()
    .at(-1);
  return `${series}.${FOLD_VERSION}.${Number(newest ?? 0)}`;
}

/** Those that stand, in the order of their publication. @param events of the ledger */
export function toEventsAsPublished({ changes }: Ledger, events: readonly CommissionEvent[]): CommissionEvent[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...changes.published.keys()].flatMap((id) => byId.get(id) ?? []);
}

export function renderChanges(ledger: Ledger): DocumentOf<"newestChanges"> {
  const { network, changes } = ledger;
  return { data: changes.newest, meta: { network, edition: toEdition(ledger), head: headOf(changes) } };
}

/** null: it is not full yet. */
export function renderChangeSegment(ledger: Ledger, segment: number): DocumentOf<"changeSegment"> | null {
  const data = readSegment(ledger.changes, segment);
  return data === null ? null : { data, meta: { network: ledger.network, edition: toEdition(ledger), segment } };
}
