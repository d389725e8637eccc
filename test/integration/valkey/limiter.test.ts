import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { createClient } from "@redis/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { openValkeyLimiter, RETRY_MILLISECONDS } from "../../../proxy/limits/valkey.ts";
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
  const world = { now: 1_000_000, log: [] as LogEntry[] };
  const now = () => world.now;
  const limiter = await openValkeyLimiter({
    url,
    perMinute: 60,
    now,
    log: (entry) => void world.log.push(entry),
  });
  closers.push(() => limiter.close());
  return { world, limiter };
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

async function waitUntilBack({
  world,
  limiter,
}: Awaited<ReturnType<typeof openLimiter>>): Promise<void> {
  await vi.waitFor(
    async () => {
      world.now += RETRY_MILLISECONDS;
      await limiter.take("another");
      expect(world.log.at(-1)).toMatchObject({ level: "info" });
    },
    { timeout: 60_000, interval: 20 },
  );
}

const title = hasValkeyServer
  ? "on a real server"
  : "on a real server (none here: no valkey-server or redis-server in PATH)";

describe.skipIf(!hasValkeyServer)(`a limit shared ${title}`, () => {
  // No deadline passes by itself: on a busy machine a healthy server may be slow.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("is 60 in all for two proxies, however many requests come at once", async () => {
    const { url } = await openServer();
    const proxies = [await openProxy(url), await openProxy(url)];
    const statuses = (await Promise.all(proxies.map(({ requestMany }) => requestMany(80)))).flat();
    expect(Object.groupBy(statuses, String)).toMatchObject({
      200: { length: 60 },
      429: { length: 100 },
    });
  });

  it("goes on in each proxy from the last count known when the server is killed, and is shared again when it is back", async () => {
    const server = await openServer({ password: "s3cret" });
    const [one, two] = [await openLimiter(server.url), await openLimiter(server.url)];
    expect(await one.limiter.take("client")).toMatchObject({ remaining: 59 });
    expect(await two.limiter.take("client")).toMatchObject({ remaining: 58 });

    await server.kill();
    for (const { limiter } of [one, two]) {
      const known = limiter === one.limiter ? 59 : 58;
      expect(await limiter.take("client")).toMatchObject({ allowed: true, remaining: known - 1 });
      expect(await limiter.take("client")).toMatchObject({ allowed: true, remaining: known - 2 });
    }

    await server.start();
    await waitUntilBack(one);
    await waitUntilBack(two);
    // The server lost its counts: it gets the second one's
    // five, which are more than the first one's four.
    expect(await two.limiter.take("client")).toMatchObject({ remaining: 55 });
    expect(await one.limiter.take("client")).toMatchObject({ remaining: 54 });
    for (const { world } of [one, two]) {
      expect(world.log.map(({ level }) => level)).toEqual(["warn", "info"]);
      expect(JSON.stringify(world.log)).not.toMatch(/s3cret|127\.0\.0\.1|redis:/);
    }
  });

  it("goes on alone while the server hangs, waiting for it only once", async () => {
    const server = await openServer();
    const opened = await openLimiter(server.url);
    vi.useRealTimers();
    server.signal("SIGSTOP");
    expect(await opened.limiter.take("client")).toMatchObject({ remaining: 59 });
    expect(await opened.limiter.take("client")).toMatchObject({ remaining: 58 });
    expect(opened.world.log).toMatchObject([{ level: "warn" }]);
    server.signal("SIGCONT");
    await waitUntilBack(opened);
    // Counts what was asked during the hang, sent or not.
    expect(await opened.limiter.take("client")).toMatchObject({ remaining: 57 });
  });

  it("gets the largest count of a proxy that counted alone while the server could not be reached, and keeps who was refused so", async () => {
    const server = await openServer();
    const [one, two] = [await openLimiter(server.url), await openLimiter(server.url)];
    const takeMany = async (limiter: typeof one.limiter, client: string, count: number) => {
      for (let time = 0; time < count; time += 1) await limiter.take(client);
    };
    await takeMany(one.limiter, "much", 61);
    vi.useRealTimers();
    server.signal("SIGSTOP");
    for (const { limiter } of [one, two]) await limiter.take("another");
    await takeMany(one.limiter, "client", 10);
    await takeMany(two.limiter, "client", 20);
    expect(await one.limiter.take("much")).toMatchObject({ allowed: false, remaining: 0 });
    server.signal("SIGCONT");
    await waitUntilBack(one);
    await waitUntilBack(two);
    expect(await one.limiter.take("client")).toMatchObject({ remaining: 60 - 11 });
    expect(await two.limiter.take("client")).toMatchObject({ remaining: 60 - 21 });
    await vi.waitFor(async () =>
      expect((await one.limiter.take("client")).remaining).toBeLessThan(60 - 21),
    );
    expect(await two.limiter.take("much")).toMatchObject({ allowed: false });
  });

  it("keeps no address readable, and no key longer than a window", async () => {
    const { url } = await openServer({ password: "s3cret" });
    const { limiter } = await openLimiter(url);
    const clients = ["203.0.113.7", "2001:db8:1:2", "unknown", "hostile\r\nFLUSHALL\r\n"];
    await Promise.all(clients.map(async (client) => limiter.take(client)));
    const server = await openClient(url);
    const keys = await server.keys("*");
    expect(keys).toHaveLength(clients.length + 1);
    for (const key of keys) {
      expect(key).toMatch(/^rugwatch:limit:[\w-]{16}$/);
      expect(await server.pTTL(key)).toBeGreaterThan(50_000);
      expect(await server.pTTL(key)).toBeLessThanOrEqual(60_000);
    }
  });

  it("has a window that begins with the first request and is not made longer by the next ones", async () => {
    const { url } = await openServer();
    const { limiter } = await openLimiter(url);
    const server = await openClient(url);
    await server.flushAll();
    await limiter.take("client");
    const [key = ""] = await server.keys("*");
    await server.pExpire(key, 5_000);
    expect(await limiter.take("client")).toMatchObject({ remaining: 58, resetSeconds: 5 });
    await server.persist(key);
    expect(await limiter.take("client")).toMatchObject({ remaining: 57, resetSeconds: 60 });
    expect(await server.pTTL(key)).toBeGreaterThan(50_000);
    await server.del(key);
    // The server has forgotten, this process has not.
    expect(await limiter.take("client")).toMatchObject({ remaining: 56 });
  });

  it("needs no memory of its script in the server; closed, also twice, each process counts alone without a word", async () => {
    const { url } = await openServer();
    const { world, limiter } = await openLimiter(url);
    await limiter.take("client");
    await (await openClient(url)).scriptFlush();
    expect(await limiter.take("client")).toMatchObject({ remaining: 58 });
    limiter.close();
    limiter.close();
    expect(await limiter.take("client")).toMatchObject({ remaining: 57 });
    expect(world.log).toEqual([]);
  });

  it("is not shared where the server refuses us, which the log says without the password", async () => {
    const { url } = await openServer({ password: "s3cret" });
    const { world, limiter } = await openLimiter(url.replace("s3cret", "wr0ng"));
    expect(await limiter.take("client")).toMatchObject({ remaining: 59 });
    expect(world.log).toMatchObject([
      { level: "warn", message: expect.stringContaining("refuses (WRONGPASS)") as string },
    ]);
    expect(JSON.stringify(world.log)).not.toMatch(/s3cret|wr0ng|127\.0\.0\.1/);
  });
});

