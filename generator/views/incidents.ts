import {
  type Incident,
  INCIDENT_COMPARED_HOURS,
  INCIDENT_TIMES_AVERAGE,
  INCIDENT_VALIDATORS_MIN,
} from "../contract/incident.ts";
import type { EventRecord } from "../ledger/event-record.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Touched } from "../ledger/touched.ts";

/*
 * An incident: within an hour at least ten validators raise, or all lower, their inflation
 * commission, and they are three times as many as the changes of an average hour of the day before. If every
 * hour is that busy, there is no incident.
 * Changes are taken in order of arrival. The change that completes an incident gathers those of
 * the last hour, and further changes join until an hour has passed since the first. So no later
 * change moves an incident or takes a change from it, and a change belongs to one incident at
 * most.
 * A change counts at its block time. Without a block time it counts from the last reading of the
 * old rate to the first of the new one; both must lie in the hour. MEV rates do not count, because
 * they all change when an epoch begins, and neither do repeats of a pattern, which are grouped
 * already.
 */

const HOUR_MILLISECONDS = 3_600_000;

/** A change made between two moments, in milliseconds since 1970. */
interface TimedChange {
  event: EventRecord;
  after: number;
  until: number;
}

/**
 * Incidents by event id; members share one object.
 * @param repeats ids of events that repeat a pattern
 */
export function findIncidents(
  events: readonly EventRecord[],
  repeats: { has: (id: string) => boolean },
): Map<string, Incident> {
  const changes = events
    .filter(({ id }) => !repeats.has(id))
    .flatMap((event) => toChange(event) ?? []);
  const byDirection = Map.groupBy(changes, ({ event: { from, to } }) => Number(to) > Number(from));
  const found = [...byDirection.values()].flatMap(findOfOneDirection);
  return new Map(
    found.flatMap((members) => {
      const incident = toIncident(members);
      return members.map(({ event: { id } }) => [id, incident] as const);
    }),
  );
}

/** null: it can belong to no incident. */
function toChange(event: EventRecord): TimedChange | null {
  const { source, confirmed, replacedBy, from, to, transaction, previousSeenAt, createdAt } = event;
  if (source !== "COMMISSION" || !confirmed || replacedBy !== null || createdAt === null)
    return null;
  if (typeof from !== "number" || typeof to !== "number" || from === to) return null;
  const blockTime = transaction?.blockTime ?? null;
  const [after, until] = [
    Date.parse(blockTime ?? previousSeenAt ?? ""),
    Date.parse(blockTime ?? createdAt),
  ];
  return until - after <= HOUR_MILLISECONDS ? { event, after, until } : null;
}

/** The members of each incident. Linear time but for two sorts. */
function findOfOneDirection(changes: readonly TimedChange[]): TimedChange[][] {
  const byStart = changes.toSorted((one, other) => one.after - other.after);
  const byEnd = changes.toSorted((one, other) => one.until - other.until);
  const isMany = createComparison(byEnd);
  const lastHour = createGroups();
  const incidents: TimedChange[][] = [];
  let newest: { start: number; members: TimedChange[] } | null = null;
  let left = 0;
  for (const change of byEnd) {
    if (
      newest !== null &&
      change.after >= newest.start &&
      change.until <= newest.start + HOUR_MILLISECONDS
    ) {
      newest.members.push(change);
      continue;
    }
    lastHour.add(change);
    for (const hourAgo = change.until - HOUR_MILLISECONDS; ; left += 1) {
      const oldest = byStart[left];
      if (oldest === undefined || oldest.after >= hourAgo) break;
      lastHour.remove(oldest);
    }
    if (!isMany(lastHour.validators(), change.until)) continue;
    const members = lastHour.removeAll();
    newest = {
      start: members.reduce((least, { after }) => Math.min(least, after), Infinity),
      members,
    };
    incidents.push(members);
  }
  return incidents;
}

/** Call it with ascending times. */
function createComparison(
  byEnd: readonly TimedChange[],
): (validators: number, now: number) => boolean {
  const [first] = byEnd;
  let [before, forgotten] = [0, 0];
  return (validators, now) => {
    const start = now - HOUR_MILLISECONDS;
    const isBefore = (index: number, time: number) => (byEnd[index]?.until ?? Infinity) <= time;
    while (isBefore(before, start)) before += 1;
    while (isBefore(forgotten, start - INCIDENT_COMPARED_HOURS * HOUR_MILLISECONDS)) forgotten += 1;
    const known = (start - (first?.until ?? start)) / HOUR_MILLISECONDS;
    const average = (before - forgotten) / Math.min(INCIDENT_COMPARED_HOURS, Math.max(1, known));
    return validators >= INCIDENT_VALIDATORS_MIN && validators >= INCIDENT_TIMES_AVERAGE * average;
  };
}

/** Changes by validator. */
function createGroups() {
  const byValidator = new Map<number, Set<TimedChange>>();
  return {
    validators: () => byValidator.size,
    add(change: TimedChange) {
      const own = byValidator.get(change.event.validatorIndex);
      if (own === undefined) byValidator.set(change.event.validatorIndex, new Set([change]));
      else own.add(change);
    },
    remove(change: TimedChange) {
      const own = byValidator.get(change.event.validatorIndex);
      own?.delete(change);
      if (own?.size === 0) byValidator.delete(change.event.validatorIndex);
    },
    removeAll(): TimedChange[] {
      const all = [...byValidator.values()].flatMap((own) => [...own]);
      byValidator.clear();
      return all;
    },
  };
}

function toIncident(members: readonly TimedChange[]): Incident {
  const [first] = members.map(({ event }) => event).sort(compareConfirmed);
  const after = members.reduce((least, each) => Math.min(least, each.after), Infinity);
  const until = members.reduce((most, each) => Math.max(most, each.until), -Infinity);
  return {
    id: first?.id ?? "",
    validators: new Set(members.map(({ event: { validatorIndex } }) => validatorIndex)).size,
    changes: members.length,
    firstAt: new Date(after).toISOString(),
    lastAt: new Date(until).toISOString(),
  };
}

/** One entry confirms all that are equal, so none of them comes later. */
function compareConfirmed(one: EventRecord, other: EventRecord): number {
  const key = ({ confirmedAt, id }: EventRecord) => `${confirmedAt} ${id}`;
  return key(one) < key(other) ? -1 : 1;
}

/**
 * Validators whose events may be in another incident than before. An
 * incident depends on changes before it and in its hour, so a change
 * affects its own epoch, those of the hour before and all later ones.
 */
export function touchedByIncidents(ledger: Ledger, touched: Touched): ReadonlySet<number> {
  if (touched.epochs.size === 0) return new Set();
  const since = epochOfHourBefore(ledger, Math.min(...touched.epochs));
  const later = ledger.events.filter(
    ({ source, confirmed, epoch }) => source === "COMMISSION" && confirmed && epoch >= since,
  );
  const validatorIndexes = new Set(later.map(({ validatorIndex }) => validatorIndex));
  const isPossible = validatorIndexes.union(touched.events).size >= INCIDENT_VALIDATORS_MIN;
  return isPossible ? validatorIndexes : new Set();
}

/** Where epochs are short, an hour spans several. */
function epochOfHourBefore({ epochs }: Ledger, epoch: number): number {
  const before = epochs.findLast((one) => one.epoch < epoch);
  if (before === undefined) return epoch;
  const hourBefore = new Date(Date.parse(before.last.time) - HOUR_MILLISECONDS).toISOString();
  return epochs.find(({ last }) => last.time >= hourBefore)?.epoch ?? epoch;
}
