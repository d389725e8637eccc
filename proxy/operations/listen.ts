import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import type { Registry } from "prom-client";
import type { Log } from "./log.ts";

interface Place {
  port: number;
  host: string;
}

/** Where it listens, without a slash behind it. @throws {Error} naming the port that is taken, and the variable to set */
export async function listen(server: Server, place: Place, prefix: "" | "METRICS_" = ""): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toListenError(error, place, prefix)));
    server.listen(place.port, place.host, resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

export function toListenError(cause: Error, { port, host }: Place, prefix: "" | "METRICS_" = ""): Error {
  const place = `Port ${port} of ${host}`;
  const noAddress = `${host} is no address of this machine: set ${prefix}HOST to one, or to 0.0.0.0 for all.`;
  const messages: Record<string, string> = {
    EADDRINUSE: `${place} is taken: set ${prefix}PORT to another one.`,
    EACCES: `${place} is not for this user: set ${prefix}PORT to one above 1023.`,
    ENOTFOUND: noAddress,
    EADDRNOTAVAIL: noAddress,
    EAI_AGAIN: noAddress,
  };
  const message = messages["code" in cause ? String(cause.code) : ""];
  return message === undefined ? cause : new Error(message, { cause });
}

export async function startMetricsServer(place: Place, registry: Registry, log: Log) {
  async function answer({ url, method }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("cache-control", "no-store").setHeader("content-type", "text/plain; charset=utf-8");
    const end = (status: number, text: string) => response.writeHead(status).end(text);
    if (url !== "/metrics") return void end(404, "The metrics are at /metrics.\n");
    if (method !== "GET" && method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return void end(405, "This path takes GET, HEAD.\n");
    }
    try {
      const text = await registry.metrics();
      response.setHeader("content-type", registry.contentType);
      end(200, text);
    } catch (error) {
      log({ level: "error", message: "cannot read the metrics", error });
      end(503, "The metrics cannot be read at the moment.\n");
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  const url = await listen(server, place, "METRICS_");
  return {
    url: `${url}/metrics`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
