import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { CONTENT_TYPE } from "../../../generator/contract/objects.ts";
import { openMemoryStore } from "../../../generator/store/memory.ts";
import { readSettings } from "../../../proxy/settings.ts";
import { CLIENT_CONNECTIONS_MAX } from "../../../proxy/http/connections.ts";
import { MEMORY } from "../../../proxy/cache/memory.ts";
import type { LogEntry } from "../../../proxy/operations/log.ts";
import { createMetrics } from "../../../proxy/operations/metrics.ts";
import { startServer } from "../../../proxy/server.ts";
import { makeMainnet, SEEN_AT, toPubkey } from "../fixtures.ts";
import { exchange } from "../http/_raw.ts";
import { openGoneEndpoint } from "./_endpoint.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A proxy over a store that can be down, at the time its snapshot was made or later. */
async function start(environment: Record<string, string> = {}) {
  const store = openMemoryStore();
  for (const { key, body } of makeMainnet()) await store.put(key, body, { expect: "any", contentType: CONTENT_TYPE });
  const world = { now: Date.parse(SEEN_AT), isDown: false };
  const log: LogEntry[] = [];
  const nowhere = "http://127.0.0.1:9";
  const server = await startServer({
    settings: readSettings({ PORT: "0", METRICS_PORT: "0", MAINNET_RPC_URLS: nowhere, ...environment }),
    objects: {
      getIfChanged(key, knownEtag) {
        if (world.isDown) return Promise.reject(new Error("the store is down"));
        return store.getIfChanged(key, knownEtag);
      },
    },
    now: () => world.now,
    log: (entry) => void log.push(entry),
  });
  closers.push(() => server.close());
  const readMetrics = async () => (await fetch(server.metricsUrl!)).text();
  return { server, world, log, readMetrics };
}

