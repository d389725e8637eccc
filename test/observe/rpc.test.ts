import { gzipSync } from "node:zlib";
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { Agent, type Dispatcher } from "undici";
import { z } from "zod";
import { createRpc } from "../../generator/observe/rpc.ts";
import { RpcError } from "../../generator/observe/rpc-error.ts";
import { createClock } from "./fixtures.ts";
import { startServer, type Asked, type TestServer } from "./rpc-server.ts";

const servers: TestServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const ok = (response: ServerResponse, result: unknown = 7) =>
  response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));

/** A server that answers its first requests by the list, and all later ones as the last. */
async function start(...answers: ((response: ServerResponse, asked: Asked) => void)[]) {
  let count = 0;
  const server = await startServer((asked, response) => {
    answers[Math.min(count++, answers.length - 1)]?.(response, asked);
  });
  servers.push(server);
  return server;
}

function open(url: string, { dispatcher }: { dispatcher?: Dispatcher } = {}) {
  const clock = createClock();
  const rpc = createRpc({ endpoints: [url], dispatcher, now: clock.now, sleep: clock.sleep, random: () => 0 });
  const call = (method = "getSlot", params: unknown[] = [], milliseconds = 40_000) =>
    rpc.endpoints[0]!.until(clock.now() + milliseconds).call({ method, params, schema: z.number() });
  return { clock, rpc, call };
}

async function failure(call: Promise<unknown>): Promise<RpcError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  throw new Error("the call did not fail");
}

