import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { shareReadBuffer } from "../../../proxy/fast-lane/shared-buffer.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that says nothing, and the sockets that its listeners were given. */
async function open(prepare?: (server: Server) => void) {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
  });
  shareReadBuffer(server);
  prepare?.(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  async function join(): Promise<{ client: Socket; socket: Socket }> {
    const client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
    closers.push(() => client.destroy());
    const count = sockets.length;
    await once(client, "connect");
    await expect.poll(() => sockets.length).toBe(count + 1);
    return { client, socket: sockets[count] as Socket };
  }
  return { server, join };
}

const untilData = async (socket: Socket) => ((await once(socket, "data")) as [Buffer])[0];
const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

describe("a shared buffer", () => {
  it("is what all connections are read into", async () => {
    const { join } = await open();
    const [one, other] = [await join(), await join()];
    const buffers = new Set<ArrayBufferLike>();
    for (const { client, socket } of [one, other, one]) {
      client.write("a request");
      const piece = await untilData(socket);
      expect(piece.toString()).toBe("a request");
      buffers.add(piece.buffer);
    }
    expect(buffers.size).toBe(1);
  });

  it("gives a long text in pieces, in order, and nothing while it is paused", async () => {
    const { join } = await open();
    const { client, socket } = await join();
    const sent = Array.from({ length: 30_000 }, (_, at) => String(at)).join(" ");
    let received = "";
    socket.on("data", (piece: Buffer) => {
      received += piece.toString();
      socket.pause();
      const before = received;
      setImmediate(() => {
        expect(received).toBe(before);
        socket.resume();
      });
    });
    client.write(sent);
    await expect.poll(() => received.length).toBe(sent.length);
    expect(received).toBe(sent);
  });

  it("takes back what was read of it, before what comes next", async () => {
    const { join } = await open();
    const { client, socket } = await join();
    client.write("first");
    const piece = Buffer.from(await untilData(socket));
    socket.unshift(piece);
    client.write(", second");
    let received = "";
    socket.on("data", (piece: Buffer) => (received += piece.toString()));
    await expect.poll(() => received).toBe("first, second");
  });

  it("tells the ends of both sides, and of a client that is gone", async () => {
    const { server, join } = await open();
    const { client, socket } = await join();
    expect(await countConnections(server)).toBe(1);
    socket.resume();
    client.end();
    await once(socket, "end");
    expect(socket.writable).toBe(true);
    socket.end("an answer");
    expect((await untilData(client)).toString()).toBe("an answer");
    await expect.poll(() => socket.closed).toBe(true);
    const gone = await join();
    gone.client.resetAndDestroy();
    await expect.poll(() => gone.socket.closed).toBe(true);
    await expect.poll(() => countConnections(server)).toBe(0);
  });

  it("lets a server close when its last connection has", async () => {
    const { server, join } = await open();
    const { socket } = await join();
    const isClosed = once(server, "close");
    server.close();
    expect(server.listening).toBe(false);
    socket.destroy();
    await isClosed;
    expect(await countConnections(server)).toBe(0);
  });

  it("knows its clients", async () => {
    const { join } = await open();
    const { client, socket } = await join();
    expect([socket.remoteAddress, socket.remotePort]).toEqual(["127.0.0.1", client.localPort]);
    expect(socket.allowHalfOpen).toBe(true);
  });

  it("is done without where a connection has no place for it", async () => {
    const { join } = await open((server) => {
      const emit = server.emit.bind(server);
      server.emit = (event: string, ...values: unknown[]) => {
        if (event === "connection")
          Object.assign((values[0] as { _handle: object })._handle, { useUserBuffer: undefined });
        return emit(event as "connection", ...(values as [Socket]));
      };
    });
    const { client, socket } = await join();
    client.write("a request");
    expect((await untilData(socket)).toString()).toBe("a request");
    client.write("a request");
    expect((await untilData(socket)).toString()).toBe("a request");
  });
});
