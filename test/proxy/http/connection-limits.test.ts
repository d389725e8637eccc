import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  CONNECTIONS_MAX,
  limitConnections,
  PEER_CONNECTIONS_MAX,
  type DropReason,
} from "../../../proxy/http/connection-limits.ts";
import { parseTrustedProxies } from "../../../proxy/limits/trusted-proxies.ts";

const servers: Server[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** A server that greets every connection, and a way to it. */
async function open(trustProxy: string) {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    if (!socket.destroyed) socket.write("hello");
  });
  const dropped: DropReason[] = [];
  const onDropped = (reason: DropReason) => void dropped.push(reason);
  limitConnections(server, { trustedProxies: parseTrustedProxies(trustProxy)!, onDropped });
  server.listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  /** Whether the connection is taken, and the connection. */
  const join = async (localAddress = "127.0.0.1") => {
    const client = connect({ host: "127.0.0.1", port, localAddress });
    clients.push(client);
    client.on("error", () => client.destroy());
    const isTaken = await Promise.race([
      once(client, "data").then(() => true),
      once(client, "close").then(() => false),
    ]);
    return { client, isTaken };
  };
  return { server, join, dropped };
}

async function openMany(join: Awaited<ReturnType<typeof open>>["join"], count: number): Promise<number> {
  let taken = 0;
  for (let number = 0; number < count; number += 1) taken += Number((await join()).isTaken);
  return taken;
}

describe("the connections of one client", () => {
  it("are closed at once beyond its share, while others still find theirs", async () => {
    const { join, dropped } = await open("none");
    expect(await openMany(join, PEER_CONNECTIONS_MAX)).toBe(PEER_CONNECTIONS_MAX);
    expect(dropped).toEqual([]);
    expect((await join()).isTaken).toBe(false);
    expect((await join("127.0.0.2")).isTaken).toBe(true);
    expect(dropped).toEqual(["client"]);
  });

  it("are free again when others of it have closed", async () => {
    const { join } = await open("none");
    const { client } = await join();
    await openMany(join, PEER_CONNECTIONS_MAX - 1);
    client.end();
    await expect.poll(async () => (await join()).isTaken).toBe(true);
    expect((await join()).isTaken).toBe(false);
  });

  it.each(["1", "127.0.0.0/8", "cloudflare:127.0.0.1"])(
    "are not counted of a proxy that is trusted: %s",
    async (trust) => {
      const { join } = await open(trust);
      expect(await openMany(join, PEER_CONNECTIONS_MAX + 1)).toBe(PEER_CONNECTIONS_MAX + 1);
    },
  );

  it("are counted of those who are no proxy, where proxies are trusted", async () => {
    const { join } = await open("10.0.0.0/8");
    expect(await openMany(join, PEER_CONNECTIONS_MAX + 1)).toBe(PEER_CONNECTIONS_MAX);
  });
});

describe("the connections of all clients", () => {
  it.each(["none", "1"])("are closed at once beyond the most there may be, whoever is trusted: %s", async (trust) => {
    const { server, join, dropped } = await open(trust);
    expect(server.maxConnections).toBe(CONNECTIONS_MAX);
    server.maxConnections = 2;
    expect(await openMany(join, 2)).toBe(2);
    expect(dropped).toEqual([]);
    expect((await join()).isTaken).toBe(false);
    expect(dropped).toEqual(["all"]);
  });
});