describe("a call", () => {
  it("sends method and parameters and parses the result", async () => {
    const server = await start((response) => ok(response));
    const { call, rpc } = open(server.url);
    await expect(call("getBalance", ["key", { commitment: "finalized" }])).resolves.toBe(7);
    expect(server.asked[0]?.body).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "getBalance",
      params: ["key", { commitment: "finalized" }],
    });
    await rpc.close();
  });

  it("takes a packed answer", async () => {
    const server = await start((response) => {
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync('{"jsonrpc":"2.0","id":1,"result":8}'));
    });
    const { call, rpc } = open(server.url);
    await expect(call()).resolves.toBe(8);
    expect(server.asked[0]?.headers["accept-encoding"]).toBe("gzip");
    await rpc.close();
  });

  it("sends user and password of the address as a header, and not in the path", async () => {
    const server = await start((response) => ok(response));
    const { call, rpc } = open(server.url.replace("http://", "http://user:pass%20word@"));
    await call();
    expect(server.asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from("user:pass word").toString("base64")}`);
    await rpc.close();
  });

  const passing: [string, (response: ServerResponse) => unknown][] = [
    ["a 503", (response) => response.writeHead(503).end("busy")],
    ["a page of HTML with status 200", (response) => response.end("<html>maintenance</html>")],
    [
      "a cut body",
      (response) => response.writeHead(200, { "content-length": 100 }).write('{"jsonrpc"', () => response.destroy()),
    ],
    [
      "half a packed body",
      (response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(99)).subarray(0, 20)),
    ],
    ["an empty body", (response) => response.end()],
    [
      "error 429 inside a 200",
      (response) => response.end('{"jsonrpc":"2.0","error":{"code":429,"message":"slow down"},"id":1}'),
    ],
  ];
  it.each(passing)("is tried again after %s", async (_, bad) => {
    const server = await start(bad, (response) => ok(response));
    const { call, rpc, clock } = open(server.url);
    await expect(call()).resolves.toBe(7);
    expect(clock.slept).toEqual([250]);
    await rpc.close();
  });

  it("waits as long as Retry-After asks, in seconds or as a date, but not over 30 s", async () => {
    const asking = (value: string) => (response: ServerResponse) =>
      response.writeHead(429, { "retry-after": value, date: "Fri, 20 Nov 2026 12:00:00 GMT" }).end("<b>no</b>");
    const server = await start(
      asking("3"),
      asking("Fri, 20 Nov 2026 12:00:05 GMT"),
      asking("86400"),
      asking("soon"),
      (response) => ok(response),
    );
    const { call, rpc, clock } = open(server.url);
    await expect(call("getSlot", [], 90_000)).resolves.toBe(7);
    expect(clock.slept).toEqual([3_000, 5_000, 30_000, 2_000]);
    await rpc.close();
  });

  it("doubles its waits and gives up with the last failure", async () => {
    const server = await start((response) => response.writeHead(502).end());
    const { call, rpc, clock } = open(server.url);
    const error = await failure(call());
    expect(error).toMatchObject({ kind: "http", code: 502 });
    expect(clock.slept).toEqual([250, 500, 1000, 2000, 4000]);
    await rpc.close();
  });

  it("gives up before its deadline rather than sleep beyond it", async () => {
    const server = await start((response) => response.writeHead(429, { "retry-after": "20" }).end());
    const { call, rpc, clock } = open(server.url);
    const error = await failure(call("getSlot", [], 10_000));
    expect(error).toMatchObject({ kind: "http", code: 429, retryAfterMilliseconds: 20_000 });
    expect(clock.slept).toEqual([]);
    await rpc.close();
  });

  it("ends with its deadline when no answer comes", async () => {
    const server = await start(() => undefined);
    const { call, rpc } = open(server.url);
    await expect(failure(call("getSlot", [], 50))).resolves.toMatchObject({ kind: "timeout" });
    await rpc.close();
  });

  it("is not tried again when the status says it never will do", async () => {
    const server = await start((response) => response.writeHead(403).end());
    const { call, rpc } = open(server.url);
    await expect(failure(call())).resolves.toMatchObject({ kind: "http", code: 403 });
    expect(server.asked).toHaveLength(1);
    await rpc.close();
  });

  it("says which shape did not fit", async () => {
    const server = await start((response) => ok(response, "seven"));
    const { call, rpc } = open(server.url);
    const error = await failure(call());
    expect(error.kind).toBe("shape");
    expect(error.message).toMatch(/#0 getSlot: unexpected shape of the result: .*expected number/);
    await rpc.close();
  });

  it("knows a node that is behind", async () => {
    const server = await start((response) =>
      response.end(
        '{"jsonrpc":"2.0","error":{"code":-32005,"message":"Node is behind by 200 slots","data":{"numSlotsBehind":200}},"id":1}',
      ),
    );
    const { call, rpc } = open(server.url);
    await expect(failure(call())).resolves.toMatchObject({ kind: "behind", code: -32_005 });
    await rpc.close();
  });

  it("stops when it is told to, with the reason given", async () => {
    const stop = new AbortController();
    const server = await start(() => stop.abort(new Error("stopped")));
    const clock = createClock();
    const rpc = createRpc({ endpoints: [server.url], now: clock.now, sleep: clock.sleep, signal: stop.signal });
    const reader = rpc.endpoints[0]!.until(clock.now() + 40_000);
    await expect(reader.call({ method: "getSlot", schema: z.number() })).rejects.toThrow("stopped");
    expect(server.asked).toHaveLength(1);
    await rpc.close();
  });
});

describe("what an endpoint refuses", () => {
  const refusals: [string, (response: ServerResponse) => unknown][] = [
    [
      "-32010",
      (response) => response.end('{"error":{"code":-32010,"message":"excluded from account secondary indexes"}}'),
    ],
    ["-32601", (response) => response.end('{"error":{"code":-32601,"message":"Method not found"}}')],
    ["410 inside a 200", (response) => response.end('{"error":{"code":410,"message":"disabled"}}')],
    ["HTTP status 410", (response) => response.writeHead(410).end()],
  ];
  it.each(refusals)("by %s is not asked again for a day", async (_, refuse) => {
    const server = await start(refuse, (response) => ok(response));
    const { call, rpc, clock } = open(server.url);
    expect((await failure(call("getProgramAccounts", ["Stake"]))).kind).toBe("refused");
    clock.advance(23 * 3_600_000);
    expect((await failure(call("getProgramAccounts", ["Stake"]))).message).toContain("refused earlier");
    expect(server.asked).toHaveLength(1);
    clock.advance(2 * 3_600_000);
    await expect(call("getProgramAccounts", ["Stake"])).resolves.toBe(7);
    await rpc.close();
  });

  it("of one program does not concern another", async () => {
    const server = await start(
      (response) => response.end('{"error":{"code":-32010,"message":"no"}}'),
      (response) => ok(response),
    );
    const { call, rpc } = open(server.url);
    await failure(call("getProgramAccounts", ["Stake"]));
    await expect(call("getProgramAccounts", ["Config"])).resolves.toBe(7);
    await rpc.close();
  });
});

describe("the budget", () => {
  /** Finds every host on the loopback, so that a server here can be a public one. */
  const createLoopbackAgent = () =>
    new Agent({ connect: { lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]) } });

  it("lets 40 calls of a method through in 10 seconds and makes the next one wait", async () => {
    const server = await start((response) => ok(response));
    const dispatcher = createLoopbackAgent();
    const { call, clock } = open(server.url.replace("127.0.0.1", "rpc.example"), { dispatcher });
    await Promise.all(Array.from({ length: 40 }, () => call("getAccountInfo")));
    await call("getSlot");
    expect(clock.slept).toEqual([]);
    await call("getAccountInfo");
    expect(clock.slept).toEqual([10_000]);
    await dispatcher.close();
  });

  it("does not hold for a server on this machine", async () => {
    const server = await start((response) => ok(response));
    const { call, rpc, clock } = open(server.url);
    await Promise.all(Array.from({ length: 100 }, () => call("getAccountInfo")));
    expect(clock.slept).toEqual([]);
    await rpc.close();
  });
});

describe("secrets of an address", () => {
  it("are in no message, also when the server repeats them", async () => {
    const server = await start((response, { path }) => {
      response.end(
        JSON.stringify({ error: { code: -32000, message: `bad key in ${path}: hidden-path-key, k=hiddenquerykey` } }),
      );
    });
    const address = `${server.url.replace("//", "//someuser:somepassword@")}/v2/hidden-path-key?api-key=hiddenquerykey`;
    const { call, rpc } = open(address);
    const error = await failure(call());
    expect(error.message).toContain(`${server.url}#0 getSlot: error -32000: bad key in`);
    expect(`${JSON.stringify(error)} ${error.message} ${error.stack ?? ""}`).not.toMatch(/hidden|someuser|somepass/);
    expect(server.asked[0]?.path).toBe("/v2/hidden-path-key?api-key=hiddenquerykey");
    await rpc.close();
  });

  it("are not told when nobody listens there", async () => {
    const server = await start((response) => ok(response));
    await server.close();
    const { call, rpc } = open(`${server.url}/hidden-path-key`);
    const error = await failure(call());
    expect(error.kind).toBe("network");
    expect(error.message).toBe(`${server.url}#0 getSlot: ECONNREFUSED`);
    await rpc.close();
  });

  it("are not told of an address that is none", () => {
    expect(() => createRpc({ endpoints: ["ftp://host/hidden"], now: () => 0 })).toThrow(
      new Error("RPC endpoint 0 is not an http or https URL"),
    );
  });
});
