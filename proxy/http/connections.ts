import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createAddressReader, type TrustedProxies } from "../limits/client-address.ts";

/** Some 20 KB each. */
const CONNECTIONS_MAX = 10_000;
/** Offices share an address, and each browser opens six. */
export const CLIENT_CONNECTIONS_MAX = 500;
/** Of an IPv6 /48: hosts give one customer that many addresses, 65,536 clients. */
export const SITE_CONNECTIONS_MAX = 2_000;
/** Time in which a client must read something of an answer that fills the buffers. */
export const SLOW_READER_MILLISECONDS = 30_000;

export const DROP_REASONS = ["client", "idle"] as const;
export type DropReason = (typeof DROP_REASONS)[number];

export interface BoundOptions {
  trustedProxies: TrustedProxies;
  onDropped?: ((reason: DropReason) => void) | undefined;
  connectionsMax?: number | undefined;
}

/**
 * By client and in all. At the bound a new connection replaces
 * the one silent longest, so many addresses lock nobody out.
 */
export function boundConnections(server: Server, options: BoundOptions): void {
  const { trustedProxies, onDropped, connectionsMax = CONNECTIONS_MAX } = options;
  // Room for connections that are closing.
  server.maxConnections = connectionsMax + Math.ceil(connectionsMax / 10);
  const hasPlace = createShares(trustedProxies);
  /** In the order of their last requests, or else of their opening. */
  const open = new Set<Socket>();

  server.prependListener("connection", (socket: Socket) => {
    if (!hasPlace(socket)) {
      socket.destroy();
      onDropped?.("client");
      return;
    }
    if (open.size >= connectionsMax) {
      const idle =
        open.values().find(({ writableLength }) => writableLength === 0) ??
        open.values().next().value;
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
    // Node counts an unused connection as busy.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  // After the server has stopped listening, or their clients would come back.
  server.closeIdleConnections = () => void setImmediate(closeIdle);
  cutSlowReaders(server, open);
}

/** Counts by client and by IPv6 /48. A trusted proxy has no share: it bounds its own clients. */
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
    if (
      countOf(key) >= CLIENT_CONNECTIONS_MAX ||
      (site !== null && countOf(site) >= SITE_CONNECTIONS_MAX)
    )
      return false;
    for (const name of site === null ? [key] : [key, site]) {
      counts.set(name, countOf(name) + 1);
      socket.once("close", () => release(name));
    }
    return true;
  };
}

/** Cuts connections that took nothing since the last look. */
function cutSlowReaders(server: Server, open: ReadonlySet<Socket>): void {
  const sent = new WeakMap<Socket, number>();
  const timer = setInterval(() => {
    for (const socket of open) {
      const now = socket.bytesWritten - socket.writableLength;
      // A reset: after a close the system would keep the unread bytes for minutes.
      if (socket.writableLength === 0) sent.delete(socket);
      else if (sent.get(socket) === now) socket.resetAndDestroy();
      else sent.set(socket, now);
    }
  }, SLOW_READER_MILLISECONDS);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}
