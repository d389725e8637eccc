import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Agent } from "undici";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  createDispatcher,
  openAnswer,
  openBody,
  readErrorText,
  readText,
} from "../../generator/rpc/http.ts";
import { startServer, type TestServer } from "./rpc-server.ts";

let dispatcher: Agent;
let server: TestServer;
let stop: AbortController;

beforeEach(() => {
  dispatcher = createDispatcher();
  stop = new AbortController();
});

afterEach(async () => {
  await dispatcher.destroy();
  await server.close();
});

async function start(answer: (response: ServerResponse) => unknown): Promise<URL> {
  server = await startServer((_, response) => void answer(response));
  return new URL(server.url);
}

const request = (target: URL, { maxBytes = 1_000, milliseconds = 60_000 } = {}) => ({
  ...{ target, method: "GET" as const, headers: {}, body: null, maxBytes },
  ...{ dispatcher, now: () => 0, deadline: milliseconds, stop: stop.signal },
});

const open = (target: URL, limits?: { maxBytes?: number; milliseconds?: number }) =>
  openBody(request(target, limits));
const read = async (target: URL, limits?: { maxBytes?: number; milliseconds?: number }) =>
  readText(await open(target, limits));

const packed = (response: ServerResponse, body: string | Buffer, encoding = "gzip") =>
  response
    .writeHead(200, { "content-encoding": encoding })
    .end(typeof body === "string" ? gzipSync(body) : body);

const PATIENCE = { timeout: 60_000 };

/**
 * Fails when a finished request still holds a connection, a
 * timer or the stop. Connections may stay open for the next one.
 */
async function expectNothingOpen(): Promise<void> {
  const findRunning = () => Object.values(dispatcher.stats).filter(({ running }) => running > 0);
  await vi.waitFor(() => expect(findRunning()).toEqual([]), PATIENCE);
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
}

describe("a body", () => {
  it.each([
    ["plain", (response: ServerResponse) => response.end("x".repeat(1_000_001))],
    [
      "packed, a thousandth of its length",
      (response: ServerResponse) => packed(response, "x".repeat(1_000_001)),
    ],
    [
      "packed, and without end",
      (response: ServerResponse) => packed(response, "x".repeat(20_000_000)),
    ],
  ])("that is too long is refused: %s", async (_, answer) => {
    const target = await start(answer);
    const message = "the answer is longer than 1000000 bytes";
    await expect(read(target, { maxBytes: 1_000_000 })).rejects.toMatchObject({
      kind: "oversized",
      message,
    });
    await expectNothingOpen();
  });

  it("may be exactly as long as is allowed", async () => {
    await expect(
      read(await start((response) => response.end("x".repeat(1_000)))),
    ).resolves.toHaveLength(1_000);
  });

  it.each<[string, (response: ServerResponse) => unknown, object | null]>([
    ["plain", (response) => response.end("whole"), null],
    ["packed", (response) => packed(response, "whole"), null],
    [
      "of an error",
      (response) => response.writeHead(500).end("<html>sorry</html>"),
      { kind: "http", code: 500 },
    ],
  ])("read to its end leaves the connection to the next request: %s", async (_, answer, failed) => {
    const target = await start(answer);
    for (let count = 0; count < 20; count++) {
      if (failed === null) expect(await read(target)).toBe("whole");
      else await expect(read(target)).rejects.toMatchObject(failed);
      // A connection is free only after its last bytes were handled.
      await new Promise(setImmediate);
    }
    expect(server.asked).toHaveLength(20);
    expect(server.connections.opened).toBe(1);
    expect(getEventListeners(stop.signal, "abort")).toHaveLength(0);
  });

  it("of an error without end is not waited for", async () => {
    const target = await start((response) => {
      response.writeHead(500);
      const timer = setInterval(() => response.write("x".repeat(10_000)), 0);
      response.once("close", () => clearInterval(timer));
    });
    const opening = open(target, { maxBytes: 1e9, milliseconds: 3_600_000 });
    await expect(opening).rejects.toMatchObject({ kind: "http", code: 500 });
    await expectNothingOpen();
  });

  it("may be left before its end", async () => {
    const target = await start((response) => response.end("x".repeat(5_000_000)));
    for await (const chunk of await open(target, { maxBytes: 10_000_000 })) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await expectNothingOpen();
    await expect(read(target, { maxBytes: 10_000_000 })).resolves.toHaveLength(5_000_000);
  });

  it("is taken without its byte order mark", async () => {
    const target = await start((response) => response.end("\uFEFF7"));
    await expect(read(target)).resolves.toBe("7");
  });

  it("of a redirect is not looked for elsewhere", async () => {
    const target = await start((response) =>
      response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    );
    await expect(open(target)).rejects.toMatchObject({
      kind: "http",
      code: 302,
      message: "HTTP status 302",
    });
  });

  it("is not asked for when no time is left", async () => {
    const target = await start((response) => response.end());
    const late = openBody({ ...request(target), now: () => 5, deadline: 5 });
    await expect(late).rejects.toMatchObject({ kind: "timeout", message: "no time left to ask" });
    expect(server.asked).toEqual([]);
  });
});

