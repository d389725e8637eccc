import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Registry } from "prom-client";
import { listen } from "./listen.ts";

/** Serves `/metrics` and `/healthz` for operators only, so on a port of its own. */
export interface MetricsServer {
  /** Address of the metrics. */
  url: string;
  close(): Promise<void>;
}

/** Whether a process does its work. `text` says what it does or what is wrong. */
export interface Health {
  isWell: boolean;
  text: string;
}

interface MetricsServerOptions {
  /** The port; 0: any free one. */
  port: number;
  host: string;
  registry: Registry;
  /** Answers `/healthz`; without it that path is 404. */
  getHealth?: () => Health;
  /** Receives the error when the metrics cannot be read; the answer is then 503. */
  onError: (error: unknown) => void;
}

interface Answer {
  status: number;
  contentType: string;
  text: string;
}

/**
 * Starts to serve the metrics of `registry` in the format of Prometheus.
 * @throws {Error} naming the address that cannot be used, and the variable to set
 */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { port, host, registry, getHealth, onError } = options;
  const pages = new Map([["/metrics", () => readMetrics(registry, onError)]]);
  if (getHealth !== undefined)
    pages.set("/healthz", () => Promise.resolve(toHealthAnswer(getHealth())));

  async function answer(
    { url = "", method = "" }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    response.setHeader("cache-control", "no-store");
    const end = ({ status, contentType, text }: Answer) =>
      response.writeHead(status, { "content-type": contentType }).end(text);
    const page = pages.get(url);
    if (page === undefined) return void end(toText(404, "The metrics are at /metrics."));
    if (method !== "GET" && method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return void end(toText(405, "This path takes GET, HEAD."));
    }
    end(await page());
  }

  const server = createServer((request, response) => void answer(request, response));
  const url = await listen(server, { port, host }, "METRICS_");
  return {
    url: `${url}/metrics`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readMetrics(registry: Registry, onError: (error: unknown) => void): Promise<Answer> {
  try {
    return { status: 200, contentType: registry.contentType, text: await registry.metrics() };
  } catch (error) {
    onError(error);
    return toText(503, "The metrics cannot be read at the moment.");
  }
}

function toHealthAnswer({ isWell, text }: Health): Answer {
  return toText(isWell ? 200 : 503, text);
}

function toText(status: number, text: string): Answer {
  return { status, contentType: "text/plain; charset=utf-8", text: `${text}\n` };
}
