import { createHash } from "node:crypto";
import { toCounted } from "../report.ts";
import { acquireLease } from "../../publish/lease.ts";
import type { AlertTarget } from "../../settings/alerts.ts";
import {
  settle,
  TRIED_HOURS,
  TRIED_MILLISECONDS,
  type DeliveryResult,
  type Outcome,
} from "./attempts.ts";
import { enqueue, type PublishedEvents } from "./queue.ts";
import {
  createRecord,
  readRecord,
  writeRecord,
  type AlertMessage,
  type OutboxPlace,
  type OutboxRecord,
} from "./record.ts";

/** Pause between two lines about failed attempts. */
const WARN_MILLISECONDS = 10 * 60_000;

/**
 * What an outbox is made of. `random` gives values from 0 to below 1; `holder` names this
 * process in the lease.
 */
export interface OutboxOptions extends Omit<OutboxPlace, "target"> {
  target: AlertTarget;
  series: number;
  /** Milliseconds since 1970. A new target receives only what is published from then on. */
  startedAt: number;
  holder: string;
  /** Milliseconds since 1970. */
  now: () => number;
  random: () => number;
  /** Delivers a message. It rejects when it is stopped. */
  send: (message: AlertMessage) => Promise<DeliveryResult>;
  /** `warn` receives lines about messages that were not delivered. */
  say: (line: string) => void;
  warn: (line: string) => void;
  onAttempt?: ((attempt: { target: string; outcome: Outcome }) => void) | undefined;
  /** Called after each `work`; `oldestAt` in milliseconds since 1970. */
  onQueue?:
    ((queue: { target: string; waiting: number; oldestAt: number | null }) => void) | undefined;
}

/** The messages of one network that wait for one target. */
export interface Outbox {
  /** Sets the events that the next `work` compares with the record. */
  update: (published: PublishedEvents) => void;
  /**
   * Records what is new, then delivers what is due, in order, until an attempt fails. After a
   * crash the next process goes on from journal and record, and may repeat the first message.
   * @throws {StoreError}
   */
  work: (signal: AbortSignal) => Promise<void>;
}

/** The outbox of one network and target. Creating it does no I/O. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { target, stateStore, network, now, say } = options;
  const place: OutboxPlace = { stateStore, network, target: target.name };
  let published: PublishedEvents | null = null;
  let record: OutboxRecord | null = null;
  let warnedAt = -Infinity;

  const plan = (from: OutboxRecord) =>
    published === null ? from : enqueue(from, published, target);
  const isDue = ({ queue, retryAt }: OutboxRecord) => {
    const wait = retryAt === null ? 0 : Date.parse(retryAt) - now();
    // A longer wait comes from a wrong clock.
    return queue.length > 0 && (wait <= 0 || wait > TRIED_MILLISECONDS);
  };

  async function workOn(signal: AbortSignal): Promise<void> {
    record ??= await open(place, options);
    const planned = plan(record);
    if (planned === record && !isDue(record)) return;
    const lease = await acquireLease({ ...options, purpose: `alerts-${target.name}` });
    if ("otherHolder" in lease) return;
    try {
      // Another process may have delivered some.
      const newest = await open(place, options);
      const next = plan(newest);
      if (next !== newest) await writeRecord(place, next);
      record = next;
      await deliverAll(signal, lease.extend);
    } finally {
      // A lease that is not released expires.
      await Promise.allSettled([lease.release()]);
    }
  }

  async function deliverAll(signal: AbortSignal, extend: () => Promise<void>): Promise<void> {
    for (;;) {
      const [head] = record?.queue ?? [];
      if (record === null || head === undefined || !isDue(record) || signal.aborted) return;
      await extend();
      const result = await options.send(head);
      const settled = settle(record, result, { now: now(), random: options.random });
      const { outcome } = settled;
      report({ target, record, head, result, outcome });
      await writeRecord(place, settled.record);
      record = settled.record;
      options.onAttempt?.({ target: target.name, outcome });
    }
  }

  function report(attempt: Attempt): void {
    const line = `alerts for ${target.name}: ${describeAttempt(attempt)}`;
    if (attempt.outcome === "delivered") {
      say(line);
      return;
    }
    const { record: before, result, outcome } = attempt;
    if (outcome === "waiting" && now() - warnedAt < WARN_MILLISECONDS) return;
    warnedAt = now();
    const isRepeated =
      outcome === "waiting" && !result.delivered && before.failure?.reason === result.reason;
    options.warn(isRepeated ? `${line}; ${toWaiting(before)}` : line);
  }

  return {
    update(newest) {
      published = newest;
    },
    async work(signal) {
      try {
        await workOn(signal);
      } finally {
        if (record !== null) options.onQueue?.({ target: target.name, ...measure(record) });
      }
    },
  };
}

function measure({ queue }: OutboxRecord): { waiting: number; oldestAt: number | null } {
  const queuedAt = queue.map((message) => Date.parse(message.queuedAt));
  return { waiting: queue.length, oldestAt: queue.length === 0 ? null : Math.min(...queuedAt) };
}

/** `2 messages waiting since 2026-11-20T13:00:00.000Z` */
export function toWaiting(record: OutboxRecord): string {
  const { waiting, oldestAt } = measure(record);
  const since = oldestAt === null ? "" : ` since ${new Date(oldestAt).toISOString()}`;
  return `${toCounted(waiting, "message")} waiting${since}`;
}