describe("a packed body", () => {
  it.each(["gzip", "GZIP", "x-gzip", " gzip ", "identity", "Identity", ""])(
    "is read where it says %j",
    async (encoding) => {
      const body = /gzip/i.test(encoding) ? gzipSync("whole") : Buffer.from("whole");
      expect(await read(await start((response) => packed(response, body, encoding)))).toBe("whole");
    },
  );

  it.each([
    ["br", "as br", brotliCompressSync("whole")],
    ["ZSTD", "as zstd", Buffer.from("whole")],
    ["gzip, gzip", "in an unknown way", gzipSync(gzipSync("whole"))],
    ["some-key", "in an unknown way", Buffer.from("whole")],
  ])("of another kind than was asked for is refused: %s", async (encoding, way, body) => {
    const target = await start((r) =>
      packed(r, Buffer.concat([body, Buffer.alloc(5_000_000)]), encoding),
    );
    const message = `the answer is compressed ${way}, which was not asked for`;
    await expect(read(target)).rejects.toMatchObject({ kind: "body", message });
    await expectNothingOpen();
  });

  it.each([
    ["is cut", gzipSync("whole").subarray(0, 12)],
    ["is plain", Buffer.from("whole")],
    ["has a broken check", Buffer.concat([gzipSync("whole").subarray(0, -8), Buffer.alloc(8)])],
    ["is empty", Buffer.alloc(0)],
  ])("that %s is refused", async (_, body) => {
    const target = await start((response) => packed(response, body));
    const message = expect.stringContaining("the compressed answer is cut or damaged") as string;
    await expect(read(target)).rejects.toMatchObject({ kind: "body", message });
    await expectNothingOpen();
  });
});

describe("a body that breaks off", () => {
  it.each([
    ["before the length it announced", { "content-length": 100 }],
    ["between two chunks", {}],
  ])("%s is refused", async (_, headers) => {
    const target = await start((response) =>
      response.writeHead(200, headers).write("half", () => response.destroy()),
    );
    const message = expect.stringMatching(/^the answer broke off \(\w+\)$/) as string;
    await expect(read(target)).rejects.toMatchObject({ kind: "body", message });
    await expectNothingOpen();
  });

  it("before it began is a failure of the connection", async () => {
    const target = await start((response) => response.destroy());
    await expect(open(target)).rejects.toMatchObject({ kind: "network" });
    await expectNothingOpen();
  });
});

describe("the deadline", () => {
  const trickle = (response: ServerResponse, piece: Buffer) => {
    const timer = setInterval(() => response.write(piece), 1);
    response.once("close", () => clearInterval(timer));
  };
  const silences: [string, (response: ServerResponse) => unknown][] = [
    ["an answer that never begins", () => undefined],
    ["headers without a body", (response) => response.flushHeaders()],
    ["a body that stalls", (response) => response.write("half")],
    ["a body that trickles for ever", (response) => trickle(response, Buffer.from(" "))],
    [
      "a packed body that trickles for ever",
      (response) => {
        response
          .writeHead(200, { "content-encoding": "gzip" })
          .write(gzipSync("x").subarray(0, 10));
        // Empty blocks of deflate: endless bytes that unpack to nothing.
        trickle(response, Buffer.from([0, 0, 0, 0xff, 0xff]));
      },
    ],
  ];
  const AN_HOUR = 3_600_000;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    return () => void vi.useRealTimers();
  });

  it.each(silences)("cuts %s", async (_, answer) => {
    const target = await start(answer);
    const reading = read(target, { milliseconds: AN_HOUR });
    await Promise.all([
      expect(reading).rejects.toMatchObject({ kind: "timeout" }),
      whenAsked(() => vi.advanceTimersByTime(AN_HOUR)),
    ]);
    await expectNothingOpen();
    await vi.waitFor(() => expect(server.connections.open.size).toBe(0), PATIENCE);
  });

  it("cuts an error page that trickles for ever", async () => {
    const target = await start((response) => trickle(response.writeHead(500), Buffer.from(" ")));
    const page = readErrorText(await openAnswer(request(target, { milliseconds: AN_HOUR })));
    vi.advanceTimersByTime(AN_HOUR);
    await expect(page).resolves.toBe("");
    await expectNothingOpen();
  });

  it("also frees the connection of a body that nobody reads", async () => {
    const target = await start((response) => response.end("x".repeat(5_000_000)));
    await openAnswer(request(target, { milliseconds: AN_HOUR, maxBytes: 1e9 }));
    vi.advanceTimersByTime(AN_HOUR);
    await expectNothingOpen();
  });

  it.each(silences)("is not waited for when all is stopped: %s", async (_, answer) => {
    const target = await start(answer);
    const reading = read(target, { milliseconds: AN_HOUR });
    await Promise.all([
      expect(reading).rejects.toThrow("stopped"),
      whenAsked(() => stop.abort(new Error("stopped"))),
    ]);
    await expectNothingOpen();
  });

  const whenAsked = (act: () => unknown) =>
    vi.waitFor(() => expect(server.asked).toHaveLength(1), PATIENCE).then(act);

  it("does not matter after a stop", async () => {
    stop.abort(new Error("stopped"));
    const target = await start((response) => response.end());
    await expect(read(target)).rejects.toThrow("stopped");
    expect(server.asked).toEqual([]);
  });
});

it("many requests at once share 40 connections", async () => {
  const waiting: ServerResponse[] = [];
  const target = await start((response) => waiting.push(response));
  const bodies = Array.from({ length: 60 }, () => read(target));
  await vi.waitFor(() => expect(waiting).toHaveLength(40), PATIENCE);
  expect(server.connections.opened).toBe(40);
  const answerAll = () => waiting.splice(0).forEach((response) => response.end("whole"));
  answerAll();
  await vi.waitFor(() => expect(waiting).toHaveLength(20), PATIENCE);
  answerAll();
  await expect(Promise.all(bodies)).resolves.toHaveLength(60);
  expect(server.connections.opened).toBe(40);
});
