import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { Agent } from "undici";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createRpc } from "../../generator/rpc/rpc.ts";
import type { RpcError } from "../../generator/rpc/error.ts";
import { createClock } from "../observe/fixtures.ts";
import { failure, ok, open, start, toError } from "../observe/calling.ts";

describe("a call", () => {
  it("sends method and parameters and parses the result", async () => {
    const server = await start((response) => ok(response));
    const { call } = open(server.url);
    await expect(call("getBalance", ["key", { commitment: "finalized" }])).resolves.toBe(7);
    const params = ["key", { commitment: "finalized" }];
    expect(server.asked[0]?.body).toEqual({ jsonrpc: "2.0", id: 1, method: "getBalance", params });
    // Agave answers a request of no type with 415.
    expect(server.asked[0]).toMatchObject({
      method: "POST",
      headers: { "content-type": "application/json" },
    });
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ["a 408", (response) => response.writeHead(408).end()],
    ["a 425", (response) => response.writeHead(425).end()],
    ["a 500", (response) => response.writeHead(500).end("oops")],
    ["a 503", (response) => response.writeHead(503).end("busy")],
    ["a node's own trouble", (response) => response.end(toError(-32_603))],
    ["a page of HTML with status 200", (response) => response.end("<html>maintenance</html>")],
    [
      "a cut body",
      (r) => r.writeHead(200, { "content-length": 100 }).write('{"jsonrpc"', () => r.destroy()),
    ],
  ])("is tried again after %s", async (_, bad) => {
    const server = await start(bad, (response) => ok(response));
    const { call, clock } = open(server.url);
    await expect(call()).resolves.toBe(7);
    expect(clock.slept).toEqual([250]);
  });

  it("doubles its waits and gives up with the last failure", async () => {
    const server = await start((response) => response.writeHead(502).end());
    const { call, clock } = open(server.url);
    const error = await failure(call());
    expect(error).toMatchObject({ kind: "http", code: 502 });
    expect(clock.slept).toEqual([250, 500, 1000, 2000, 4000]);
  });

  it("is tried three times where another endpoint can be asked", async () => {
    const server = await start((response) => response.writeHead(502).end());
    const clock = createClock();
    const rpc = createRpc({ ...clock, endpoints: [server.url, server.url], random: () => 1 });
    await failure(
      rpc.endpoints[0]!.until(clock.now() + 40_000).call({ method: "getSlot", schema: z.number() }),
    );
    expect(clock.slept).toEqual([500, 1_000]);
    await rpc.close();
  });

  it("has only its part of the time", async () => {
    const server = await start((response) =>
      response.writeHead(429, { "retry-after": "20" }).end(),
    );
    const { rpc, clock } = open(server.url);
    const reader = rpc.endpoints[0]!.until(clock.now() + 40_000).within(1 / 2);
    expect((await failure(reader.call({ method: "getSlot", schema: z.number() }))).kind).toBe(
      "limited",
    );
    expect(clock.slept).toEqual([]);
  });

  it.each<[string, (response: ServerResponse) => unknown, Partial<RpcError>]>([
    [
      "a status that does not pass",
      (response) => response.writeHead(404).end(),
      { kind: "http", code: 404 },
    ],
    [
      "our own mistake",
      (response) => response.end(toError(-32_602)),
      { kind: "rpc", code: -32_602 },
    ],
    [
      "a node behind",
      (response) => response.end(toError(-32_005)),
      { kind: "behind", code: -32_005 },
    ],
    ["another shape", (response) => ok(response, "seven"), { kind: "shape" }],
    [
      "too long an answer",
      (response) => response.end(" ".repeat(65_000_000)),
      { kind: "oversized" },
    ],
  ])("is not tried again after %s", async (_, answer, expected) => {
    const server = await start(answer);
    const { call } = open(server.url);
    await expect(failure(call())).resolves.toMatchObject(expected);
    expect(server.asked).toHaveLength(1);
  });

  it.each(["is under way", "waits to try again"])(
    "stops while it %s, with the reason given",
    async (when) => {
      const stop = new AbortController();
      const end = () => stop.abort(new Error("stopped"));
      const server = await start((response) =>
        when === "is under way" ? end() : response.writeHead(503).end(),
      );
      const sleep = (milliseconds: number) => (
        end(),
        wait(milliseconds, undefined, { signal: stop.signal })
      );
      const rpc = createRpc({ endpoints: [server.url], now: () => 0, sleep, signal: stop.signal });
      const reader = rpc.endpoints[0]!.until(40_000);
      await expect(reader.call({ method: "getSlot", schema: z.number() })).rejects.toThrow(
        "stopped",
      );
      expect(server.asked).toHaveLength(1);
      await rpc.close();
    },
  );
});

describe("the budget", () => {
  /** Resolves every host to the loopback, so that a test server can be a public one. */
  const createLoopbackAgent = () =>
    new Agent({
      connect: {
        lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
      },
    });

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
    const { call, clock } = open(server.url);
    await Promise.all(Array.from({ length: 100 }, () => call("getAccountInfo")));
    expect(clock.slept).toEqual([]);
  });
});

describe("secrets of an address", () => {
  it("are sent as header and path, and are in no message, also when the server repeats them", async () => {
    const server = await start((response, { path }) => {
      response.end(toError(-32_000, `bad key in ${path}: hidden-path-key, k=hiddenquerykey`));
    });
    const address = `${server.url.replace("//", "//someuser:some%20password@")}/v2/hidden-path-key?api-key=hiddenquerykey`;
    const { call } = open(address);
    const error = await failure(call());
    expect(error.message).toContain(`${server.url}#0 getSlot: error -32000: bad key in`);
    expect(`${JSON.stringify(error)} ${error.message} ${error.stack ?? ""}`).not.toMatch(
      /hidden|someuser|some.{1,3}password/,
    );
    const authorization = `Basic ${Buffer.from("someuser:some password").toString("base64")}`;
    expect(server.asked).toMatchObject([
      { path: "/v2/hidden-path-key?api-key=hiddenquerykey", headers: { authorization } },
    ]);
  });

  it("are not shown when nobody listens there", async () => {
    const server = await start((response) => ok(response));
    await server.close();
    const { call } = open(`${server.url}/hidden-path-key`);
    const error = await failure(call());
    expect(error.kind).toBe("network");
    expect(error.message).toBe(`${server.url}#0 getSlot: ECONNREFUSED`);
  });
});
