import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** The address of an RPC endpoint that says 410 to everything: who hears that does not try again, and nobody waits. */
export async function openGoneEndpoint(): Promise<string> {
  const server = createServer((_, response) => response.writeHead(410).end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