describe("a limit that should be shared", () => {
  it("does not keep the proxy from starting when the server is not there", async () => {
    const { world, limiter } = await openLimiter("redis://user:s3cret@127.0.0.1:1");
    expect(await limiter.take("client")).toMatchObject({ remaining: 59 });
    expect(world.log).toMatchObject([
      { level: "warn", message: expect.stringContaining("(ECONNREFUSED)") as string },
    ]);
    expect(JSON.stringify(world.log)).not.toMatch(/s3cret|user|127\.0\.0\.1/);
  });

  it.each([
    ["always OK", "+OK\r\n"],
    ["a list of nothing", "*2\r\n$-1\r\n$-1\r\n"],
    ["a negative count", "*2\r\n:-1\r\n:60000\r\n"],
    ["another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n"],
    ["what is none", "\u0000\u0001\u0002"],
    ["nothing", ""],
  ])("is that of each process alone when the server says %s", async (_, answer) => {
    const server = createServer((socket) => {
      const commands = /^\*\d+\r\n/gm;
      socket.on("error", () => undefined);
      socket.on("data", (data) =>
        socket.write(answer.repeat(data.toString().match(commands)?.length ?? 0)),
      );
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    closers.push(() => server.close());
    const { world, limiter } = await openLimiter(
      `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    expect(await limiter.take("client")).toMatchObject({ remaining: 59 });
    expect(world.log).toMatchObject([{ level: "warn" }]);
  });
});
