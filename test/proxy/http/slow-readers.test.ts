import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cutSlowReaders, SLOW_READER_MILLISECONDS } from "../../../proxy/http/slow-readers.ts";

/** More than the systems of both ends hold between them. */
const LONG_ANSWER = Buffer.alloc(32 * 1024 * 1024, "a");

const closers: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) close();
});

async function open(): Promise<{ server: Server; client: () => Socket }> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const server = createServer(
    (request, response) => void response.end(request.url === "/long" ? LONG_ANSWER : "short"),
  );
  cutSlowReaders(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, client: () => connect(port, "127.0.0.1").on("error", () => undefined) };
}

/** The server's end of a connection over which a request is sent; resolves when the request has come in. */
async function send(server: Server, socket: Socket, path: string): Promise<Socket> {
  const arrived = new Promise<Socket>((resolve) => server.once("request", (request) => resolve(request.socket)));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return arrived;
}

describe("a client that does not take its answer", () => {
  it("is cut off at the second look at the latest", async () => {
    const { server, client } = await open();
    const socket = await send(server, client(), "/long");
    await vi.waitFor(() => expect(socket.writableLength).toBeGreaterThan(0));
    vi.advanceTimersByTime(SLOW_READER_MILLISECONDS);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(SLOW_READER_MILLISECONDS);
    expect(socket.destroyed).toBe(true);
  });

  it("is told so, and nothing is kept for it", async () => {
    const { server, client } = await open();
    const reader = client().pause();
    const failed = new Promise<Error>((resolve) => reader.once("error", resolve));
    const socket = await send(server, reader, "/long");
    await vi.waitFor(() => expect(socket.writableLength).toBeGreaterThan(0));
    vi.advanceTimersByTime(2 * SLOW_READER_MILLISECONDS);
    reader.resume();
    expect(await failed).toMatchObject({ code: "ECONNRESET" });
  });

  it("is cut off too when it takes a little now and then", async () => {
    const { server, client } = await open();
    const reader = client();
    const socket = await send(server, reader, "/long");
    for (let look = 0; look < 2; look++) {
      await new Promise((resolve) => reader.once("data", resolve));
      reader.pause();
      vi.advanceTimersByTime(SLOW_READER_MILLISECONDS);
      reader.resume();
    }
    expect(socket.destroyed).toBe(true);
  });

  it("is not one who took all, and keeps its connection", async () => {
    const { server, client } = await open();
    const reader = client();
    const socket = await send(server, reader, "/short");
    await new Promise((resolve) => reader.once("data", resolve));
    for (let look = 0; look < 5; look++) vi.advanceTimersByTime(SLOW_READER_MILLISECONDS);
    expect(socket.destroyed).toBe(false);
    await send(server, reader, "/short");
  });
});
