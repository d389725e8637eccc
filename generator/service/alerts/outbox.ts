import { createHash } from "node:crypto";
import { acquireLease } from "../../publish/lease.ts";
import type { AlertTarget } from "../../settings/alerts.ts";
import { REFUSALS_MAX, settle, type Fate, type Outcome } from "./attempts.ts";
import { enqueue, type Sighting } from "./queue.ts";
import {
  createRecord,
  readRecord,
  writeRecord,
  type AlertMessage,
  type OutboxPlace,
  type OutboxRecord,
} from "./record.ts";

const DAY_MILLISECONDS = 24 * 60 * 60_000;
const CHECK_URL = "check its url in ALERT_WEBHOOKS; all its messages wait, for a day at most";

export interface OutboxOptions extends Omit<OutboxPlace, "target"> {
  target: AlertTarget;
  series: number;
  /** When this process began, in milliseconds since 1970: a new target is told what is confirmed from then on. */
  startedAt: number;
  /** Names this process in the lease. */
  holder: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** From 0 to below 1. */
  random: () => number;
  /** Makes one attempt. Rejects when it is stopped. */
  send: (message: AlertMessage) => Promise<Outcome>;
  /** Receives lines for the operator. */
  say: (line: string) => void;
  /** Receives what came of each attempt, and how many messages still wait. */
  onAttempt?: ((attempt: { target: string; fate: Fate; waiting: number }) => void) | undefined;
}

/** What one target still has to be told of one network. */
export interface Outbox {
  /** Notes what the ledger shows now, for the next `work`. */
  look: (sighting: Sighting) => void;
  /**
   * Writes down what is new, then delivers what is due, in order, until nothing is left or an attempt fails. A process that dies
   * loses nothing: the next one goes on from journal and record, and may repeat the first message.
   *
   * @throws {StoreError}
   */
  work: (signal: AbortSignal) => Promise<void>;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { target, stateStore, network, now, say } = options;
  const place: OutboxPlace = { stateStore, network, target: target.name };
  let sighting: Sighting | null = null;
  let record: OutboxRecord | null = null;

  const plan = (from: OutboxRecord) => (sighting === null ? from : enqueue(from, sighting, target));
  const isDue = ({ queue, retryAt }: OutboxRecord) =>
    queue.length > 0 && (retryAt === null || now() >= Date.parse(retryAt));

  async function deliverAll(signal: AbortSignal, extend: () => Promise<void>): Promise<void> {
    for (;;) {
      const [head] = record?.queue ?? [];
      if (record === null || head === undefined || !isDue(record) || signal.aborted) return;
      await extend();
      const outcome = await options.send(head);
      const settled = settle(record, outcome, { now: now(), random: options.random });
      const { fate } = settled;
      tell(say, { target, record, head, outcome, fate });
      await writeRecord(place, settled.record);
      record = settled.record;
      options.onAttempt?.({ target: target.name, fate, waiting: record.queue.length });
    }
  }

  return {
    look(seen) {
      sighting = seen;
    },
    async work(signal) {
      record ??= await open(place, options);
      const planned = plan(record);
      if (planned === record && !isDue(record)) return;
      const lease = await acquireLease({ ...options, purpose: `alerts-${target.name}` });
      if ("heldBy" in lease) return;
      try {
        // Another process may have delivered some of it meanwhile.
        const newest = await open(place, options);
        const next = plan(newest);
        if (next !== newest) await writeRecord(place, next);
        record = next;
        await deliverAll(signal, lease.extend);
      } finally {
        // A lease that cannot be released expires.
        await Promise.allSettled([lease.release()]);
      }
    },
  };
}

/** The record, or a new one. After damage the last day is told again: better twice than never. */
async function open(place: OutboxPlace, { series, startedAt, target, say }: OutboxOptions): Promise<OutboxRecord> {
  const found = await readRecord(place);
  const addressDigest = toAddressDigest(target);
  if (found !== null && found !== "damaged") {
    if (found.addressDigest === addressDigest) return found;
    const calm = { refusals: 0, refusesAll: false, failures: 0, failure: null, retryAt: null };
    return { ...found, addressDigest, ...calm };
  }
  const since = found === null ? startedAt : startedAt - DAY_MILLISECONDS;
  if (found === "damaged") say(`alerts for ${target.name}: the outbox was damaged: the last day is sent again`);
  const created = { ...createRecord(place, { series, since: new Date(since).toISOString() }), addressDigest };
  await writeRecord(place, created);
  return created;
}

function toAddressDigest(target: AlertTarget): string {
  const own = target.shape === "standard" ? target.secret : target.shape === "telegram" ? target.chat : "";
  return createHash("sha256")
    .update(JSON.stringify([target.shape, target.url, own]))
    .digest("hex");
}

interface Attempt {
  target: AlertTarget;
  record: OutboxRecord;
  head: AlertMessage;
  outcome: Outcome;
  fate: Fate;
}

function tell(say: OutboxOptions["say"], { target: { name }, record, head, outcome, fate }: Attempt): void {
  const line = (text: string) => say(`alerts for ${name}: ${text}`);
  if (outcome.delivered) {
    line(`delivered ${head.id}`);
    return;
  }
  const { reason, cause } = outcome;
  if (fate === "givenUp") {
    line(`gave up ${head.id}: ${reason}`);
    return;
  }
  if (fate === "setAside") {
    line(`${head.id} is set aside, refused ${REFUSALS_MAX} times: ${reason}`);
    return;
  }
  if (fate === "refusesAll") {
    line(`${reason} to one message after another: ${CHECK_URL}, those set aside too`);
    return;
  }
  if (record.failure?.reason === reason) return;
  if (cause === "target") line(`${reason}: ${CHECK_URL}`);
  else if (cause === "trouble" || record.refusesAll) line(`${reason}; tried again for a day`);
  else line(`${reason}; ${head.id} is tried ${REFUSALS_MAX} times, then set aside`);
}
