import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { epochDocumentSchema } from "../../generator/contract/epoch.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { readSettings } from "../../proxy/settings.ts";
import type { LogEntry } from "../../proxy/operations/log.ts";
import { assertPortFree, startServer, type Server } from "../../proxy/server.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A cluster that knows its epoch and nothing else. */
async function openCluster(epoch: number): Promise<string> {
  const cluster: HttpServer = createServer((_, response) => {
    const result = { epoch, slotIndex: 108_000, slotsInEpoch: 432_000, absoluteSlot: 123_456_789, blockHeight: 1 };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  });
  await new Promise<void>((resolve) => cluster.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => cluster.close(resolve)));
  return `http://127.0.0.1:${(cluster.address() as AddressInfo).port}`;
}

async function start(environment: Record<string, string>): Promise<{ server: Server; log: LogEntry[] }> {
  const log: LogEntry[] = [];
  const server = await startServer({
    settings: readSettings({ PORT: "0", ...environment }),
    objects: openMemoryStore(),
    now: () => Date.now(),
    log: (entry) => void log.push(entry),
  });
  closers.push(() => server.close());
  return { server, log };
}

describe("the server", () => {
  it("reads each network's epoch from that network's endpoints", async () => {
    const { server } = await start({
      MAINNET_RPC_URLS: await openCluster(1060),
      TESTNET_RPC_URLS: await openCluster(1050),
    });
    for (const [network, epoch] of [
      ["mainnet", 1060],
      ["testnet", 1050],
    ]) {
      const response = await fetch(`${server.url}/api/v1/epoch?network=${network}`);
      const { data } = epochDocumentSchema.parse(await response.json());
      expect(data).toMatchObject({ epoch, progressPercent: 25, live: true });
    }
  });

  it("keeps the rate limit it was given", async () => {
    const { server } = await start({ RATE_LIMIT_PER_MINUTE: "2" });
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++) statuses.push((await fetch(`${server.url}/api/v1/events`)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it("takes no connection once it is closed, and can be closed twice", async () => {
    const { server } = await start({});
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.close();
    await server.close();
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  it("is told beforehand whether its port is taken", async () => {
    const { server } = await start({});
    const port = Number(new URL(server.url).port);
    const settings = { ...readSettings({}), port };
    await expect(assertPortFree(settings)).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is taken: set PORT to another one.`,
    );
    await server.close();
    await expect(assertPortFree(settings)).resolves.toBeUndefined();
  });

  it("says so when its port is taken", async () => {
    const { server } = await start({});
    await expect(start({ PORT: new URL(server.url).port })).rejects.toThrow("is taken: set PORT to another one");
  });

  it("says so when its address is not this machine's", async () => {
    // Of the block kept for documentation (RFC 5737): nobody has it.
    await expect(start({ HOST: "192.0.2.1" })).rejects.toThrow("192.0.2.1 is no address of this machine: set HOST to");
  });
});
