import { createFallbackLimiter } from "./fallback.ts";
import type { Allowance, Limiter } from "./limiter.ts";
import type { Log } from "../log/entry.ts";
import { isOfKind } from "../process-message.ts";

/*
 * Several processes that serve one port count as one: the primary counts for all, and the workers ask it over the channel
 * that Node keeps between them. What the requests of one turn of the event loop ask goes in one message.
 */

/** One end of the channel between two processes: `process` in the worker, the `Worker` in the primary. */
export interface Channel {
  /** Missing where nobody started this process. The callback keeps a closed channel from being an unhandled error. */
  send?: (message: Question | Reply, callback: (error: Error | null) => void) => boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
}

interface Question {
  rugwatch: "take";
  batch: number;
  clients: string[];
}

interface Reply {
  rugwatch: "allowances";
  batch: number;
  /** In the order of the clients; null: the primary could not count. */
  allowances: Allowance[] | null;
}

interface PrimaryLimiterOptions {
  channel: Channel;
  /** Counts while the primary does not answer. */
  fallback: Limiter;
  /** Milliseconds. */
  now: () => number;
  log?: Log;
}

interface Waiting {
  client: string;
  resolve: (allowance: Allowance) => void;
  reject: (reason: Error) => void;
}

/** Messages to the primary that may be without an answer. */
const BATCHES_MAX = 1_000;

/** In the primary: counts what a worker asks. */
export function serveLimiter(worker: Channel, limiter: Limiter): void {
  const ignore = () => undefined; // A worker that is gone needs no answer.
  worker.on("message", (message) => {
    if (isQuestion(message)) void reply(message);
  });

  async function reply({ batch, clients }: Question): Promise<void> {
    const counted = clients.map(async (client) => limiter.take(client));
    const allowances = await Promise.all(counted).catch(() => null);
    worker.send?.({ rugwatch: "allowances", batch, allowances }, ignore);
  }
}

/** In a worker: asks the primary. */
export function createPrimaryLimiter({ channel, fallback, now, log }: PrimaryLimiterOptions): Limiter {
  const ask = createBatches(channel);
  return createFallbackLimiter({
    ask,
    fallback,
    now,
    onLost: (error) => log?.({ level: "warn", message: "the first process does not count: each counts alone", error }),
    onBack: () => log?.({ level: "info", message: "the first process counts for all again" }),
  });
}

function createBatches(channel: Channel): (client: string) => Promise<Allowance> {
  let next: Waiting[] = [];
  let batch = 0;
  const sent = new Map<number, Waiting[]>();
  channel.on("message", (message) => {
    if (isReply(message)) settle(message);
  });

  function settle({ batch, allowances }: Reply): void {
    const waiting = sent.get(batch) ?? [];
    sent.delete(batch);
    for (const [index, { resolve, reject }] of waiting.entries()) {
      const allowance = allowances?.[index];
      if (allowance === undefined) reject(new Error("the first process could not count"));
      else resolve(allowance);
    }
  }

  function send(): void {
    const number = ++batch;
    const fail = () => settle({ rugwatch: "allowances", batch: number, allowances: null });
    sent.set(number, next);
    // What a primary that hangs never answers: its requests have long been answered without it.
    if (sent.size > BATCHES_MAX) sent.delete(number - BATCHES_MAX);
    const clients = next.map(({ client }) => client);
    next = [];
    if (channel.send === undefined) fail();
    else channel.send({ rugwatch: "take", batch: number, clients }, (error) => error !== null && fail());
  }

  return (client) =>
    new Promise((resolve, reject) => {
      if (next.push({ client, resolve, reject }) === 1) setImmediate(send);
    });
}

function isQuestion(message: unknown): message is Question {
  return isOfKind(message, "take");
}

function isReply(message: unknown): message is Reply {
  return isOfKind(message, "allowances");
}
