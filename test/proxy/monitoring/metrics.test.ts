import { describe, expect, it, onTestFinished } from "vitest";
import { ENTRY_BYTES } from "../../../proxy/cache/cache.ts";
import { DOCUMENTS_MAX_BYTES } from "../../../proxy/cache/documents.ts";
import { ANSWERS_MAX_BYTES } from "../../../proxy/cache/snapshots.ts";
import { toListenError } from "../../../generator/monitoring/listen.ts";
import { createMetrics } from "../../../proxy/monitoring/metrics.ts";
import { startServer } from "../../rpc/rpc-server.ts";
import { start } from "../_setup.ts";
import { toPubkey } from "../fixtures.ts";
import { exchange } from "../http/_raw.ts";

/** A proxy whose metrics can be read. */
async function open(environment: Record<string, string> = {}) {
  const { server, world } = await start({ METRICS_PORT: "0", ...environment });
  const readMetrics = async () => (await fetch(server.metricsUrl!)).text();
  return { server, world, readMetrics };
}

describe("the metrics", () => {
  it("count requests by the template of their route, by method and by status", async () => {
    const { server, readMetrics } = await open({ RATE_LIMIT_PER_MINUTE: "3" });
    const profile = `/api/v1/validators/${toPubkey(1)}`;
    for (const path of [
      profile,
      profile,
      "/api/v1/validators/s3cret",
      "/s3cret/path?q=s3cret",
      profile,
    ])
      await fetch(server.url + path);
    await fetch(`${server.url}/healthz`, { method: "HEAD" });
    const route = 'route="/api/v1/validators/{votePubkey}"';
    await expect.poll(readMetrics).toContain('route="/healthz",method="HEAD",status="200"} 1');
    const text = await readMetrics();
    for (const line of [
      `http_requests_total{${route},method="GET",status="200"} 2`,
      `http_requests_total{${route},method="GET",status="400"} 1`,
      `http_requests_total{${route},method="GET",status="429"} 1`,
      'http_requests_total{route="unknown",method="GET",status="404"} 1',
      `http_request_duration_seconds_bucket{le="+Inf",${route}} 4`,
      `http_request_duration_seconds_count{${route}} 4`,
    ])
      expect(text).toContain(`rugwatch_${line}\n`);
    for (const foreign of ["s3cret", toPubkey(1), "127.0.0.1"]) expect(text).not.toContain(foreign);
  });

  it("count refusals by status, each from 0, and apart from the requests", async () => {
    const { server, readMetrics } = await open();
    expect(await readMetrics()).toContain('rugwatch_http_refusals_total{status="431"} 0\n');
    const lines = ["s3cret", "GET /s3cret HTTP/1.2\r\nHost: s3cret"];
    for (const line of lines) await exchange(server.url, `${line}\r\n\r\n`);
    const text = await readMetrics();
    expect(text).toContain('rugwatch_http_refusals_total{status="400"} 2\n');
    expect(text).not.toMatch(/rugwatch_http_requests_total\{|s3cret/);
  });

  it("count connections that are not taken, from 0", async () => {
    const { readMetrics } = await open();
    expect(await readMetrics()).toContain("rugwatch_http_connections_dropped_total 0\n");
  });

  it("tell how old the snapshot is that is held, and what the store does", async () => {
    const { server, world, readMetrics } = await open();
    await fetch(`${server.url}/api/v1/validators`);
    const before = await readMetrics();
    const [, age] = /rugwatch_snapshot_age_seconds\{network="mainnet"\} (\d+)/.exec(before)!;
    const [bytes] = /rugwatch_store_read_bytes_total [1-9]\d*\n/.exec(before)!;
    expect(before).toContain('rugwatch_store_reads_total{result="found"} 1\n');
    expect(world.log).toContainEqual(
      expect.objectContaining({ level: "info", message: "snapshot loaded" }),
    );
    world.now += 15_001;
    await fetch(`${server.url}/api/v1/validators`);
    await expect.poll(readMetrics).toContain('rugwatch_store_reads_total{result="unchanged"} 1\n');
    expect(await readMetrics()).toContain(bytes);
    world.storeDown = true;
    world.now += 3_600_000;
    await fetch(`${server.url}/api/v1/validators`);
    const after = await readMetrics();
    expect(after).toContain(
      `rugwatch_snapshot_age_seconds{network="mainnet"} ${Number(age) + 3_615}.`,
    );
    expect(after).toContain("rugwatch_store_answer_age_seconds 3600\n");
    expect(after).toContain('rugwatch_store_reads_total{result="failed"} 1\n');
  });

  it("tell how readings of the cluster end", async () => {
    const gone = await startServer((_, response) => void response.writeHead(410).end());
    onTestFinished(() => gone.close());
    const { server, readMetrics } = await open({ MAINNET_RPC_URLS: gone.url });
    await fetch(`${server.url}/api/v1/epoch`);
    await expect
      .poll(readMetrics)
      .toContain('rugwatch_epoch_readings_total{network="mainnet",result="failed"} 1\n');
  });

  it("tell whether the limit is shared, where it should be", async () => {
    const metrics = createMetrics(() => 0);
    let isShared = true;
    const consume = () => Promise.reject(new Error("nobody asks"));
    metrics.observeLimiter({ points: 60, consume });
    expect(await metrics.registry.metrics()).not.toContain("rugwatch_limiter_shared");
    metrics.observeLimiter({ points: 60, consume, isShared: () => isShared });
    expect(await metrics.registry.metrics()).toContain("rugwatch_limiter_shared 1\n");
    isShared = false;
    expect(await metrics.registry.metrics()).toContain("rugwatch_limiter_shared 0\n");
  });

  it("tell how full each place is where something is remembered, and how full it may be", async () => {
    const { server, readMetrics } = await open();
    const read = async (name: string, place: string) =>
      Number(
        new RegExp(`^rugwatch_${name}\\{place="${place}"\\} (\\d+)$`, "m").exec(
          await readMetrics(),
        )?.[1],
      );
    for (const place of ["documents", "answers"])
      expect(await read("held_bytes", place), place).toBe(0);
    expect(await read("held_max_bytes", "answers")).toBe(3 * ANSWERS_MAX_BYTES);
    expect(await read("held_max_bytes", "documents")).toBe(DOCUMENTS_MAX_BYTES);
    const sizeOf = async (path: string) =>
      (await (await fetch(server.url + path)).arrayBuffer()).byteLength;
    const page = await sizeOf("/api/v1/validators");
    const profile = await sizeOf(`/api/v1/validators/${toPubkey(1)}`);
    await sizeOf(`/api/v1/validators/${toPubkey(2)}/location`);
    expect(await read("held_bytes", "answers")).toBe(ENTRY_BYTES + page);
    expect(await read("held_bytes", "documents")).toBe(2 * ENTRY_BYTES + profile);
  });

  it("have a port of their own, only where asked for, and are on no other", async () => {
    expect((await start()).server.metricsUrl).toBeNull();
    const { server } = await open();
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    const origin = new URL(server.metricsUrl!).origin;
    for (const path of ["/", "/metrics/", "/api/v1/validators"])
      expect((await fetch(origin + path)).status).toBe(404);
    const posted = await fetch(server.metricsUrl!, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const metrics = await fetch(server.metricsUrl!);
    expect(metrics.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  });

  it("say which variable to change when they cannot listen", async () => {
    const { server } = await open();
    const taken = new URL(server.metricsUrl!).port;
    await expect(open({ METRICS_PORT: taken })).rejects.toThrow(
      "is taken: set METRICS_PORT to another one.",
    );
  });
});

it.each([
  ["EADDRINUSE", "Port 80 of h is taken: set METRICS_PORT to another one."],
  ["EACCES", "Port 80 of h is not for this user: set METRICS_PORT to one above 1023."],
  [
    "EADDRNOTAVAIL",
    "h is no address of this machine: set METRICS_HOST to one, or to 0.0.0.0 for all.",
  ],
  ["ENOTFOUND", "h is no address of this machine: set METRICS_HOST to one, or to 0.0.0.0 for all."],
  ["EMFILE", "listen failed"],
])("a server that cannot listen says of %s what to set", (code, message) => {
  const error = Object.assign(new Error("listen failed"), { code });
  expect(toListenError(error, { port: 80, host: "h" }, "METRICS_").message).toBe(message);
});
