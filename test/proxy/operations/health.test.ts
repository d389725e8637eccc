import { afterEach, expect, it, vi } from "vitest";
import { createApp } from "../../../proxy/app.ts";
import { createMemoryLimiter } from "../../../proxy/limits/limiter.ts";
import { createGate } from "../../../proxy/limits/rate-limit.ts";
import { describeProxy, readError } from "../_setup.ts";

describeProxy("whether it lives and is ready", (open) => {
  it("is told apart: a process without data lives, and is not ready until a snapshot is held", async () => {
    const { world, request } = await open();
    world.storeDown = true;
    expect((await request("/healthz")).status).toBe(200);
    const message = await readError(await request("/readyz"), 503, "upstream_unavailable");
    expect(message).toBe("No snapshot of mainnet is held yet: try again in 5 s.");
    world.storeDown = false;
    world.now += 60_000;
    const ready = await request("/readyz");
    expect([ready.status, await ready.json()]).toEqual([200, { data: { status: "ok" }, meta: {} }]);
    expect(ready.headers.get("cache-control")).toBe("no-store");
  });

  it("does not change while the store is down and a snapshot is held, however old", async () => {
    const { world, request } = await open();
    await request("/readyz");
    world.storeDown = true;
    for (let hour = 0; hour < 3; hour++) {
      world.now += 3_600_000;
      const ready = await request("/readyz");
      expect([ready.status, ready.headers.get("x-data-stale")]).toEqual([200, "true"]);
    }
  });
});

function openBare(isStopping: boolean, get: () => Promise<null>) {
  return createApp({
    objects: { getIfChanged: get },
    readEpoch: () => Promise.reject(new Error("silent")),
    gate: createGate({ limiter: createMemoryLimiter({ perMinute: 60 }), trustedProxies: { by: "nothing" } }),
    now: () => 0,
    log: () => undefined,
    isStopping: () => isStopping,
  });
}

afterEach(() => void vi.useRealTimers());

it("a store that hangs makes nobody wait for /readyz longer than a second", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const app = openBare(false, () => new Promise<never>(() => undefined));
  const response = app.request("/readyz");
  await vi.advanceTimersByTimeAsync(1_000);
  await readError(await response, 503, "upstream_unavailable");
});

it("a process that has been told to stop lives, and is ready no more", async () => {
  const app = openBare(true, () => Promise.resolve(null));
  expect((await app.request("/healthz")).status).toBe(200);
  const message = await readError(await app.request("/readyz"), 503, "upstream_unavailable");
  expect(message).toBe("This process is shutting down: try again in 5 s.");
});
