import { toBackOff } from "../../rpc/retry.ts";
import { addSent } from "./queue.ts";
import type { AlertMessage, OutboxRecord } from "./record.ts";

const DAY_MILLISECONDS = 24 * 60 * 60_000;
/** For how long a message is tried, from when it is queued. */
export const TRIED_HOURS = 24;
/** The same in milliseconds. */
export const TRIED_MILLISECONDS = TRIED_HOURS * 3_600_000;
const WAIT_MILLISECONDS = { first: 5_000, most: 60 * 60_000 };
const UNDELIVERED_MILLISECONDS = 7 * DAY_MILLISECONDS;
const UNDELIVERED_MAX = 100;

/** Outcome of one attempt at a target. */
export type DeliveryResult = { delivered: true } | Failed;

interface Failed {
  delivered: false;
  /** It contains no secret and no text from the target. */
  reason: string;
  retryAfterMilliseconds: number | null;
}

/** What happens to the message after an attempt. */
export type Outcome = "delivered" | "waiting" | "givenUp";

interface Moment {
  /** Milliseconds since 1970. */
  now: number;
  /** From 0 to below 1. */
  random: () => number;
}

/**
 * The record after an attempt to deliver its first message,
 * which is tried for {@link TRIED_MILLISECONDS}; all others wait behind it.
 */
export function settle(
  record: OutboxRecord,
  result: DeliveryResult,
  moment: Moment,
): { record: OutboxRecord; outcome: Outcome } {
  const [head] = record.queue;
  if (head === undefined) return { record, outcome: "delivered" };
  const { failures, failure } = record;
  if (result.delivered) {
    const undelivered = keepNew(record.undelivered, moment.now);
    return { record: { ...leave(record, head), undelivered }, outcome: "delivered" };
  }
  if (moment.now - Date.parse(head.queuedAt) < TRIED_MILLISECONDS)
    return { record: wait(record, result, moment), outcome: "waiting" };
  const without = { ...giveUp(record, head, { ...result, ...moment }), failures, failure };
  return { record: wait(without, result, moment), outcome: "givenUp" };
}

/**
 * A message that was given up counts as sent: an attempt may have arrived although its answer was
 * lost.
 */
function leave(record: OutboxRecord, head: AlertMessage): OutboxRecord {
  const sent = addSent(record, head);
  return {
    ...record,
    queue: record.queue.slice(1),
    sent,
    failures: 0,
    failure: null,
    retryAt: null,
  };
}

function giveUp(
  record: OutboxRecord,
  head: AlertMessage,
  { reason, now }: { reason: string; now: number },
): OutboxRecord {
  const known = keepNew(record.undelivered, now);
  const undelivered = [...known, { id: head.id, reason, at: new Date(now).toISOString() }].slice(
    -UNDELIVERED_MAX,
  );
  return { ...leave(record, head), undelivered };
}

function wait(
  record: OutboxRecord,
  { reason, retryAfterMilliseconds }: Failed,
  { now, random }: Moment,
): OutboxRecord {
  const failures = record.failures + 1;
  const retryAt =
    now + Math.max(toBackOff(failures, random, WAIT_MILLISECONDS), retryAfterMilliseconds ?? 0);
  const since = record.failure?.since ?? new Date(now).toISOString();
  return {
    ...record,
    failures,
    failure: { reason, since },
    retryAt: new Date(retryAt).toISOString(),
  };
}

function keepNew(
  undelivered: OutboxRecord["undelivered"],
  now: number,
): OutboxRecord["undelivered"] {
  return undelivered.filter(({ at }) => now - Date.parse(at) <= UNDELIVERED_MILLISECONDS);
}
