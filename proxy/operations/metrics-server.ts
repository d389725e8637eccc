import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toListenError } from "./listen-error.ts";

interface MetricsServerOptions {
  /** 0: any free port. */
  port: number;
  host: string;
  /** The metrics in Prometheus' text format. */
  read: () => Promise<string>;
  contentType: string;
  onError: (error: unknown) => void;
}

/** A server of metrics alone, on a port of its own: what it tells is for those who run the proxy. */
export interface MetricsServer {
  /** Where it is reached. */
  url: string;
  close(): Promise<void>;
}

/** @throws {Error} naming the port that is taken */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { port, host } = options;
  const server = createServer((request, response) => void answer(request, response, options));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(toListenError(cause, { port, host, portVariable: "METRICS_PORT", hostVariable: "METRICS_HOST" })),
    );
    server.listen(port, host, resolve);
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${bound}/metrics`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { url, method }: IncomingMessage,
  response: ServerResponse,
  { read, contentType, onError }: MetricsServerOptions,
): Promise<void> {
  if (url !== "/metrics") {
    end(response, 404, "The metrics are at /metrics.\n");
    return;
  }
  if (method !== "GET" && method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    end(response, 405, "This path takes GET, HEAD.\n");
    return;
  }
  try {
    const text = await read();
    response.setHeader("content-type", contentType);
    end(response, 200, text);
  } catch (error) {
    onError(error);
    end(response, 503, "The metrics cannot be read at the moment.\n");
  }
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  if (!response.hasHeader("content-type")) response.setHeader("content-type", "text/plain; charset=utf-8");
  response.setHeader("cache-control", "no-store");
  response.end(text);
}
