import { toBackOff } from "../../rpc/retry.ts";
import { addSent } from "./queue.ts";
import type { AlertMessage, OutboxRecord } from "./record.ts";

const DAY_MILLISECONDS = 24 * 60 * 60_000;
const TRIED_MILLISECONDS = DAY_MILLISECONDS;
const WAIT_MILLISECONDS = { first: 5_000, most: 60 * 60_000 };
/** A receiver may refuse while it is being deployed: six tries take three to six minutes under `run`. */
export const REFUSALS_MAX = 6;
/** Different messages in a row are not all bad: Telegram, for one, answers 400 to a bot in the wrong chat. */
const REFUSED_IN_A_ROW_MAX = 3;
const UNDELIVERED_MILLISECONDS = 7 * DAY_MILLISECONDS;
const UNDELIVERED_MAX = 100;

/** A failure is about this message, about whatever the target is sent, or passes. */
export type FailureCause = "message" | "target" | "trouble";

/** What the target made of one attempt. */
export type DeliveryResult = { delivered: true } | Failed;

interface Failed {
  delivered: false;
  cause: FailureCause;
  /** Holds nothing secret and nothing that the target said. */
  reason: string;
  retryAfterMilliseconds: number | null;
}

/** What becomes of the message. `refusesAll`: it waits, and so do those set aside before it. */
export type Outcome = "delivered" | "waiting" | "setAside" | "refusesAll" | "givenUp";

interface Moment {
  /** Milliseconds since 1970. */
  now: number;
  /** From 0 to below 1. */
  random: () => number;
}

/**
 * The record after an attempt to deliver its first message. A refused message is set aside and holds back no other; a
 * wrong or absent target keeps all waiting, each for a day.
 */
export function settle(
  record: OutboxRecord,
  result: DeliveryResult,
  moment: Moment,
): { record: OutboxRecord; outcome: Outcome } {
  const [head] = record.queue;
  if (head === undefined) return { record, outcome: "delivered" };
  if (result.delivered) {
    const undelivered = keepNew(record.undelivered, moment.now);
    const calm = { setAside: [], refusesAll: false, undelivered };
    return { record: { ...leave(record, head), ...calm }, outcome: "delivered" };
  }
  if (moment.now - Date.parse(head.queuedAt) >= TRIED_MILLISECONDS) {
    const { failures, failure } = record;
    const without = { ...giveUp(record, head, { ...result, ...moment }), failures, failure };
    return { record: wait(without, result, moment), outcome: "givenUp" };
  }
  const refusals = record.refusals + (result.cause === "message" ? 1 : 0);
  const isRefused = result.cause === "message" && refusals >= REFUSALS_MAX && !record.refusesAll;
  if (!isRefused) return { record: wait({ ...record, refusals }, result, moment), outcome: "waiting" };
  if (record.setAside.length + 1 < REFUSED_IN_A_ROW_MAX) {
    const setAside = [...record.setAside, head];
    return { record: { ...giveUp(record, head, { ...result, ...moment }), setAside }, outcome: "setAside" };
  }
  return { record: wait(restore(record), result, moment), outcome: "refusesAll" };
}

/** A refused message still counts as sent: an earlier try may have arrived and its answer been lost. */
function leave(record: OutboxRecord, head: AlertMessage): OutboxRecord {
  const sent = addSent(record, head);
  return { ...record, queue: record.queue.slice(1), sent, refusals: 0, failures: 0, failure: null, retryAt: null };
}

function giveUp(
  record: OutboxRecord,
  head: AlertMessage,
  { reason, now }: { reason: string; now: number },
): OutboxRecord {
  const known = keepNew(record.undelivered, now);
  const undelivered = [...known, { id: head.id, reason, at: new Date(now).toISOString() }].slice(-UNDELIVERED_MAX);
  return { ...leave(record, head), undelivered };
}

function restore(record: OutboxRecord): OutboxRecord {
  const ids = record.setAside.map(({ id }) => id);
  return {
    ...record,
    queue: [...record.setAside, ...record.queue],
    setAside: [],
    refusesAll: true,
    undelivered: record.undelivered.filter(({ id }) => !ids.includes(id)),
  };
}

function wait(record: OutboxRecord, { reason, retryAfterMilliseconds }: Failed, { now, random }: Moment): OutboxRecord {
  const failures = record.failures + 1;
  const retryAt = now + Math.max(toBackOff(failures, random, WAIT_MILLISECONDS), retryAfterMilliseconds ?? 0);
  const since = record.failure?.since ?? new Date(now).toISOString();
  return { ...record, failures, failure: { reason, since }, retryAt: new Date(retryAt).toISOString() };
}

function keepNew(undelivered: OutboxRecord["undelivered"], now: number): OutboxRecord["undelivered"] {
  return undelivered.filter(({ at }) => now - Date.parse(at) <= UNDELIVERED_MILLISECONDS);
}
