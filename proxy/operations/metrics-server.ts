import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Registry } from "prom-client";
import { listen } from "./listen.ts";
import type { Log } from "./log.ts";

/** A server of metrics alone, on a port of its own: what it tells is for those who run the proxy. */
export interface MetricsServer {
  url: string;
  close(): Promise<void>;
}

interface MetricsServerOptions {
  port: number;
  host: string;
  registry: Registry;
  log: Log;
}

/** @throws {Error} naming the port that is taken */
export async function startMetricsServer({ port, host, registry, log }: MetricsServerOptions): Promise<MetricsServer> {
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
  const url = await listen(server, { port, host, portVariable: "METRICS_PORT", hostVariable: "METRICS_HOST" });
  return {
    url: `${url}/metrics`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
