import type { Server, Socket } from "node:net";
import { createAddressReader } from "../limits/client-address.ts";
import type { TrustedProxies } from "../limits/trusted-proxies.ts";

/** Connections of one client at a time: whole offices stand behind one address, and browsers open six each. */
export const PEER_CONNECTIONS_MAX = 500;

/**
 * Closes at once what one client opens beyond its share of the connections: the limiter counts requests, and a request a
 * minute keeps a connection open. Clients are told apart as the limiter does, IPv6 by /64. Proxies that are trusted
 * to say whom they speak for have no share: theirs is to be bounded there. To be called after all who listen to connections.
 */
export function limitPeerConnections(server: Server, trustedProxies: TrustedProxies): void {
  // By hops whoever connects is a proxy.
  if (trustedProxies.by === "hops") return;
  const read = createAddressReader(trustedProxies);
  const counts = new Map<string, number>();

  function release(key: string): void {
    const rest = (counts.get(key) ?? 0) - 1;
    if (rest > 0) counts.set(key, rest);
    else counts.delete(key);
  }

  server.prependListener("connection", (socket: Socket) => {
    const { key, trusted } = read(socket.remoteAddress);
    if (trusted) return;
    const count = counts.get(key) ?? 0;
    if (count >= PEER_CONNECTIONS_MAX) {
      socket.destroy();
      return;
    }
    counts.set(key, count + 1);
    socket.once("close", () => release(key));
  });
}