/**
 * Reads the record. After damage, what a message may wait for is sent again: a duplicate is better
 * than a loss.
 */
async function open(
  place: OutboxPlace,
  { series, startedAt, target, now, warn }: OutboxOptions,
): Promise<OutboxRecord> {
  const found = await readRecord(place);
  const [addressDigest, wanted] = [toAddressDigest(target), toWanted(target)];
  if (found !== null && found !== "damaged") return asConfigured(found, { addressDigest, wanted });
  const since = found === null ? startedAt : now() - TRIED_MILLISECONDS;
  if (found === "damaged")
    warn(
      `alerts for ${target.name}: the outbox was damaged: the last ${TRIED_HOURS} hours are sent again`,
    );
  const created = createRecord(place, {
    addressDigest,
    wanted,
    series,
    since: new Date(since).toISOString(),
  });
  await writeRecord(place, created);
  return created;
}

/**
 * Adapts the record to the settings. A new address is tried at once; a target that wants more
 * events receives those published from now on.
 */
function asConfigured(
  record: OutboxRecord,
  { addressDigest, wanted }: Pick<OutboxRecord, "addressDigest" | "wanted">,
): OutboxRecord {
  const isSame = record.addressDigest === addressDigest;
  const noFailure = isSame ? {} : { addressDigest, failures: 0, failure: null, retryAt: null };
  const { since, through } = record;
  if (record.wanted === wanted || through === null) return { ...record, ...noFailure, wanted };
  const after = new Date(Date.parse(through) + 1).toISOString();
  return { ...record, ...noFailure, wanted, since: after > since ? after : since };
}

function toWanted({ severities, validators }: AlertTarget): string {
  return JSON.stringify([severities, validators]);
}

function toAddressDigest(target: AlertTarget): string {
  return createHash("sha256")
    .update(JSON.stringify([target.shape, target.url, toReceiver(target)]))
    .digest("hex");
}

/** What names the receiver beside the URL. */
function toReceiver(target: AlertTarget): string {
  switch (target.shape) {
    case "standard":
      return target.secret;
    case "telegram":
      return target.chat;
    case "slack":
    case "discord":
      return "";
  }
}

interface Attempt {
  target: AlertTarget;
  record: OutboxRecord;
  head: AlertMessage;
  result: DeliveryResult;
  outcome: Outcome;
}

function describeAttempt({ head, result, outcome }: Attempt): string {
  if (result.delivered) return `delivered ${head.id}`;
  return outcome === "givenUp"
    ? `gave up ${head.id}: ${result.reason}`
    : `${result.reason}; it is tried again`;
}
