import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { createApp, type Dependencies } from "../../proxy/app.ts";
import { createMemoryLimiter } from "../../proxy/limits/limiter.ts";
import { createGate } from "../../proxy/limits/rate-limit.ts";
import type { LogEntry } from "../../proxy/operations/log.ts";
import { readError } from "./_setup.ts";

function createBareApp(changes: Partial<Dependencies>) {
  const log: LogEntry[] = [];
  const app = createApp({
    objects: openMemoryStore(),
    readEpoch: () => Promise.reject(new Error("silent")),
    gate: createGate({ limiter: createMemoryLimiter({ perMinute: 60 }), trustedProxies: { by: "nothing" } }),
    now: () => 0,
    log: (entry) => void log.push(entry),
    ...changes,
  });
  return { app, log };
}

describe("a bug of ours", () => {
  it("is logged, and tells the client nothing of itself", async () => {
    const bug = new TypeError("secret is undefined");
    const { app, log } = createBareApp({ gate: () => Promise.reject(bug) });
    const message = await readError(await app.request("/api/v1/events?q=1"), 500, "internal_error");
    expect(message).toBe("Something went wrong on our side, and nothing is wrong with the request: try again later.");
    expect(log).toEqual([{ level: "error", message: "GET /api/v1/events failed", error: bug }]);
  });

  it("is no less one if it is not even an error", async () => {
    const gate = () => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- that is the case tested
      throw "just a word";
    };
    const { app, log } = createBareApp({ gate });
    await readError(await app.request("/api/v1/events"), 500, "internal_error");
    expect(log).toMatchObject([{ level: "error", error: "just a word" }]);
  });
});

describe("what never answers", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  const never = () => new Promise<never>(() => undefined);

  it("is not waited for longer than 5 s, if it is the store", async () => {
    const { app } = createBareApp({ objects: { getIfChanged: never } });
    const response = app.request("/api/v1/events");
    await vi.advanceTimersByTimeAsync(5_000);
    await readError(await response, 503, "upstream_unavailable");
  });

  it("is not waited for longer than 4 s, if it is the cluster", async () => {
    const { app, log } = createBareApp({ readEpoch: never });
    const response = app.request("/api/v1/epoch");
    await vi.advanceTimersByTimeAsync(4_000);
    await readError(await response, 503, "upstream_unavailable");
    const message = "cannot read the epoch of mainnet, with nothing held to answer from";
    expect(log).toMatchObject([{ level: "warn", message }]);
  });
});
