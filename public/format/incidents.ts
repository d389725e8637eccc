import type { CommissionEvent } from "../../generator/contract/event.ts";
import { isRise } from "./events.ts";
import { toCount, toCounted } from "./values.ts";

export interface Incident {
  isRise: boolean;
  members: CommissionEvent[];
  validators: number;
  milliseconds: number;
}

const MINUTE_MILLISECONDS = 60_000;
const HOUR_MILLISECONDS = 60 * MINUTE_MILLISECONDS;
const VALIDATORS_MIN = 10;
const TIMES_AVERAGE = 3;

/**
 * An incident: in an hour at least 10 validators all raised, or all lowered, their inflation commission, three times as
 * many as in an average hour outside. A change belongs to one incident at most; its window must lie within the hour.
 * MEV rates all change when an epoch begins, so they do not count.
 */
export function findIncidents(newestFirst: readonly CommissionEvent[]): Incident[] {
  const changes = newestFirst.flatMap((event) => toTimed(event) ?? []);
  return [true, false].flatMap((rise) => findOfOneWay(changes.filter(({ event }) => isRise(event) === rise)));
}

/** Epoch milliseconds. */
interface Timed {
  event: CommissionEvent;
  from: number;
  until: number;
}

function toTimed(event: CommissionEvent): Timed | null {
  const { source, delta, pattern, replacedBy, transaction, previousSeenAt, createdAt } = event;
  if (source !== "COMMISSION" || delta === null || delta === 0 || pattern !== null || replacedBy !== null) return null;
  const blockTime = transaction?.blockTime ?? null;
  const [from, until] = [blockTime ?? previousSeenAt, blockTime ?? createdAt];
  return from === null || until === null ? null : { event, from: Date.parse(from), until: Date.parse(until) };
}

function findOfOneWay(changes: readonly Timed[]): Incident[] {
  const ofHours = changes.map(({ from }) => toIncident(changes.filter((each) => isWithin(each, from))));
  const largest = ofHours.reduce<Incident | null>(
    (most, each) => (each.validators > (most?.validators ?? 0) ? each : most),
    null,
  );
  if (largest === null || largest.validators < VALIDATORS_MIN) return [];
  const members = new Set(largest.members);
  const others = changes.filter(({ event }) => !members.has(event));
  const hours = Math.max(1, toSpan(changes) / HOUR_MILLISECONDS - 1);
  return largest.validators < (TIMES_AVERAGE * others.length) / hours ? [] : [largest, ...findOfOneWay(others)];
}

function isWithin({ from, until }: Timed, start: number): boolean {
  return from >= start && until <= start + HOUR_MILLISECONDS;
}

function toIncident(changes: readonly Timed[]): Incident {
  const members = changes.map(({ event }) => event);
  return {
    isRise: members.some(isRise),
    members,
    validators: new Set(members.map(({ votePubkey }) => votePubkey)).size,
    milliseconds: toSpan(changes),
  };
}

function toSpan(changes: readonly Timed[]): number {
  return Math.max(...changes.map(({ until }) => until)) - Math.min(...changes.map(({ from }) => from));
}

export function toIncidentText({ isRise, validators, milliseconds }: Incident): string {
  const way = isRise ? "raised" : "lowered";
  const minutes = Math.max(1, Math.ceil(milliseconds / MINUTE_MILLISECONDS));
  return `${toCount(validators)} validators ${way} their inflation commission within ${toCounted(minutes, "minute")}`;
}
