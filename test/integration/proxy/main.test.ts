import { execFile } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { variables } from "../../../proxy/settings.ts";
import { findFreePort } from "../../free-port.ts";
import { startServer } from "../../rpc/rpc-server.ts";
import { spawnProxy } from "../../proxy/spawn-proxy.ts";

/** A proxy in a process of its own; the test's end is its end at the latest. */
function startProcess(environment: Record<string, string>) {
  const proxy = spawnProxy({ RUGWATCH_PUBLIC: "memory:", ...environment });
  onTestFinished(() => void proxy.kill("SIGKILL"));
  return proxy;
}

describe("the command line of the proxy", () => {
  /** Runs it to its end. */
  function run(
    args: string[],
    env: Record<string, string> = {},
  ): Promise<{ code: number; output: string }> {
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        ["proxy/main.ts", ...args],
        { env, timeout: 100_000 },
        (error, out, err) => {
          resolve({ code: Number(error?.code ?? 0), output: out + err });
        },
      );
    });
  }

  it("tells every variable, with what it means and its default", async () => {
    const { code, output } = await run(["--help"]);
    expect(code).toBe(0);
    for (const name of Object.keys(variables.shape))
      expect(output).toMatch(new RegExp(`^  ${name} +\\S.* \\(default: .+\\)$`, "m"));
    for (const line of [
      "each client (default: 60)",
      "for several proxies: redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE] (default: unset)",
    ])
      expect(output).toContain(line);
    expect(output).toMatch(/^ {2}TRUST_PROXY .* \(default: none\)$/m);
  });

  it.each([
    [["--processes", "2"], {}, ["unknown option '--processes'"]],
    [["8080"], {}, ["too many arguments"]],
    [
      [],
      { LOG_LEVEL: "loud", LOG_REQUESTS: "yes", METRICS_PORT: "-1", DRAIN_SECONDS: "301" },
      [
        'LOG_LEVEL is "loud": it must be info, warn or error.',
        'LOG_REQUESTS is "yes": it must be 0 or 1.',
        'METRICS_PORT is "-1": it must be a whole number from 0 to 65535.',
        'DRAIN_SECONDS is "301": it must be a whole number from 0 to 300.',
      ],
    ],
  ])(
    "refuses %j and %j with 2, all that is wrong at once",
    async (args, environment, complaints) => {
      const { code, output } = await run(args, environment);
      expect(code).toBe(2);
      for (const complaint of complaints) expect(output).toContain(complaint);
    },
  );
});

describe("the log of a process", () => {
  it.each(["1", "0"])(
    "tells neither who asked, nor for what, nor any key; a line for each request: %s",
    async (logRequests) => {
      // Who hears 410 does not try again, and nobody waits.
      const gone = await startServer((_, response) => void response.writeHead(410).end());
      onTestFinished(() => gone.close());
      const proxy = startProcess({
        TRUST_PROXY: "1",
        MAINNET_RPC_URLS: `${gone.url}/k3y-of-mainnet`,
        TESTNET_RPC_URLS: gone.url.replace("//", "//k3y-user:k3y-pass@"),
        LOG_REQUESTS: logRequests,
      });
      const url = await proxy.getUrl();
      const headers = { "x-forwarded-for": "203.0.113.77" };
      for (const path of [
        "/api/v1/search?q=s3cret-q",
        "/s3cret-path",
        "/api/v1/epoch",
        "/api/v1/epoch?network=testnet",
      ])
        await (await fetch(url + path, { headers })).text();
      proxy.kill("SIGTERM");
      expect(await proxy.exited).toBe(0);
      const requests = proxy.readLog().filter(({ message }) => message === "request");
      const shown = [
        { route: "/api/v1/search", status: 200 },
        { route: "unknown", status: 404 },
        { route: "/api/v1/epoch", status: 503 },
        { route: "/api/v1/epoch", status: 503 },
      ];
      expect(requests).toMatchObject(logRequests === "0" ? [] : shown);
      for (const request of requests) {
        expect(request).toMatchObject({ level: "info", method: "GET" });
        expect(request["milliseconds"]).toBeGreaterThan(0);
        expect(request["sentBytes"]).toBeGreaterThan(200);
      }
      const log = proxy.lines.join("\n");
      expect(log).toContain('"message":"starting"');
      expect(log).toContain("cannot read the epoch of mainnet");
      expect(log).not.toMatch(/203\.0\.113|s3cret|k3y/);
    },
  );
});

