import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createAddressReader, type TrustedProxies } from "../limits/client-address.ts";

/** Connections at a time: some 20 KB each. */
export const CONNECTIONS_MAX = 10_000;
/** Of one client: whole offices stand behind one address, and browsers open six each. */
export const CLIENT_CONNECTIONS_MAX = 500;
/** Of one /48 of IPv6, which is what one customer of a host may have: 65,536 clients. */
export const SITE_CONNECTIONS_MAX = 2_000;
/** A client has this long for each answer that its system and ours do not hold between them. */
export const SLOW_READER_MILLISECONDS = 30_000;

export const DROP_REASONS = ["client", "idle"] as const;
export type DropReason = (typeof DROP_REASONS)[number];

interface BoundOptions {
  trustedProxies: TrustedProxies;
  onDropped?: ((reason: DropReason) => void) | undefined;
  connectionsMax?: number | undefined;
}

/**
 * Bounds what connections cost. A client has a share of them; when all are nearly too many, whoever was silent longest makes room,
 * so that no number of addresses locks anybody out. And who does not take its answers is cut off.
 */
export function boundConnections(server: Server, options: BoundOptions): void {
  const { trustedProxies, onDropped, connectionsMax = CONNECTIONS_MAX } = options;
  // Some are open still that are closing already.
  server.maxConnections = connectionsMax + Math.ceil(connectionsMax / 10);
  const hasPlace = createShares(trustedProxies);
  /** In the order of their newest requests; those without one in that of their beginning. */
  const open = new Set<Socket>();

  server.prependListener("connection", (socket: Socket) => {
    if (!hasPlace(socket)) {
      socket.destroy();
      onDropped?.("client");
      return;
    }
    if (open.size >= connectionsMax) {
      const idle = open.values().find(({ writableLength }) => writableLength === 0) ?? open.values().next().value;
      if (idle !== undefined) open.delete(idle);
      idle?.destroy();
      onDropped?.("idle");
    }
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.prependListener("request", ({ socket }) => {
    if (open.delete(socket)) open.add(socket);
  });
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  const closeIdle = () => {
    closeIdleConnections();
    // Node takes a connection that was never used for busy.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  // Not before the server has stopped listening, or those who are closed would come back.
  server.closeIdleConnections = () => void setImmediate(closeIdle);
  cutSlowReaders(server, open);
}

/** Counts by client, and by /48 of IPv6. Proxies that speak for others have no share: theirs is to be bounded there. */
function createShares(trustedProxies: TrustedProxies): (socket: Socket) => boolean {
  if (trustedProxies.by === "hops") return () => true;
  const read = createAddressReader(trustedProxies);
  const counts = new Map<string, number>();
  const countOf = (key: string) => counts.get(key) ?? 0;
  const release = (key: string) => {
    if (countOf(key) > 1) counts.set(key, countOf(key) - 1);
    else counts.delete(key);
  };

  return (socket) => {
    const { key, trusted } = read(socket.remoteAddress);
    if (trusted) return true;
    const site = key.includes(":") ? `site ${key.split(":").slice(0, 3).join(":")}` : null;
    if (countOf(key) >= CLIENT_CONNECTIONS_MAX || (site !== null && countOf(site) >= SITE_CONNECTIONS_MAX))
      return false;
    for (const name of site === null ? [key] : [key, site]) {
      counts.set(name, countOf(name) + 1);
      socket.once("close", () => release(name));
    }
    return true;
  };
}

/** Of those that did not take a piece since the look before. To count silence only would be met by reading a byte now and then. */
function cutSlowReaders(server: Server, open: ReadonlySet<Socket>): void {
  const sent = new WeakMap<Socket, number>();
  const timer = setInterval(() => {
    for (const socket of open) {
      const now = socket.bytesWritten - socket.writableLength;
      // Reset: of one that is only closed the system would keep for minutes what nobody takes.
      if (socket.writableLength === 0) sent.delete(socket);
      else if (sent.get(socket) === now) socket.resetAndDestroy();
      else sent.set(socket, now);
    }
  }, SLOW_READER_MILLISECONDS);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
