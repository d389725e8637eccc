import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { epochDocumentSchema } from "../../generator/contract/epoch.ts";
import { openStore } from "../../generator/store/open.ts";
import { toLogLine, type LogEntry } from "../../proxy/log.ts";
import { assertPortFree } from "../../generator/monitoring/listen.ts";
import { CLOSE_MILLISECONDS, shutDown, startServer } from "../../proxy/server.ts";
import { readSettings } from "../../proxy/settings.ts";
import { startServer as startHttp } from "../rpc/rpc-server.ts";
import { startMisbehavingS3 } from "../store/s3/misbehaving.ts";
import { readError, start } from "./_setup.ts";
import { MAINNET } from "./fixtures.ts";

describe("the server", () => {
  /** A cluster that knows its epoch and nothing else. */
  async function openCluster(epoch: number): Promise<string> {
    const result = {
      epoch,
      slotIndex: 108_000,
      slotsInEpoch: 432_000,
      absoluteSlot: 123_456_789,
      blockHeight: 1,
    };
    const cluster = await startHttp((_, response) => {
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
    });
    onTestFinished(() => cluster.close());
    return cluster.url;
  }

  it("reads each network's epoch from that network's endpoints", async () => {
    const epochs = { mainnet: 1060, testnet: 1050 };
    const [mainnet, testnet] = [
      await openCluster(epochs.mainnet),
      await openCluster(epochs.testnet),
    ];
    const { server } = await start({ MAINNET_RPC_URLS: mainnet, TESTNET_RPC_URLS: testnet }, []);
    for (const [network, epoch] of Object.entries(epochs)) {
      const response = await fetch(`${server.url}/api/v1/epoch?network=${network}`);
      const { data } = epochDocumentSchema.parse(await response.json());
      expect(data).toMatchObject({ epoch, progressPercent: 25, live: true });
    }
  });

  it("asks no endpoint for the epoch of a network that nobody watches", async () => {
    const { server, world } = await start({ MAINNET_RPC_URLS: "none" }, []);
    const response = await fetch(`${server.url}/api/v1/epoch`);
    expect(await readError(response, 404, "not_found")).toBe("Nobody watches mainnet here.");
    expect(world.log.filter(({ message }) => message.includes("epoch"))).toEqual([]);
  });

  it.each([
    [
      "nothing",
      [],
      ["warn nothing published yet for any network: run npm run generate -- snapshot"],
    ],
    ["a snapshot of mainnet", MAINNET, ["info snapshot loaded"]],
  ])(
    "reads at its start what is published, and logs in one line that it is %s",
    async (_, published, lines) => {
      const { world } = await start({}, published);
      const toLine = ({ level, message }: LogEntry) => `${level} ${message.split(",", 1)[0]}`;
      await expect.poll(() => world.log.map(toLine)).toEqual(lines);
    },
  );

  it("says so when its port is taken, also beforehand; closed, once or twice, it takes no connection", async () => {
    const { server } = await start();
    const { port } = new URL(server.url);
    const settings = readSettings({ PORT: port });
    const message = `Port ${port} of 127.0.0.1 is taken: set PORT to another one.`;
    await expect(assertPortFree(settings)).rejects.toThrow(message);
    await expect(start({ PORT: port })).rejects.toThrow(message);
    for (let time = 0; time < 2; time++) await server.close();
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    await expect(assertPortFree(settings)).resolves.toBeUndefined();
  });
});

describe("the time to stop", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  /** A server with an answer that never ends. */
  async function openEndless() {
    const server = createServer((_, response) => void response.write("and so on")).listen(
      0,
      "127.0.0.1",
    );
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    return { server, closed: once(socket, "close") };
  }

  it("of an answer that never ends is five seconds, after the drain, until which connections are taken", async () => {
    const { server, closed } = await openEndless();
    let isOver = false;
    const over = shutDown(server, 30_000).then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(server.listening).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.listening).toBe(false);
    await vi.advanceTimersByTimeAsync(CLOSE_MILLISECONDS - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all([over, closed]);
  });
});

describe("the proxy before a bucket", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it.each([
    [
      "s3://no-such-bucket/site",
      null,
      "s3://no-such-bucket/site failed: NoSuchBucket, HTTP 404, there is no such bucket",
    ],
    [
      "s3://bucket/site",
      { kind: "error", status: 403, code: "SignatureDoesNotMatch" } as const,
      "SignatureDoesNotMatch, HTTP 403",
    ],
  ])(
    "listens, answers 503 and logs what is wrong with %s, but no credentials",
    async (address, refusal, reason) => {
      const bucket = await startMisbehavingS3({ decide: () => refusal });
      onTestFinished(bucket.stop);
      vi.stubEnv("AWS_ENDPOINT_URL_S3", bucket.endpoint);
      vi.stubEnv("AWS_ACCESS_KEY_ID", "ACCESSKEY");
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-bucket");
      const settings = readSettings({ PORT: "0", RUGWATCH_PUBLIC: address });
      const log: LogEntry[] = [];
      const objects = openStore(settings.publicStore);
      const server = await startServer({
        settings,
        objects,
        now: Date.now,
        log: (entry) => void log.push(entry),
      });
      onTestFinished(() => server.close());
      expect((await fetch(`${server.url}/api/v1/validators`)).status).toBe(503);
      const lines = log.map((entry) => toLogLine(entry, 0)).join("");
      expect(lines).toContain(reason);
      for (const secret of ["secret-of-the-bucket", "ACCESSKEY", "Signature="])
        expect(lines).not.toContain(secret);
    },
  );
});
