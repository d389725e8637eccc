import { once } from "node:events";
import { createServer } from "node:http";
import { connect, Socket, type AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  boundConnections,
  CLIENT_CONNECTIONS_MAX,
  SITE_CONNECTIONS_MAX,
  SLOW_READER_MILLISECONDS,
  type DropReason,
} from "../../../proxy/http/connections.ts";
import { parseTrustedProxies } from "../../../proxy/limits/client-address.ts";

/** More than the systems of both ends hold between them. */
const LONG_ANSWER = Buffer.alloc(32 * 1024 * 1024, "a");
const REQUEST = "GET /short HTTP/1.1\r\nHost: a\r\n\r\n";

afterEach(() => void vi.useRealTimers());

/** A server that answers everything, and ways to it. */
async function open({
  trustProxy = "none",
  connectionsMax,
}: { trustProxy?: string; connectionsMax?: number } = {}) {
  const server = createServer((request, response) =>
    response.end(request.url === "/long" ? LONG_ANSWER : "short"),
  );
  const dropped: DropReason[] = [];
  boundConnections(server, {
    trustedProxies: parseTrustedProxies(trustProxy)!,
    onDropped: (reason) => void dropped.push(reason),
    connectionsMax,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const clients: Socket[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const dial = (localAddress = "127.0.0.1") => {
    const client = connect({ host: "127.0.0.1", port, localAddress });
    clients.push(client);
    return client.on("error", () => client.destroy());
  };
  return { server, dial, dropped };
}

/** A connection of an address that this machine cannot have. */
class FromAddress extends Socket {
  override readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
}

/** Whether a request on the connection is answered. */
async function isAnswered(client: Socket): Promise<boolean> {
  client.write(REQUEST);
  return Promise.race([
    once(client, "data").then(() => true),
    once(client, "close").then(() => false),
  ]);
}

/** How many of so many new connections are answered. */
async function countAnswered(dial: () => Socket, count: number): Promise<number> {
  let answered = 0;
  for (let number = 0; number < count; number += 1) answered += Number(await isAnswered(dial()));
  return answered;
}

describe("the connections of one client", () => {
  it("are closed at once beyond its share, while others still find theirs", async () => {
    const { dial, dropped } = await open();
    expect(await countAnswered(dial, CLIENT_CONNECTIONS_MAX)).toBe(CLIENT_CONNECTIONS_MAX);
    expect(await isAnswered(dial())).toBe(false);
    expect(await isAnswered(dial("127.0.0.2"))).toBe(true);
    expect(dropped).toEqual(["client"]);
  });

  it("are free again when others of it have closed", async () => {
    const { dial } = await open();
    const first = dial();
    expect(await isAnswered(first)).toBe(true);
    await countAnswered(dial, CLIENT_CONNECTIONS_MAX - 1);
    first.end();
    await expect.poll(() => isAnswered(dial())).toBe(true);
    expect(await isAnswered(dial())).toBe(false);
  });

  it.each([
    ["1", 1],
    ["127.0.0.0/8", 1],
    ["cloudflare:127.0.0.1", 1],
    ["10.0.0.0/8", 0],
  ])(
    "are counted, but not those of a trusted proxy: %s lets %i more in",
    async (trustProxy, more) => {
      const { dial } = await open({ trustProxy });
      expect(await countAnswered(dial, CLIENT_CONNECTIONS_MAX + 1)).toBe(
        CLIENT_CONNECTIONS_MAX + more,
      );
    },
  );

  it("are bounded by /48 of IPv6 too, of which one customer has many clients", () => {
    const server = createServer();
    boundConnections(server, { trustedProxies: { by: "nothing" }, onDropped: () => undefined });
    const join = (remoteAddress: string) => {
      const socket = new FromAddress(remoteAddress);
      server.emit("connection", socket);
      return !socket.destroyed;
    };
    for (let network = 0; network < SITE_CONNECTIONS_MAX; network += 1)
      expect(join(`2001:db8:1:${network.toString(16)}::1`)).toBe(true);
    expect(join("2001:db8:1:ffff::1")).toBe(false);
    expect(join("2001:db8:2:1::1")).toBe(true);
    server.emit("close");
  });
});

describe("a house that is full", () => {
  it("stays open: with 24 addresses that hold as many connections as they may, a new client is answered", async () => {
    const { dial, dropped } = await open({ connectionsMax: 240 });
    const holders = Array.from({ length: 24 * 10 }, (_, number) =>
      dial(`127.0.0.${10 + (number % 24)}`),
    );
    for (const holder of holders) expect(await isAnswered(holder)).toBe(true);
    expect(dropped).toEqual([]);
    expect(await countAnswered(() => dial("127.0.0.2"), 5)).toBe(5);
    expect(dropped).toEqual(Array(5).fill("idle"));
  });

  it("is left by whoever was silent longest, whether it ever asked or not", async () => {
    const { server, dial } = await open({ connectionsMax: 3 });
    const silent = dial();
    await once(server, "connection");
    const [second, third] = [dial(), dial()];
    for (const client of [second, third, second]) expect(await isAnswered(client)).toBe(true);
    const gone = once(silent, "close");
    expect(await isAnswered(dial())).toBe(true);
    await gone;
    const goneToo = once(third, "close");
    expect(await isAnswered(dial())).toBe(true);
    await goneToo;
    expect(await isAnswered(second)).toBe(true);
  });

  it("is not left by one whose answer is on the way, while another is idle", async () => {
    const { server, dial } = await open({ connectionsMax: 2 });
    const busy = dial().pause();
    const arrived = once(server, "request") as Promise<[{ socket: Socket }]>;
    busy.write("GET /long HTTP/1.1\r\nHost: a\r\n\r\n");
    const [{ socket }] = await arrived;
    await vi.waitFor(() => expect(socket.writableLength).toBeGreaterThan(0));
    const idle = dial();
    expect(await isAnswered(idle)).toBe(true);
    const gone = once(idle, "close");
    expect(await isAnswered(dial())).toBe(true);
    await gone;
    expect(socket.destroyed).toBe(false);
  });
});

describe("a client that does not take its answer", () => {
  async function openSlow() {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { server, dial } = await open();
    /** The server's end of a connection over which a request is sent. */
    const send = async (client: Socket, path: string) => {
      const arrived = once(server, "request") as Promise<[{ socket: Socket }]>;
      client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      return (await arrived)[0].socket;
    };
    return { dial, send };
  }

  it("is cut off at the second look at the latest, and told so", async () => {
    const { dial, send } = await openSlow();
    const reader = dial().pause();
    const failed = once(reader, "error") as Promise<[Error]>;
    const socket = await send(reader, "/long");
    await vi.waitFor(() => expect(socket.writableLength).toBeGreaterThan(0));
    vi.advanceTimersByTime(SLOW_READER_MILLISECONDS);
    expect(socket.destroyed).toBe(false);
    vi.advanceTimersByTime(SLOW_READER_MILLISECONDS);
    expect(socket.destroyed).toBe(true);
    reader.resume();
    expect((await failed)[0]).toMatchObject({ code: "ECONNRESET" });
  });

  it("is cut off too when it takes a little now and then", async () => {
    const { dial, send } = await openSlow();
    const reader = dial();
    const socket = await send(reader, "/long");
    for (let look = 0; look < 2; look++) {
      await once(reader, "data");
      reader.pause();
      vi.advanceTimersByTime(SLOW_READER_MILLISECONDS);
      reader.resume();
    }
    expect(socket.destroyed).toBe(true);
  });

  it("is not one who took all, and keeps its connection", async () => {
    const { dial, send } = await openSlow();
    const reader = dial();
    const socket = await send(reader, "/short");
    await once(reader, "data");
    for (let look = 0; look < 5; look++) vi.advanceTimersByTime(SLOW_READER_MILLISECONDS);
    expect(socket.destroyed).toBe(false);
    await send(reader, "/short");
  });
});
