import { gzipSync } from "node:zlib";
import type { ServerResponse } from "node:http";
import type { Dispatcher } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDispatcher, openBody, readText } from "../../generator/observe/http.ts";
import { startServer, type TestServer } from "./rpc-server.ts";

let dispatcher: Dispatcher;
let server: TestServer | undefined;
const ports = new Set<number | undefined>();

beforeEach(() => {
  dispatcher = createDispatcher();
  ports.clear();
});

afterEach(async () => {
  await dispatcher.close();
  await server?.close();
});

async function start(answer: (response: ServerResponse) => unknown): Promise<URL> {
  server = await startServer((_, response) => {
    ports.add(response.socket?.remotePort);
    answer(response);
  });
  return new URL(server.url);
}

const open = (target: URL, maxBytes = 1_000) =>
  openBody({
    target,
    method: "GET",
    headers: {},
    body: null,
    dispatcher,
    now: () => 0,
    deadline: 10_000,
    stop: undefined,
    maxBytes,
  });

const packed = (response: ServerResponse, text: string) =>
  response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text));

describe("a body", () => {
  it.each([
    ["plain", (response: ServerResponse) => response.end("x".repeat(1_000_001))],
    ["packed, a thousandth of its length", (response: ServerResponse) => packed(response, "x".repeat(1_000_001))],
  ])("that is too long is refused: %s", async (_, answer) => {
    const body = await open(await start(answer), 1_000_000);
    await expect(readText(body)).rejects.toMatchObject({
      kind: "body",
      message: "the answer is longer than 1000000 bytes",
    });
  });

  it.each([
    ["plain", (response: ServerResponse) => response.end("whole")],
    ["packed", (response: ServerResponse) => packed(response, "whole")],
  ])("read to its end leaves the connection to the next request: %s", async (_, answer) => {
    const target = await start(answer);
    for (let request = 0; request < 20; request++) await expect(readText(await open(target))).resolves.toBe("whole");
    // A second one may be opened by a request that comes in the same instant as the end of the body before.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it("may be left before its end", async () => {
    const target = await start((response) => response.end("x".repeat(500_000)));
    for await (const chunk of await open(target, 1_000_000)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await expect(readText(await open(target, 1_000_000))).resolves.toHaveLength(500_000);
  });

  it("of a redirect is not looked for elsewhere", async () => {
    const target = await start((response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end());
    await expect(open(target)).rejects.toMatchObject({ kind: "http", code: 302 });
  });

  it("is not asked for when no time is left", async () => {
    const target = await start((response) => response.end());
    const asked = openBody({
      target,
      method: "GET",
      headers: {},
      body: null,
      dispatcher,
      now: () => 5,
      deadline: 5,
      stop: undefined,
      maxBytes: 1,
    });
    await expect(asked).rejects.toMatchObject({ kind: "timeout" });
    expect(server?.asked).toEqual([]);
  });
});
