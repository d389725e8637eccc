import { createClient } from "@redis/client";
import { RateLimiterRes } from "rate-limiter-flexible";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { openValkeyLimiter } from "../../../proxy/limits/valkey.ts";
import { readSettings } from "../../../proxy/settings.ts";
import type { LogEntry } from "../../../proxy/log.ts";
import { startServer } from "../../../proxy/server.ts";
import { hasValkeyServer, startValkeyServer, type ValkeyServer } from "./server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function openServer(options?: { password?: string }): Promise<ValkeyServer> {
  const server = await startValkeyServer(options);
  closers.push(() => server.close());
  return server;
}

async function openLimiter(url: string) {
  const log: LogEntry[] = [];
  const limiter = await openValkeyLimiter({
    url,
    perMinute: 60,
    steadyNow: () => performance.now(),
    log: (entry) => void log.push(entry),
  });
  closers.push(() => limiter.close?.());
  async function take(client: string) {
    let allowed = true;
    const result = await limiter.consume(client).catch((refused: unknown) => {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      allowed = false;
      return refused;
    });
    return { allowed, remaining: result.remainingPoints };
  }
  const waitUntilShared = (isShared: boolean) =>
    vi.waitFor(() => expect(limiter.isShared?.()).toBe(isShared), {
      timeout: 20_000,
      interval: 20,
    });
  return { log, limiter, take, waitUntilShared };
}

async function openProxy(url: string) {
  const settings = readSettings({ PORT: "0", RUGWATCH_PUBLIC: "memory:", VALKEY_URL: url });
  const proxy = await startServer({
    settings,
    objects: openMemoryStore(),
    now: () => 0,
    log: () => undefined,
  });
  closers.push(() => proxy.close());
  const request = async () => (await fetch(`${proxy.url}/api/v1/events`)).status;
  return { requestMany: (count: number) => Promise.all(Array.from({ length: count }, request)) };
}

async function openClient(url: string) {
  const client = await createClient({ url }).connect();
  closers.push(() => client.close());
  return client;
}

const title = hasValkeyServer
  ? "on a real server"
  : "on a real server (none here: no valkey-server or redis-server in PATH)";

describe.skipIf(!hasValkeyServer)(`a limit shared ${title}`, () => {
  it("is 60 in all for two proxies, however many requests come at once", async () => {
    const { url } = await openServer();
    const proxies = [await openProxy(url), await openProxy(url)];
    const statuses = (await Promise.all(proxies.map(({ requestMany }) => requestMany(80)))).flat();
    expect(Object.groupBy(statuses, String)).toMatchObject({
      200: { length: 60 },
      429: { length: 100 },
    });
  });

  it("is each proxy's own while the server is dead, and is shared again when it is back", async () => {
    const server = await openServer({ password: "s3cret" });
    const [one, two] = [await openLimiter(server.url), await openLimiter(server.url)];
    expect(await one.take("client")).toEqual({ allowed: true, remaining: 59 });
    expect(await two.take("client")).toEqual({ allowed: true, remaining: 58 });

    await server.kill();
    for (const { take, waitUntilShared } of [one, two]) {
      await waitUntilShared(false);
      expect(await take("client")).toEqual({ allowed: true, remaining: 59 });
      expect(await take("client")).toEqual({ allowed: true, remaining: 58 });
    }

    await server.start();
    for (const { waitUntilShared } of [one, two]) await waitUntilShared(true);
    expect(await two.take("client")).toEqual({ allowed: true, remaining: 59 });
    expect(await one.take("client")).toEqual({ allowed: true, remaining: 58 });
    for (const { log } of [one, two]) {
      expect(log).toMatchObject([{ level: "warn" }]);
      expect(JSON.stringify(log)).not.toMatch(/s3cret|127\.0\.0\.1|redis:/);
    }
  });

  it("waits a moment, and no longer, for a server that hangs, and then counts alone", async () => {
    const server = await openServer();
    const { log, take } = await openLimiter(server.url);
    server.signal("SIGSTOP");
    closers.push(() => server.signal("SIGCONT"));
    const startedAt = performance.now();
    expect(await take("client")).toEqual({ allowed: true, remaining: 59 });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(log).toMatchObject([
      { level: "warn", message: expect.stringContaining("each proxy counts alone") as string },
    ]);
  });

  it("keeps nobody waiting while a server hangs under steady traffic, and is shared again when it goes on", async () => {
    const server = await openServer();
    const { limiter, take } = await openLimiter(server.url);
    server.signal("SIGSTOP");
    closers.push(() => server.signal("SIGCONT"));
    const remaining: number[] = [];
    const startedAt = performance.now();
    // At least one command is under way at any time, so the connection is never silent.
    for (let time = 0; time < 50; time += 1)
      remaining.push((await Promise.race([take("client"), take("client")])).remaining);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(Math.min(...remaining)).toBe(0);
    expect(limiter.isShared?.()).toBe(false);
    server.signal("SIGCONT");
    await vi.waitFor(
      async () => {
        await take("another");
        expect(limiter.isShared?.()).toBe(true);
      },
      { timeout: 20_000, interval: 20 },
    );
  });

  it("does not ask the server about a client that is over it", async () => {
    const server = await openServer();
    const { take } = await openLimiter(server.url);
    for (let time = 0; time < 61; time += 1) await take("client");
    const client = await openClient(server.url);
    await client.flushAll();
    expect(await take("client")).toEqual({ allowed: false, remaining: 0 });
    expect(await client.keys("*")).toEqual([]);
  });

  it("keeps no address readable, and no key longer than a window", async () => {
    const { url } = await openServer({ password: "s3cret" });
    const { take } = await openLimiter(url);
    for (const client of ["203.0.113.7", "2001:db8:1:2"]) await take(client);
    const server = await openClient(url);
    const keys = await server.keys("*");
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(key).toMatch(/^rugwatch:limit:[\w-]{16}$/);
      const left = await server.pTTL(key);
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(60_000);
    }
  });

  it("is not shared where the server refuses us, which the log says without the password", async () => {
    const { url } = await openServer({ password: "s3cret" });
    const { log, take } = await openLimiter(url.replace("s3cret", "wr0ng"));
    expect(await take("client")).toEqual({ allowed: true, remaining: 59 });
    expect(log).toMatchObject([
      { level: "warn", message: expect.stringContaining("refuses (WRONGPASS)") as string },
    ]);
    expect(JSON.stringify(log)).not.toMatch(/s3cret|wr0ng|127\.0\.0\.1/);
  });
});

it("a limit that should be shared does not keep the proxy from starting when the server is not there", async () => {
  const { log, take } = await openLimiter("redis://user:s3cret@127.0.0.1:1");
  expect(await take("client")).toEqual({ allowed: true, remaining: 59 });
  expect(log).toMatchObject([
    { level: "warn", message: expect.stringContaining("(ECONNREFUSED)") as string },
  ]);
  expect(JSON.stringify(log)).not.toMatch(/s3cret|user|127\.0\.0\.1/);
});
