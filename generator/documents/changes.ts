import type { CommissionEvent } from "../contract/event.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { headOf, readSegment } from "../ledger/change-log.ts";
import { FOLD_VERSION, type Ledger } from "../ledger/ledger.ts";

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
