import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Limiter } from "../../../proxy/limits/limiter.ts";
import { CONNECTION_OPTIONS } from "../../../proxy/http/connections.ts";
import { createGate } from "../../../proxy/http/gate.ts";
import { createWorld, listen } from "../_setup.ts";
import { makeMainnet, toPubkey } from "../fixtures.ts";
import { exchange, type RawAnswer } from "../http/_raw.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(closers.splice(0).map((close) => close()));
});

const LIST = "/api/v1/validators";
const PROFILE = `${LIST}/${toPubkey(1)}`;

async function open({ perMinute = 1_000_000, isFast = true } = {}) {
  const world = await createWorld(makeMainnet(), { perMinute, trusted: { by: "nothing" } });
  const server = await listen(world, { isFast });
  closers.push(() => server.close(true));
  return { ...world, url: server.url!, server: server.node?.server as Server };
}

const toHead = (method: string, target: string, ...headers: string[]) =>
  [`${method} ${target} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n");

async function join(url: string): Promise<Socket> {
  const { hostname: host, port } = new URL(url);
  const client = connect({ host, port: Number(port) });
  await once(client, "connect");
  return client;
}

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

/** An answer without what tells the time. */
const untimed = (answer: RawAnswer): RawAnswer => ({ ...answer, headers: { ...answer.headers, date: "" } });

describe("both ways", () => {
  it.each([
    ["GET", LIST, ""],
    ["GET", PROFILE, ""],
    ["GET", LIST, "Accept-Encoding: identity"],
    ["GET", LIST, "If-None-Match: *"],
    ["GET", LIST, 'If-Match: "another"'],
    ["GET", "/api/v1/openapi.json", ""],
  ])("answer %s %s with %j alike, and say the same of the limit up to its end", async (method, path, header) => {
    const [fast, slow] = await Promise.all([askFourTimes(true), askFourTimes(false)]);
    expect(fast).toEqual(slow);
    expect(fast.map(({ headers }) => headers["x-ratelimit-remaining"])).toEqual(["2", "1", "0", "0"]);
    expect(fast.at(-1)?.status).toBe(429);

    async function askFourTimes(isFast: boolean) {
      const { url } = await open({ perMinute: 3, isFast });
      const answers: RawAnswer[] = [];
      for (let times = 0; times < 4; times += 1) {
        const lines = toHead(method, path, "Connection: close", ...(header === "" ? [] : [header]));
        answers.push(...(await exchange(url, lines)).answers.map(untimed));
      }
      return answers;
    }
  });

  const target = fc.oneof(
    fc.constantFrom(LIST, PROFILE, `${LIST}?page=2&limit=3`, `${LIST}?limit=x`, "/api/v1/epoch", "/healthz", "/"),
    fc.constantFrom(
      "/api/v1/search?q=va",
      "/api/v1/search?q=%C3%A9%zz",
      `${LIST}/`,
      `${LIST}/%2e%2e`,
      "/a'b",
      "/api//v1",
    ),
  );
  const header = fc.constantFrom(
    "Accept: */*",
    "Accept-Encoding: br;q=0, identity",
    "If-None-Match: *",
    'If-Match: "a"',
    "X-A: b ",
    "X_A: b",
    "x-a:  b",
    "Host: b",
    "Content-Length: 0",
  );
  const request = fc
    .tuple(fc.constantFrom("GET", "GET", "OPTIONS", "DELETE"), target, fc.array(header, { maxLength: 3 }))
    .map(([method, target, headers]) => toHead(method, target, ...headers));
  const last = target.map((target) => toHead("GET", target, "Connection: close"));

  it("answer whatever comes over a connection alike, to the byte", async () => {
    const [fast, slow] = await Promise.all([open({ isFast: true }), open({ isFast: false })]);
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 3 }), last, async (requests, last) => {
        const text = [...requests, last].join("");
        const [ours, theirs] = await Promise.all([exchange(fast.url, text), exchange(slow.url, text)]);
        const toLines = ({ answers, rest }: typeof ours) => JSON.stringify([answers.map(toComparable), rest]);
        expect(toLines(ours).replaceAll(DATE, "")).toBe(toLines(theirs).replaceAll(DATE, ""));
      }),
      { numRuns: 300 },
    );
  });

  const DATE = /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g;

  const COUNTED = ["x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit"];

  /** Without what depends on requests before. */
  function toComparable({ status, headers, body }: RawAnswer): unknown {
    return { status, headers: Object.entries(headers).filter(([name]) => !COUNTED.includes(name)), body };
  }
});

describe("the fast lane", () => {
  const ask = async (url: string, target: string, ...headers: string[]) =>
    (await exchange(url, toHead("GET", target, "Connection: close", ...headers))).answers[0]!;

  it("answers what the app answered, without it, until the reading is due", async () => {
    const { url, app, world } = await open();
    let asked = 0;
    app.use(() => void (asked += 1));
    const first = await ask(url, LIST);
    const { body } = await ask(url, LIST);
    expect(asked).toBe(1);
    expect(body).toBe(first.body);
    await ask(url, LIST, "Accept-Encoding: identity");
    expect(asked).toBe(1);
    world.now += 60_000;
    await ask(url, LIST);
    expect(asked).toBe(2);
    // A clock that is set back: what was remembered later is not fresh for an hour.
    world.now -= 1_000;
    await ask(url, LIST);
    expect(asked).toBe(3);
  });

  it.each([
    ["If-Match", LIST, "If-Match: *"],
    ["another query", `${LIST}?x=1`, "Accept: */*"],
    ["another spelling", `${LIST}?`, "Accept: */*"],
  ])("leaves %s to the app", async (_, target, header) => {
    const { url, app } = await open();
    await ask(url, LIST);
    let asked = 0;
    app.use(() => void (asked += 1));
    await ask(url, target, header);
    expect(asked).toBe(1);
  });

  it("sends no body to HEAD, the first time or again", async () => {
    const { url } = await open();
    const head = toHead("HEAD", LIST, "Connection: close");
    const [first, again] = [await exchange(url, head), await exchange(url, head)];
    expect(first.rest).toMatch(/^HTTP\/1\.1 200 \r\n[^]*content-length: \d{3,}\r\n[^]*\r\n\r\n$/);
    expect(again.rest.replace(/Date: .*|ratelimit.*/g, "")).toBe(first.rest.replace(/Date: .*|ratelimit.*/g, ""));
  });

  it("closes with the server what is idle, and what is busy when all is to be closed", async () => {
    const { url, app, server } = await open();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let asked = 0;
    app.use("/slow", () => {
      asked += 1;
      return promise;
    });
    const idle = exchange(url, toHead("GET", "/healthz"));
    const busy = exchange(url, toHead("GET", "/slow"));
    const odd = exchange(url, toHead("DELETE", "/slow"));
    await expect.poll(() => asked).toBe(2);
    server.closeIdleConnections();
    expect((await idle).answers.map(({ status }) => status)).toEqual([200]);
    expect(await Promise.race([busy, odd, Promise.resolve("open")])).toBe("open");
    server.closeAllConnections();
    expect([await busy, await odd]).toEqual(Array(2).fill({ answers: [], rest: "" }));
    resolve(undefined);
  });

  it("closes a connection that says nothing", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { url, server } = await open();
    const silent = await join(url);
    await expect.poll(() => countConnections(server)).toBe(1);
    vi.advanceTimersByTime(CONNECTION_OPTIONS.headersTimeout);
    expect(await countConnections(server)).toBe(1);
    vi.advanceTimersByTime(CONNECTION_OPTIONS.connectionsCheckingInterval);
    await once(silent, "close");
    await expect.poll(() => countConnections(server)).toBe(0);
  });

  it("lets a connection begin that was just taken, and closes one that does not", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { url, server } = await open();
    const [late, silent] = [await join(url), await join(url)];
    await expect.poll(() => countConnections(server)).toBe(2);
    server.closeIdleConnections();
    server.closeIdleConnections();
    late.write(toHead("GET", "/healthz"));
    expect(String(((await once(late, "data")) as [Buffer])[0])).toMatch(/^HTTP\/1\.1 200 /);
    vi.advanceTimersByTime(999);
    expect(await countConnections(server)).toBe(2);
    vi.advanceTimersByTime(1);
    await once(silent, "close");
    expect(late.closed).toBe(false);
    late.destroy();
  });

  it("waits for a limiter that many processes share", async () => {
    const refused = { allowed: false, limit: 60, remaining: 0, resetSeconds: 7 };
    const limiter: Limiter = { take: () => Promise.resolve(refused) };
    const world = await createWorld(makeMainnet(), { perMinute: 10, trusted: { by: "nothing" } });
    const gate = createGate({ limiter, trustedProxies: { by: "nothing" } });
    const server = await listen({ ...world, gate });
    closers.push(() => server.close(true));
    expect((await ask(server.url!, LIST)).status).toBe(200);
    const answer = await ask(server.url!, LIST);
    expect(answer.status).toBe(429);
    expect(answer.headers["retry-after"]).toBe("7");
  });
});
