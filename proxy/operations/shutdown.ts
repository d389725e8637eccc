import type { Server } from "node:http";
import type { RequestObserver } from "./requests.ts";

/** Answers under way when the server stops listening may take this long before their connections are cut. */
export const CLOSE_MILLISECONDS = 5_000;

interface ShutdownOptions {
  requests: RequestObserver;
  /**
   * How long requests are taken on. A load balancer that asks /readyz every few seconds goes on sending until it has seen
   * the 503; one that is told beforehand, or tries another process when a connection is refused, needs no such time.
   */
  drainMilliseconds: number;
}

/**
 * Stops a server without losing an answer: every answer from now on ends its connection; after the drain no connection is
 * taken, idle ones are closed at once, answers under way go out, and what is left after 5 s is cut.
 */
export async function shutDown(server: Server, { requests, drainMilliseconds }: ShutdownOptions): Promise<void> {
  requests.endConnections();
  if (drainMilliseconds > 0) await new Promise((resolve) => setTimeout(resolve, drainMilliseconds));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MILLISECONDS);
  await closed;
  clearTimeout(timer);
}
