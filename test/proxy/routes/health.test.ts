import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { FRESH_MILLISECONDS } from "../../../proxy/cache/cache.ts";
import { createWorld, describeProxy, readBody, readError } from "../_setup.ts";
import { makeIndex, publish } from "../fixtures.ts";

describeProxy("whether it lives and is ready", (open) => {
  it("is told apart: a process without data lives, and is not ready until a snapshot is held", async () => {
    const { world, request } = await open({ perMinute: 1 });
    world.storeDown = true;
    expect((await request("/healthz")).status).toBe(200);
    const message = await readError(await request("/readyz"), 503, "upstream_unavailable");
    expect(message).toBe("No snapshot of mainnet is cached yet: try again in 5 s.");
    world.storeDown = false;
    world.now += 60_000;
    for (const path of ["/readyz", "/healthz"]) {
      const { status, headers } = await request(path);
      const shown = [status, headers.get("cache-control"), headers.get("x-ratelimit-remaining")];
      expect(shown).toEqual([200, "no-store", null]);
    }
  });

  it("does not change while the store is down and a snapshot is held, however old", async () => {
    const { world, request } = await open();
    await request("/readyz");
    world.storeDown = true;
    for (let hour = 0; hour < 3; hour++) {
      world.now += 3_600_000;
      const ready = await request("/readyz");
      expect([ready.status, ready.headers.get("x-data-stale")]).toEqual([200, "true"]);
      expect(await ready.json()).toEqual({ data: { status: "ok" }, meta: {} });
    }
  });
});

describeProxy("a store without any snapshot", (open) => {
  it("is ready, and says and logs once what to do, until one network has a snapshot", async () => {
    const { world, request } = await open({ published: [] });
    const read = async () =>
      (await readBody(await request("/readyz"), z.object({ data: z.object({}).loose() }))).data;
    const message = expect.stringMatching(
      /^nothing published yet for any network: run npm run generate -- snapshot/,
    ) as string;
    for (let time = 0; time < 2; time++) expect(await read()).toEqual({ status: "ok", message });
    expect(world.log).toEqual([{ level: "warn", message }]);
    await world.put(publish("index", {}, makeIndex({ network: "testnet" }), "testnet"));
    world.now += FRESH_MILLISECONDS + 1;
    await expect.poll(read).toEqual({ status: "ok" });
  });

  it("is not made of indexes that cannot be read", async () => {
    const { world, request } = await open({ published: [] });
    await request("/api/v1/validators");
    world.storeDown = true;
    expect(await (await request("/readyz")).json()).toEqual({ data: { status: "ok" }, meta: {} });
  });
});

afterEach(() => void vi.useRealTimers());

it.each([
  ["/readyz", 1_000],
  ["/api/v1/events", 5_000],
])("a store that hangs makes nobody wait for %s longer than %i ms", async (path, milliseconds) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { app, objects } = await createWorld();
  objects.getIfChanged = () => new Promise(() => undefined);
  const response = app.request(path);
  await vi.advanceTimersByTimeAsync(milliseconds);
  await readError(await response, 503, "upstream_unavailable");
});
