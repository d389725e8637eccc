import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { serveConnection, type Connection } from "../../../proxy/fast-lane/connection.ts";
import { shareReadBuffer } from "../../../proxy/fast-lane/shared-buffer.ts";
import type { PlainRequest } from "../../../proxy/fast-lane/plain-request.ts";
import type { Reply } from "../../../proxy/http/reply.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) close();
});

const toReply = (body: string): Reply => ({ status: 200, headers: [], moreHeaders: [], body: Buffer.from(body) });
const get = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n");

interface Lane {
  /** What was asked, in order. */
  asked: string[];
  /** What was told of requests that had been dealt with. */
  done: [target: string, status: number][];
  handedOver: string[];
  connection: Connection | undefined;
  socket: Socket | undefined;
  /** Resolves when the target has been asked for. */
  untilAsked(target: string): Promise<void>;
  isEnding: boolean;
  bugs: unknown[];
}

/** A server whose connections are all in the fast lane, and a client of it. */
async function open(
  answer: (request: PlainRequest) => Reply | Promise<Reply>,
  { timeouts = { headersTimeout: 10_000, keepAliveTimeout: 10_000 }, isShared = true } = {},
) {
  const waiting = new Map<string, () => void>();
  const lane: Lane = {
    asked: [],
    done: [],
    handedOver: [],
    connection: undefined,
    socket: undefined,
    untilAsked: (target) => new Promise((resolve) => waiting.set(target, resolve)),
    isEnding: false,
    bugs: [],
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    lane.socket = socket;
    lane.connection = serveConnection(socket, {
      answer(request) {
        lane.asked.push(request.target);
        waiting.get(request.target)?.();
        return answer(request);
      },
      handOver(socket, piece) {
        lane.handedOver.push(piece.toString());
        // As Node's server does.
        socket.on("error", () => void socket.destroy());
        socket.end("handed over");
      },
      timeouts,
      isEnding: () => lane.isEnding,
      onBug: (error) => void lane.bugs.push(error),
      onRequest:
        ({ target }) =>
        (status) =>
          void lane.done.push([target, status]),
      date: () => "today",
    });
  });
  if (isShared) shareReadBuffer(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => server.close());

  async function join(): Promise<Socket> {
    const client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
    closers.push(() => client.destroy());
    await once(client, "connect");
    return client;
  }
  return { lane, client: await join(), join };
}

/** Reads until so much has come. */
async function readUntil(client: Socket, end: string): Promise<string> {
  let received = "";
  while (!received.includes(end)) received += String(((await once(client, "data")) as [Buffer])[0]);
  return received;
}

const SHARED = { isShared: true };
/** Read as Node reads by itself: what comes is kept, and ends are seen, while nobody listens. */
const NOT_SHARED = { isShared: false };
const HEAD = "HTTP/1.1 200 \r\n";
const bodies = (received: string) => received.split(HEAD).map((answer) => answer.slice(answer.indexOf("\r\n\r\n") + 4));

