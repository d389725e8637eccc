import type { Server, Socket } from "node:net";
import { createAddressReader } from "../limits/client-address.ts";
import type { TrustedProxies } from "../limits/trusted-proxies.ts";

/** Connections at a time: some 20 KB each. */
export const CONNECTIONS_MAX = 10_000;
/** Connections of one client at a time: whole offices stand behind one address, and browsers open six each. */
export const PEER_CONNECTIONS_MAX = 500;

/** Why a connection was closed as soon as it was opened: there were too many, in all or of its client. */
export const DROP_REASONS = ["all", "client"] as const;
export type DropReason = (typeof DROP_REASONS)[number];

interface LimitOptions {
  trustedProxies: TrustedProxies;
  /** Told of each connection that was closed at once. */
  onDropped: (reason: DropReason) => void;
}

/**
 * Closes at once what is opened beyond the most connections there may be, and what one client opens beyond its share of them:
 * the limiter counts requests, and a request a minute keeps a connection open. To be called after all who listen to connections.
 */
export function limitConnections(server: Server, { trustedProxies, onDropped }: LimitOptions): void {
  server.maxConnections = CONNECTIONS_MAX;
  server.on("drop", () => onDropped("all"));
  // By hops whoever connects is a proxy.
  if (trustedProxies.by !== "hops") limitClients(server, { trustedProxies, onDropped });
}

/**
 * Clients are told apart as the limiter does, IPv6 by /64. Proxies that are trusted to say whom they speak for have no share:
 * theirs is to be bounded there.
 */
function limitClients(server: Server, { trustedProxies, onDropped }: LimitOptions): void {
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
      onDropped("client");
      return;
    }
    counts.set(key, count + 1);
    socket.once("close", () => release(key));
  });
}
