import { hash } from "node:crypto";
import type { Change } from "../contract/change.ts";
import type { CommissionEvent } from "../contract/event.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { appendChange, findNewest, headOf, readSegment } from "../ledger/change-log.ts";
import { FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";
import type { Touched } from "../ledger/touched.ts";
import { touchedByIncidents } from "../views/incidents.ts";
import { toEventsOf } from "./event-lists.ts";

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

/**
 * Text of series, version of the fold and newest ruling. A ruling, even one on an event, makes
 * another edition: it acts after the entry that its author had read, and later changes may already
 * be published.
 */
export function toEdition({ series, rulings }: Ledger): string {
  const names = [...rulings.observations.values(), ...rulings.events.values()].map(({ name }) =>
    Number(name),
  );
  return `${series}.${FOLD_VERSION}.${Math.max(0, ...names)}`;
}

/**
 * Whether an edition is older than another: its publisher has read fewer rulings or runs an older
 * version.
 */
export function isOlderEdition(edition: string, than: string): boolean {
  const [parts, others] = [edition, than].map((one) => one.split(".").map(Number));
  const differsAt = parts?.findIndex((part, index) => part !== others?.[index]) ?? -1;
  return differsAt >= 0 && (parts?.[differsAt] ?? 0) < (others?.[differsAt] ?? 0);
}

/**
 * Published events that were not withdrawn, in the order of publication.
 * @param events of the ledger
 */
export function toEventsAsPublished(
  { changes }: Ledger,
  events: readonly CommissionEvent[],
): CommissionEvent[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...changes.published.keys()].flatMap((id) => byId.get(id) ?? []);
}

/** The newest changes, those of the segment that is not full, with the log's head and edition. */
export function renderChanges(ledger: Ledger): DocumentOf<"newestChanges"> {
  const { network, changes } = ledger;
  return {
    data: changes.newest,
    meta: { network, edition: toEdition(ledger), head: headOf(changes) },
  };
}

/** A full segment of the log; null: it is not full yet. */
export function renderChangeSegment(
  ledger: Ledger,
  segment: number,
): DocumentOf<"changeSegment"> | null {
  const data = readSegment(ledger.changes, segment);
  return data === null
    ? null
    : { data, meta: { network: ledger.network, edition: toEdition(ledger), segment } };
}