describe("a connection in the fast lane", () => {
  it("answers one request after the other, and says that it goes on", async () => {
    const { lane, client } = await open(({ target }) => toReply(target));
    client.write(get("/a"));
    expect(await readUntil(client, "\r\n\r\n/a")).toMatch(
      /^HTTP\/1\.1 200 \r\n[^]*\r\nDate: today\r\nConnection: keep-alive\r\nKeep-Alive: timeout=65\r\n\r\n\/a$/,
    );
    client.end(get("/b", "Connection: close"));
    expect(await text(client)).toMatch(/^HTTP\/1\.1 200 \r\n[^]*\r\nDate: today\r\nConnection: close\r\n\r\n\/b$/);
    expect(lane.done).toEqual([
      ["/a", 200],
      ["/b", 200],
    ]);
  });

  it("keeps the order when a request comes before the answer to the one before", async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { lane, client } = await open(({ target }) => (target === "/slow" ? promise : toReply("quick")));
    const isAsked = lane.untilAsked("/slow");
    client.write(get("/slow"));
    await isAsked;
    client.end(get("/quick"));
    await expect.poll(() => lane.socket?.bytesRead).toBe(get("/slow").length + get("/quick").length);
    expect(lane.asked).toEqual(["/slow"]);
    resolve(toReply("slow"));
    expect(bodies(await text(client))).toEqual(["", "slow", "quick"]);
  });

  it.each([
    ["between two answers", false],
    ["while one is being made", true],
  ])("is handed over with what is not plain, %s, after the answers before", async (_, isEarly) => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { lane, client } = await open(() => promise);
    const isAsked = lane.untilAsked("/a");
    client.write(get("/a"));
    await isAsked;
    const odd = "POST /b HTTP/1.1\r\n\r\n";
    if (isEarly) client.write(odd);
    resolve(toReply("a"));
    let received = await readUntil(client, "\r\n\r\na");
    if (!isEarly) client.write(odd);
    received += await text(client);
    expect(bodies(received)).toEqual(["", "ahanded over"]);
    expect(lane.handedOver).toEqual([odd]);
    expect(client.bytesRead).toBeGreaterThan(0);
  });

  it("answers a client that has said all it wants to say, and closes", async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { lane, client } = await open(() => promise);
    client.end(get("/a"));
    await expect.poll(() => lane.socket?.readableEnded).toBe(true);
    resolve(toReply("a"));
    const received = await text(client);
    expect(received).toContain("Connection: close\r\n");
    expect(bodies(received)).toEqual(["", "a"]);
  });

  it("closes when a client has ended its side behind something that is not plain", async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { lane, client } = await open(() => promise, NOT_SHARED);
    const isAsked = lane.untilAsked("/a");
    client.write(get("/a"));
    await isAsked;
    client.end("POST /b HTTP/1.1\r\n\r\n");
    await expect.poll(() => lane.socket?.readableEnded).toBe(true);
    resolve(toReply("a"));
    expect(bodies(await text(client))).toEqual(["", "a"]);
    expect(lane.handedOver).toEqual([]);
  });

  it("is closed when its answer meets a client that has ended, said too much, and gone", async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { lane, client } = await open(() => promise, NOT_SHARED);
    const isAsked = lane.untilAsked("/a");
    client.write(get("/a"));
    await isAsked;
    client.end("POST /b HTTP/1.1\r\n\r\n");
    await expect.poll(() => lane.socket?.readableEnded).toBe(true);
    client.resetAndDestroy();
    resolve(toReply("a"));
    // The answer fails. An error that nobody listens to would end the process, and fails this run.
    await expect.poll(() => lane.socket?.closed).toBe(true);
    expect(lane.socket?.errored).toMatchObject({ syscall: "write" });
    expect(lane.done).toEqual([["/a", 0]]);
  });

  it("hands over what came before the end of a client's side, where that end is not read yet", async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { lane, client } = await open(() => promise);
    const isAsked = lane.untilAsked("/a");
    client.write(get("/a"));
    await isAsked;
    client.end("POST /b HTTP/1.1\r\n\r\n");
    await expect.poll(() => lane.socket?.isPaused()).toBe(true);
    resolve(toReply("a"));
    expect(bodies(await text(client))).toEqual(["", "ahanded over"]);
    expect(lane.handedOver).toEqual(["POST /b HTTP/1.1\r\n\r\n"]);
  });

  it.each([
    ["answers", get("/b"), [["/a", "/c", "/b"], []]],
    ["hands over", "POST /b HTTP/1.1\r\n\r\n", [["/a", "/c"], ["POST /b HTTP/1.1\r\n\r\n"]]],
  ])("%s what a client said early, whatever others have said since", async (_, early, expected) => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { lane, client, join } = await open(({ target }) => (target === "/a" ? promise : toReply(target)));
    await expect.poll(() => lane.socket).toBeDefined();
    const first = lane.socket;
    const isAsked = lane.untilAsked("/a");
    client.write(get("/a"));
    await isAsked;
    client.write(early);
    await expect.poll(() => first?.isPaused()).toBe(true);
    const other = await join();
    other.write(get("/c"));
    await readUntil(other, "/c");
    resolve(toReply("a"));
    await expect.poll(() => [lane.asked, lane.handedOver]).toEqual(expected);
  });

  it.each([
    ["POST /b HTTP/1.1\r\n\r\n", NOT_SHARED],
    [get("/b"), NOT_SHARED],
    ["POST /b HTTP/1.1\r\n\r\n", SHARED],
    [get("/b"), SHARED],
  ])("forgets what a client said early that is gone: %j, %o", async (early, options) => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { lane, client } = await open(() => promise, options);
    const isAsked = lane.untilAsked("/a");
    client.write(get("/a"));
    await isAsked;
    client.write(early);
    await expect.poll(() => lane.socket?.isPaused()).toBe(true);
    client.resetAndDestroy();
    // Of a connection that is not read, only who writes hears that it is gone.
    if (!options.isShared) await expect.poll(() => lane.socket?.closed).toBe(true);
    else await once(client, "close");
    resolve(toReply("a"));
    await expect.poll(() => lane.done).toEqual([["/a", 0]]);
    await expect.poll(() => lane.socket?.closed).toBe(true);
    expect([lane.asked, lane.handedOver]).toEqual([["/a"], []]);
  });

  it.each([
    ["goes", ({ client }: Awaited<ReturnType<typeof open>>) => client.resetAndDestroy()],
    ["is cut off", ({ lane }: Awaited<ReturnType<typeof open>>) => lane.socket?.destroy()],
  ])("tells that a client is gone which %s with a part of its answer", async (_, end) => {
    const opened = await open(() => toReply("x".repeat(8_000_000)));
    const { lane, client } = opened;
    client.pause();
    client.write(get("/a"));
    await expect.poll(() => lane.socket?.writableLength).toBeGreaterThan(0);
    end(opened);
    await expect.poll(() => lane.done).toEqual([["/a", 0]]);
  });

  it("makes no further answer for a client that does not take the ones before", async () => {
    const size = 8_000_000;
    const { lane, client } = await open(() => toReply("x".repeat(size)));
    client.pause();
    const isFirst = lane.untilAsked("/0");
    client.write(get("/0"));
    await isFirst;
    for (let number = 1; number < 5; number += 1) {
      client.write(get(`/${number}`));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(lane.asked).toEqual(["/0"]);
    client.end();
    const received = await text(client);
    // Those that waited together are not plain any more.
    expect(received.length).toBeGreaterThan(size);
    expect(lane.asked.length + lane.handedOver.length).toBeGreaterThan(1);
  });

  it("is closed where a header would become two", async () => {
    const reply: Reply = { ...toReply("a"), moreHeaders: [["x-a", "b\u010aSet-Cookie: c"]] };
    const { client } = await open(() => Promise.resolve(reply));
    client.write(get("/a"));
    expect(await text(client)).toBe("");
  });

  it("is closed when an answer cannot be made, or nobody is there to take it", async () => {
    const { lane, client } = await open(() => Promise.reject(new Error("a bug")));
    client.write(get("/a"));
    expect(await text(client)).toBe("");
    expect(lane.done).toEqual([["/a", 0]]);
    expect(lane.bugs).toEqual([new Error("a bug")]);
  });

  it("closes when it is idle, after an answer that is still leaving, and not while one is being made", async () => {
    const size = 8_000_000;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { lane, client } = await open(({ target }) => (target === "/slow" ? promise : toReply("x".repeat(size))));
    client.pause();
    const isAsked = lane.untilAsked("/slow");
    client.write(get("/slow"));
    await isAsked;
    lane.connection?.closeIfIdle();
    expect(lane.socket?.writableEnded).toBe(false);
    resolve(toReply("x".repeat(size)));
    await expect.poll(() => lane.socket?.writableLength).toBeGreaterThan(0);
    lane.connection?.closeIfIdle();
    expect(bodies(await text(client))[1]).toHaveLength(size);
  });

  it("tells that the client is gone", async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { lane, client } = await open(() => promise);
    const isAsked = lane.untilAsked("/a");
    client.write(get("/a"));
    await isAsked;
    client.resetAndDestroy();
    await expect.poll(() => lane.socket?.destroyed).toBe(true);
    resolve(toReply("a"));
    await expect.poll(() => lane.done).toEqual([["/a", 0]]);
  });

  it("ends with the answer when the server is ending", async () => {
    const { lane, client } = await open(() => toReply("a"));
    lane.isEnding = true;
    client.write(get("/a"));
    expect(await text(client)).toContain("Connection: close\r\n");
  });

  it("is closed by nobody here once it has been handed over", async () => {
    const { lane, client } = await open(() => toReply("a"));
    await expect.poll(() => lane.socket).toBeDefined();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    lane.connection?.closeIfIdle();
    expect(vi.getTimerCount()).toBe(1);
    client.write("POST /b HTTP/1.1\r\n\r\n");
    await once(client, "data");
    expect(lane.handedOver).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is closed when the client says nothing at all, and when it has no more to say", async () => {
    const timeouts = { headersTimeout: 4_000, keepAliveTimeout: 8_000 };
    const silent = await open(() => toReply("a"), { timeouts });
    const idle = await open(() => toReply("a"), { timeouts });
    idle.client.write(get("/a"));
    await once(idle.client, "data");
    const look = () => {
      for (const { lane } of [silent, idle]) lane.connection?.look(2_000);
      return [silent, idle].map(({ lane }) => lane.socket?.destroyed);
    };
    // The first look may come at once: 4 s of silence are certain only at the third.
    expect([look(), look(), look()]).toEqual([
      [false, false],
      [false, false],
      [true, false],
    ]);
    expect([look(), look()]).toEqual([
      [true, false],
      [true, true],
    ]);
    expect(await text(silent.client)).toBe("");
  });

  it("counts silence from the last request on, and none while an answer waits to be read", async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const timeouts = { headersTimeout: 10, keepAliveTimeout: 10 };
    const { lane, client } = await open(({ target }) => (target === "/a" ? toReply("a") : promise), { timeouts });
    client.write(get("/a"));
    await once(client, "data");
    lane.connection?.look(10);
    const isAsked = lane.untilAsked("/b");
    client.write(get("/b"));
    await isAsked;
    lane.connection?.look(10);
    expect(lane.socket?.destroyed).toBe(false);
    resolve(toReply(`${"b".repeat(8_000_000)}end`));
    await expect.poll(() => lane.socket?.writableLength).toBeGreaterThan(0);
    lane.connection?.look(10);
    expect(lane.socket?.destroyed).toBe(false);
    await readUntil(client, "end");
    await expect.poll(() => lane.socket?.writableLength).toBe(0);
    lane.connection?.look(10);
    expect(lane.socket?.destroyed).toBe(true);
  });
});
