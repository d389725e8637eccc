import { acquireLease } from "../../publish/lease.ts";
import type { AlertTarget } from "../../settings/alerts.ts";
import { enqueue, settle, type Outcome, type Sighting } from "./queue.ts";
import {
  createRecord,
  readRecord,
  writeRecord,
  type AlertMessage,
  type OutboxPlace,
  type OutboxRecord,
} from "./record.ts";

const DAY_MILLISECONDS = 24 * 60 * 60_000;

export interface OutboxOptions extends Omit<OutboxPlace, "target"> {
  target: AlertTarget;
  series: number;
  /** When this process began: a target that is new is told of what is confirmed from then on. Milliseconds since 1970. */
  startedAt: number;
  /** Of this process. */
  holder: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** From 0 up to, but not, 1. */
  random: () => number;
  /** One attempt. Rejects when it is stopped. */
  send: (message: AlertMessage) => Promise<Outcome>;
  /** Gets what is worth telling an operator, a line each. */
  say: (line: string) => void;
}

/** What one target is yet to be told of one network. */
export interface Outbox {
  /** What the ledger shows now: taken with the next `work`. */
  look: (sighting: Sighting) => void;
  /**
   * Writes down what is new, then delivers what is due, in order, until nothing is left or an attempt fails. A process that dies
   * on the way loses nothing: the next one finds in journal and record what is to be told, and tells the first of it again.
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
      tell(say, { target, record, head, outcome, isGivenUp: settled.isGivenUp });
      await writeRecord(place, settled.record);
      record = settled.record;
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
        // Another process may have told some of it meanwhile.
        const newest = await open(place, options);
        const next = plan(newest);
        if (next !== newest) await writeRecord(place, next);
        record = next;
        await deliverAll(signal, lease.extend);
      } finally {
        // One that cannot be given back runs out.
        await Promise.allSettled([lease.release()]);
      }
    },
  };
}

/** The record, or the first one of a target. Where one was damaged, the last day is told again rather than not at all. */
async function open(place: OutboxPlace, { series, startedAt, target, say }: OutboxOptions): Promise<OutboxRecord> {
  const found = await readRecord(place);
  if (found !== null && found !== "damaged") return found;
  const since = found === null ? startedAt : startedAt - DAY_MILLISECONDS;
  if (found === "damaged") say(`alerts for ${target.name}: the outbox was damaged: the last day is told again`);
  const created = createRecord(place, { series, since: new Date(since).toISOString() });
  await writeRecord(place, created);
  return created;
}

interface Attempt {
  target: AlertTarget;
  /** Before it. */
  record: OutboxRecord;
  head: AlertMessage;
  outcome: Outcome;
  isGivenUp: boolean;
}

/** Of failures in a row only the first is told, and what is given up. */
function tell(say: OutboxOptions["say"], { target: { name }, record, head, outcome, isGivenUp }: Attempt): void {
  if (outcome.delivered) say(`alerts for ${name}: told of ${head.id}`);
  else if (isGivenUp) say(`alerts for ${name}: gave up ${head.id}: ${outcome.reason}`);
  else if (record.failures === 0) say(`alerts for ${name}: ${outcome.reason}; tried again for a day`);
}