/** A store over HTTP that answers when the test says so. */
async function openHeldStore() {
  const waiting: ServerResponse[] = [];
  let tell = (): void => undefined;
  const server = await startServer((_, response) => {
    waiting.push(response);
    tell();
  });
  onTestFinished(() => server.close());
  /** Resolves with the next request, which waits for its answer. */
  async function nextRequest(): Promise<ServerResponse> {
    if (waiting.length === 0) await new Promise<void>((resolve) => (tell = resolve));
    return waiting.shift()!;
  }
  return { url: `${server.url}/site`, nextRequest };
}

describe("a proxy that is told to stop", () => {
  const REQUEST = "GET /api/v1/validators HTTP/1.1\r\nHost: x\r\n\r\n";
  const HEALTH = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

  async function open(url: string): Promise<Socket> {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    await once(socket, "connect");
    return socket;
  }

  /** Sends a request and reads what is answered first. */
  async function ask(socket: Socket, request: string): Promise<string> {
    socket.write(request);
    return String((await once(socket, "data"))[0]);
  }

  /** A proxy with an answer under way, which waits for its store. */
  async function openBusy() {
    const store = await openHeldStore();
    const port = String(await findFreePort());
    const proxy = startProcess({ RUGWATCH_PUBLIC: store.url, PORT: port });
    const url = await proxy.getUrl();
    const busy = (await open(url)).on("error", () => undefined);
    busy.write(REQUEST);
    return { proxy, url, busy, asked: await store.nextRequest() };
  }

  it("lets the answer under way go out, closes what is idle, takes nothing new, and exits with 0", async () => {
    const { proxy, url, busy, asked } = await openBusy();
    const idle = await open(url);
    expect(await ask(idle, HEALTH)).toMatch(/^HTTP\/1\.1 200 [^]*connection: keep-alive/i);
    const closed = once(idle, "close");
    proxy.kill("SIGTERM");
    await closed;
    // Node closes what is idle a moment before it stops to listen.
    const connect = () =>
      open(url).then(
        (socket) => socket.on("error", () => undefined).destroyed,
        (error: unknown) => (error as NodeJS.ErrnoException).code,
      );
    await expect.poll(connect, { timeout: 60_000 }).toBe("ECONNREFUSED");
    asked.writeHead(404).end();
    const answer = await text(busy);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('{"data":[],');
    expect(await proxy.exited).toBe(0);
  });

  it("takes a second SIGTERM for the first: whoever ends a group of processes tells it, and so does npm in the group", async () => {
    const { proxy, busy, asked } = await openBusy();
    for (const message of [/^SIGTERM: closing$/, /^SIGTERM: closing already$/]) {
      proxy.kill("SIGTERM");
      await proxy.until(message);
    }
    asked.writeHead(404).end();
    expect(await text(busy)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await proxy.exited).toBe(0);
  });

  it("ends at once with Ctrl-C when it has been told already", async () => {
    const { proxy, busy } = await openBusy();
    const closed = once(busy, "close");
    proxy.kill("SIGTERM");
    await proxy.until(/^SIGTERM: closing$/);
    proxy.kill("SIGINT");
    expect(await proxy.exited).toBe(1);
    await closed;
  });

  it("says for a while that it is time to go elsewhere, if asked to, and goes on answering", async () => {
    const proxy = startProcess({ DRAIN_SECONDS: "300" });
    const url = await proxy.getUrl();
    const idle = await open(url);
    await ask(idle, HEALTH);
    proxy.kill("SIGTERM");
    await proxy.until(/^SIGTERM: closing$/);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([
      503,
      expect.stringContaining("This process is shutting down"),
    ]);
    const answered = await fetch(`${url}/api/v1/validators`);
    expect([answered.status, answered.headers.get("connection")]).toEqual([200, "close"]);
    expect(await ask(idle, HEALTH)).toMatch(/^HTTP\/1\.1 200 [^]*connection: close/i);
    proxy.kill("SIGINT");
    expect(await proxy.exited).toBe(1);
  });
});