describe("the metrics", () => {
  it("count requests by the template of their route, by method and by status", async () => {
    const { server, readMetrics } = await start({ RATE_LIMIT_PER_MINUTE: "4" });
    const profile = `/api/v1/validators/${toPubkey(1)}`;
    for (const path of [profile, profile, "/api/v1/validators/s3cret", "/s3cret/path?q=s3cret", profile])
      await fetch(server.url + path);
    await fetch(`${server.url}/healthz`, { method: "HEAD" });
    const route = 'route="/api/v1/validators/{votePubkey}"';
    await expect.poll(readMetrics).toContain('route="/healthz",method="HEAD",status="200"} 1');
    const text = await readMetrics();
    expect(text).toContain(`rugwatch_http_requests_total{${route},method="GET",status="200"} 2\n`);
    expect(text).toContain(`rugwatch_http_requests_total{${route},method="GET",status="400"} 1\n`);
    expect(text).toContain(`rugwatch_http_requests_total{${route},method="GET",status="429"} 1\n`);
    expect(text).toContain('rugwatch_http_requests_total{route="unknown",method="GET",status="404"} 1\n');
    expect(text).toContain(`rugwatch_http_request_duration_seconds_bucket{le="+Inf",${route}} 4\n`);
    expect(text).toContain(`rugwatch_http_request_duration_seconds_count{${route}} 4\n`);
    for (const foreign of ["s3cret", toPubkey(1), "127.0.0.1"]) expect(text).not.toContain(foreign);
  });

  it("count another spelling of a path under the route that answers it", async () => {
    const { server, readMetrics } = await start();
    const paths = ["%76alidators", "./validators", "x/../validators?page=2", "%2e/validators", "\\validators"];
    const targets = [...paths.map((path) => `/api/v1/${path}`), "http://any.example/api/v1/validators"];
    const statuses: number[] = [];
    for (const target of targets) {
      const { answers } = await exchange(server.url, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, 1);
      statuses.push(...answers.map(({ status }) => status));
    }
    // The backslash is another slash, and makes an empty segment.
    expect(statuses).toEqual([200, 200, 200, 200, 404, 200]);
    const route = 'route="/api/v1/validators",method="GET",status="200"';
    await expect.poll(readMetrics).toContain(`rugwatch_http_requests_total{${route}} 5\n`);
    expect(await readMetrics()).toContain('{route="unknown",method="GET",status="404"} 1\n');
  });

  it("count refusals by status, each from 0, and apart from the requests", async () => {
    const { server, readMetrics } = await start();
    expect(await readMetrics()).toContain('rugwatch_http_refusals_total{status="431"} 0\n');
    await exchange(server.url, "s3cret\r\n\r\n");
    await exchange(server.url, "GET /s3cret HTTP/1.1\r\nHost: a\r\nHost: s3cret\r\n\r\n");
    await exchange(server.url, "CONNECT s3cret:1 HTTP/1.1\r\nHost: s3cret:1\r\n\r\n");
    const text = await readMetrics();
    expect(text).toContain('rugwatch_http_refusals_total{status="400"} 2\n');
    expect(text).toContain('rugwatch_http_refusals_total{status="405"} 1\n');
    expect(text).not.toMatch(/rugwatch_http_requests_total\{/);
    expect(text).not.toContain("s3cret");
  });

  it("count connections that are closed at once, by reason, each from 0", async () => {
    const { server, readMetrics } = await start();
    const dropped = (reason: string, count: number) =>
      `rugwatch_http_connections_dropped_total{reason="${reason}"} ${count}\n`;
    const before = await readMetrics();
    for (const reason of ["idle", "client"]) expect(before).toContain(dropped(reason, 0));
    const { hostname: host, port } = new URL(server.url);
    const clients = Array.from({ length: CLIENT_CONNECTIONS_MAX + 2 }, () => connect({ host, port: Number(port) }));
    for (const client of clients) client.on("error", () => undefined);
    await expect.poll(readMetrics).toContain(dropped("client", 2));
    for (const client of clients) client.destroy();
    expect(await readMetrics()).toContain(dropped("idle", 0));
  });

  it("tell how old the snapshot is that is held, and what the store does", async () => {
    const { server, world, log, readMetrics } = await start();
    await fetch(`${server.url}/api/v1/validators`);
    const before = await readMetrics();
    const [, age] = /rugwatch_snapshot_age_seconds\{network="mainnet"\} (\d+)/.exec(before)!;
    expect(before).toContain('rugwatch_store_reads_total{result="found"} 1\n');
    expect(before).toMatch(/rugwatch_store_read_bytes_total [1-9]/);
    expect(log).toContainEqual(expect.objectContaining({ level: "info", message: "snapshot loaded" }));

    world.now += 15_000;
    await fetch(`${server.url}/api/v1/validators`);
    await expect.poll(readMetrics).toContain('rugwatch_store_reads_total{result="unchanged"} 1\n');
    const [bytes] = /rugwatch_store_read_bytes_total \d+\n/.exec(before)!;
    expect(await readMetrics()).toContain(bytes);

    world.isDown = true;
    world.now += 3_600_000;
    await fetch(`${server.url}/api/v1/validators`);
    const after = await readMetrics();
    expect(after).toContain(`rugwatch_snapshot_age_seconds{network="mainnet"} ${Number(age) + 3_615}\n`);
    expect(after).toContain("rugwatch_store_answer_age_seconds 3600\n");
    expect(after).toContain('rugwatch_store_reads_total{result="failed"} 1\n');
  });

  it("tell how readings of the cluster end", async () => {
    const { server, readMetrics } = await start({ MAINNET_RPC_URLS: await openGoneEndpoint() });
    await fetch(`${server.url}/api/v1/epoch`);
    await expect.poll(readMetrics).toContain('rugwatch_epoch_readings_total{network="mainnet",result="failed"} 1\n');
  });

  it("tell whether the limit is shared, where it should be", async () => {
    const metrics = createMetrics({ now: () => 0, steadyNow: () => 0 });
    const take = () => Promise.resolve({ allowed: true, limit: 60, remaining: 59, resetSeconds: 1 });
    metrics.observeLimiter({ take });
    expect(await metrics.registry.metrics()).not.toContain("rugwatch_limiter_shared");
    const limiter = { take, isShared: true };
    metrics.observeLimiter(limiter);
    expect(await metrics.registry.metrics()).toContain("rugwatch_limiter_shared 1\n");
    limiter.isShared = false;
    expect(await metrics.registry.metrics()).toContain("rugwatch_limiter_shared 0\n");
  });

  it("tell how full each place is where something is remembered, and how full it may be", async () => {
    const { server, readMetrics } = await start();
    const read = async (name: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(await readMetrics())?.[1]);
    const places = ["documents", "missing_documents", "answers", "variants", "responses"];
    for (const place of places) expect(await read(`rugwatch_held_bytes{place="${place}"}`), place).toBe(0);
    expect(await read('rugwatch_held_max_bytes{place="answers"}')).toBe(3 * MEMORY.answersOfNetworkMaxBytes);
    expect(await read('rugwatch_held_max_bytes{place="documents"}')).toBe(MEMORY.documentsMaxBytes);
    const sizeOf = async (path: string) => (await (await fetch(server.url + path)).arrayBuffer()).byteLength;
    const page = await sizeOf("/api/v1/validators");
    const profile = await sizeOf(`/api/v1/validators/${toPubkey(1)}`);
    await sizeOf(`/api/v1/validators/${toPubkey(2)}/location`);
    expect(await read('rugwatch_held_bytes{place="answers"}')).toBe(MEMORY.entryBytes + page);
    expect(await read('rugwatch_held_bytes{place="documents"}')).toBe(MEMORY.entryBytes + profile);
    expect(await read('rugwatch_held_bytes{place="missing_documents"}')).toBe(MEMORY.entryBytes);
    expect(await read('rugwatch_held_bytes{place="responses"}')).toBeGreaterThan(MEMORY.entryBytes + page);
    await expect
      .poll(async () => {
        await sizeOf("/api/v1/validators");
        return read('rugwatch_held_bytes{place="variants"}');
      })
      .toBeGreaterThan(MEMORY.entryBytes);
  });

  it("have a port of their own, and are on no other", async () => {
    const { server } = await start();
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    const origin = new URL(server.metricsUrl!).origin;
    for (const path of ["/", "/metrics/", "/api/v1/validators"]) expect((await fetch(origin + path)).status).toBe(404);
    const posted = await fetch(server.metricsUrl!, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const metrics = await fetch(server.metricsUrl!);
    expect(metrics.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  });

  it("are served only when asked for", async () => {
    const { server } = await start({ METRICS_PORT: "" });
    expect(server.metricsUrl).toBeNull();
  });

  it("say which variable to change when their port is taken", async () => {
    const { server } = await start();
    const taken = new URL(server.metricsUrl!).port;
    await expect(start({ METRICS_PORT: taken })).rejects.toThrow(
      `Port ${taken} of 127.0.0.1 is taken: set METRICS_PORT to another one.`,
    );
    // Of the block kept for documentation (RFC 5737): nobody has it.
    await expect(start({ METRICS_HOST: "192.0.2.1" })).rejects.toThrow(
      "192.0.2.1 is no address of this machine: set METRICS_HOST to",
    );
  });
});
