import { fork } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DEADLINE_MILLISECONDS } from "../../../proxy/limits/fallback.ts";
import type { Limiter } from "../../../proxy/limits/limiter.ts";
import { createMemoryLimiter } from "../../../proxy/limits/memory-limiter.ts";
import { createPrimaryLimiter, serveLimiter, type Channel } from "../../../proxy/limits/process-limiter.ts";
import type { LogEntry } from "../../../proxy/log/entry.ts";

const now = () => 1_000_000;
const createMemory = () => createMemoryLimiter({ perMinute: 60, now });

/** Two ends of a channel, whose messages are copied as between processes. */
function openChannel() {
  const [primary, worker] = [new EventEmitter(), new EventEmitter()];
  const messages: unknown[] = [];
  const toEnd = (here: EventEmitter, there: EventEmitter): Channel => ({
    on: (event, listener) => here.on(event, listener),
    send(message, callback) {
      messages.push(message);
      setImmediate(() => {
        there.emit("message", structuredClone(message));
        callback(null);
      });
      return true;
    },
  });
  return { primaryEnd: toEnd(primary, worker), workerEnd: toEnd(worker, primary), messages };
}

function openWorker(channel: Channel, fallback: Limiter = createMemory()) {
  const log: LogEntry[] = [];
  return { log, limiter: createPrimaryLimiter({ channel, fallback, now, log: (entry) => void log.push(entry) }) };
}

describe("the limit of several processes", () => {
  // The deadline passes when a test says so, and not because the machine is busy.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("is one: 60 in all, however the requests fall to the workers", async () => {
    const shared = createMemory();
    const workers = [openChannel(), openChannel(), openChannel()].map(({ primaryEnd, workerEnd }) => {
      serveLimiter(primaryEnd, shared);
      return openWorker(workerEnd).limiter;
    });
    const requests = Array.from({ length: 100 }, async (_, index) => workers[index % 3]!.take("one"));
    const allowances = await Promise.all(requests);
    expect(allowances.filter(({ allowed }) => allowed)).toHaveLength(60);
    expect(new Set(allowances.map(({ remaining }) => remaining)).size).toBe(60);
    expect(await workers[0]!.take("two")).toMatchObject({ allowed: true, remaining: 59 });
  });

  it("asks in one message for all requests of a turn, and gives each its own answer", async () => {
    const { primaryEnd, workerEnd, messages } = openChannel();
    serveLimiter(primaryEnd, createMemory());
    const { limiter } = openWorker(workerEnd);
    const allowances = await Promise.all(["one", "two", "one"].map(async (client) => limiter.take(client)));
    expect(allowances.map(({ remaining }) => remaining)).toEqual([59, 59, 58]);
    expect(messages).toHaveLength(2);
  });

  it("is that of each process alone while the first one does not answer", async () => {
    const { workerEnd } = openChannel();
    const { limiter, log } = openWorker(workerEnd);
    const taken = limiter.take("one");
    await vi.advanceTimersByTimeAsync(DEADLINE_MILLISECONDS);
    expect(await taken).toMatchObject({ allowed: true, remaining: 59 });
    expect(limiter.take("one")).toMatchObject({ allowed: true, remaining: 58 });
    expect(log).toMatchObject([{ level: "warn" }]);
  });

  const closedChannel: Channel = {
    on: () => undefined,
    send(_, callback) {
      callback(new Error("closed"));
      return false;
    },
  };

  it.each([
    ["there is no channel", { on: () => undefined }],
    ["the channel is closed", closedChannel],
  ] satisfies [string, Channel][])("is that of each process alone when %s", async (_, channel) => {
    const { limiter } = openWorker(channel);
    expect(await limiter.take("one")).toMatchObject({ allowed: true, remaining: 59 });
    expect(limiter.take("one")).toMatchObject({ remaining: 58 });
  });

  it("is that of each process alone when the first one cannot count", async () => {
    const { primaryEnd, workerEnd } = openChannel();
    serveLimiter(primaryEnd, { take: () => Promise.reject(new Error("bug")) });
    const { limiter, log } = openWorker(workerEnd);
    expect(await limiter.take("one")).toMatchObject({ remaining: 59 });
    expect(log).toMatchObject([{ error: new Error("the first process could not count") }]);
  });

  it("does not mind other messages on the channel", async () => {
    const { primaryEnd, workerEnd, messages } = openChannel();
    serveLimiter(primaryEnd, createMemory());
    const { limiter } = openWorker(workerEnd);
    for (const message of [
      null,
      "take",
      1,
      {},
      { rugwatch: "other" },
      { rugwatch: "allowances", batch: 9, allowances: [] },
    ]) {
      primaryEnd.send!(message as never, () => undefined);
      workerEnd.send!(message as never, () => undefined);
    }
    await turn();
    expect(await limiter.take("one")).toMatchObject({ remaining: 59 });
    expect(messages).toHaveLength(14);
  });

  it("holds between real processes", async () => {
    const shared = createMemory();
    const counts = await Promise.all([countInProcess(shared), countInProcess(shared)]);
    expect(counts[0] + counts[1]).toBe(60);
  });
});

/** How many of 100 requests a process of its own may make. */
async function countInProcess(shared: Limiter): Promise<number> {
  const worker = fork(new URL("_worker.ts", import.meta.url), { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  serveLimiter(worker, shared);
  const counted = new Promise<number>((resolve, reject) => {
    worker.once("exit", () => reject(new Error("the worker ended")));
    worker.on("message", (message) => {
      if (typeof message === "object" && "allowed" in message) resolve(Number(message.allowed));
    });
  });
  const count = await counted;
  worker.disconnect();
  await once(worker, "exit");
  return count;
}
