import type { z } from "zod";
import type {
  epochEventsDocumentSchema,
  epochsDocumentSchema,
  eventsDocumentSchema,
  rugsPerEpochDocumentSchema,
  uptimeDocumentSchema,
  validatorsDocumentSchema,
} from "./document-schemas.ts";
import type { EpochRow } from "./epochs.ts";
import { findEventValidators } from "./event-validators.ts";
import { findKeeping } from "./keeping.ts";
import type { CommissionEvent, Severity, Source } from "./event.ts";
import type { UptimeDay } from "./history.ts";
import type { Network } from "./networks.ts";
import { toPercentOf } from "./numbers.ts";
import { PARAMETERS } from "./parameters.ts";
import { withoutRepeats } from "./repeats.ts";
import type { SnapshotIndex } from "./snapshot-index.ts";

// Generator and proxy share these functions, so that their bytes agree: the generator publishes the
// answers at the defaults, the proxy makes the others. Rows come in the order of publication,
// parameters within the bounds of PARAMETERS.

/**
 * Makes a page of the list of validators, by rank. Pages count from 1; one past the end is empty.
 */
export function listValidators(
  { network, validators, networkStake, listVersion, snapshotAt }: SnapshotIndex,
  {
    page = PARAMETERS.page.default,
    limit = PARAMETERS.limit.default,
  }: { page?: number; limit?: number } = {},
): z.infer<typeof validatorsDocumentSchema> {
  const total = validators.length;
  const start = (page - 1) * limit;
  const data = validators.slice(start, start + limit);
  return {
    data,
    meta: {
      network,
      page,
      limit,
      total,
      totalPages: Math.ceil(total / limit),
      networkStake,
      listVersion,
      snapshotAt,
    },
  };
}

/** Which events of a list are wanted, and how; null: all. */
export interface EventsWanted {
  epochs?: number;
  severities?: readonly Severity[] | null;
  source?: Source | null;
  votePubkey?: string | null;
  /** Whether to keep only the newest event of each pattern. */
  isCollapsed?: boolean;
}

/** Makes the list of events of the newest `epochs`, newest first. */
export function listEvents(
  {
    network,
    latestEpoch,
    events,
    validators,
    unlisted,
  }: Pick<SnapshotIndex, "network" | "latestEpoch" | "events" | "validators" | "unlisted">,
  wanted: EventsWanted = {},
): z.infer<typeof eventsDocumentSchema> {
  const { epochs = PARAMETERS.epochs.default, severities = null, isCollapsed = false } = wanted;
  const recent = takeEpochs(events, latestEpoch, epochs).filter((event) => isWanted(event, wanted));
  const data = isCollapsed ? withoutRepeats(recent) : recent;
  const known = findEventValidators({ validators, unlisted }, data);
  const severity = severities?.length === 1 ? (severities[0] ?? null) : null;
  const asked = { epochs, severity, ...(severities !== null && { severities: [...severities] }) };
  return { data, meta: { network, total: data.length, latestEpoch, ...asked, validators: known } };
}

function isWanted(event: CommissionEvent, wanted: EventsWanted): boolean {
  const { severities = null, source = null, votePubkey = null } = wanted;
  return (
    (severities === null || severities.includes(event.severity)) &&
    (source === null || event.source === source) &&
    (votePubkey === null || event.votePubkey === votePubkey)
  );
}

/**
 * Keeps events of the newest `epochs` epochs. It counts epoch numbers, also of epochs without
 * events.
 */
export function takeEpochs(
  events: readonly CommissionEvent[],
  latestEpoch: number | null,
  epochs: number,
): CommissionEvent[] {
  return events.filter(({ epoch }) => epoch > (latestEpoch ?? 0) - epochs);
}

/** Makes the list of epochs, given oldest first. */
export function listEpochs(
  { network }: { network: Network },
  rows: readonly EpochRow[],
): z.infer<typeof epochsDocumentSchema> {
  const latestEpoch = rows.at(-1)?.epoch ?? null;
  return { data: [...rows], meta: { network, total: rows.length, latestEpoch } };
}

/** Makes a page of tracked epochs, oldest first. It ends `offset` epochs before the newest. */
export function listRugsPerEpoch(
  { network, latestEpoch, rugsPerEpoch, rugsGlobal, standingRugs, validators }: SnapshotIndex,
  {
    epochs = PARAMETERS.epochsPerPage.default,
    offset = PARAMETERS.offset.default,
  }: { epochs?: number; offset?: number } = {},
): z.infer<typeof rugsPerEpochDocumentSchema> {
  const total = rugsPerEpoch.length;
  const end = Math.max(0, total - offset);
  const data = rugsPerEpoch.slice(Math.max(0, end - epochs), end);
  return {
    data,
    meta: {
      network,
      latestEpoch,
      epochs,
      offset,
      total,
      global: rugsGlobal,
      standing: standingRugs,
      keeping: findKeeping(validators),
    },
  };
}

/**
 * Makes the list of an epoch's RUG events, given newest first: the newest of each validator and
 * source.
 */
export function listEpochEvents(
  { network, epoch }: { network: Network; epoch: number },
  rugs: readonly CommissionEvent[],
): z.infer<typeof epochEventsDocumentSchema> {
  const newest = new Map<string, CommissionEvent>();
  for (const event of rugs) {
    const key = `${event.votePubkey} ${event.source}`;
    if (!newest.has(key)) newest.set(key, event);
  }
  const data = [...newest.values()];
  const uniqueValidators = new Set(data.map(({ votePubkey }) => votePubkey)).size;
  return { data, meta: { network, epoch, total: data.length, uniqueValidators } };
}

interface OfValidator {
  network: Network;
  votePubkey: string;
}

/** Makes a list about one validator: all rows in their order. */
export function listOfValidator<Row>({ network, votePubkey }: OfValidator, rows: readonly Row[]) {
  return { data: [...rows], meta: { network, total: rows.length, votePubkey } };
}

/** Makes the uptime over the newest `days` recorded days, given oldest first. */
export function listUptime(
  { network, votePubkey }: OfValidator,
  recorded: readonly UptimeDay[],
  { days = PARAMETERS.days.max, known = true }: { days?: number | undefined; known?: boolean } = {},
): z.infer<typeof uptimeDocumentSchema> {
  const data = recorded.slice(-days);
  const uptimeChecks = data.reduce((sum, day) => sum + day.uptimeChecks, 0);
  const delinquentChecks = data.reduce((sum, day) => sum + day.delinquentChecks, 0);
  const overallUptimePercent = toPercentOf(uptimeChecks - delinquentChecks, uptimeChecks);
  return {
    data,
    meta: {
      network,
      votePubkey,
      known,
      daysTracked: data.length,
      overallUptimePercent,
      uptimeChecks,
      delinquentChecks,
    },
  };
}

/** Compares texts by UTF-16 code units, because locales differ between machines. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
