import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { Agent, request, type Dispatcher } from "undici";
import { parseRetryAfter } from "./retry.ts";
import { RpcError } from "./rpc-error.ts";

export interface HttpRequest {
  target: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  /** JSON text; null: no body. */
  body: string | null;
  dispatcher: Dispatcher;
  now: () => number;
  /** Reading of `now`, in milliseconds, by which the whole answer must be here. */
  deadline: number;
  /** Stops everything, for instance on Ctrl-C; its reason is thrown as it is. */
  stop: AbortSignal | undefined;
  /** Longest body taken, unpacked. */
  maxBytes: number;
}

const CONNECT_TIMEOUT_MILLISECONDS = 5_000;
const KEEP_ALIVE_MILLISECONDS = 30_000;

/** Connections that stay open between calls. HTTP/1.1, whose framing shows a cut body. Close it when done. */
export function createDispatcher(): Dispatcher {
  return new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MILLISECONDS },
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    allowH2: false,
  });
}

/**
 * Sends a request and hands over the unpacked body as a stream of bytes. Redirects are not followed.
 * @throws {RpcError} `network`, `timeout`, `http`, `refused` (status 410), and while reading also `body` (too long)
 */
export async function openBody(options: HttpRequest): Promise<AsyncIterable<Uint8Array>> {
  const remaining = options.deadline - options.now();
  if (remaining <= 0) throw new RpcError({ kind: "timeout", message: "no time left to ask" });
  const timeout = AbortSignal.timeout(Math.ceil(remaining));
  const signal = options.stop ? AbortSignal.any([options.stop, timeout]) : timeout;
  try {
    const response = await request(options.target, {
      method: options.method,
      headers: {
        ...options.headers,
        accept: "application/json",
        "accept-encoding": "gzip",
        ...contentType(options.body),
      },
      body: options.body,
      dispatcher: options.dispatcher,
      signal,
      // The deadline alone decides: an answer that takes the node a minute to find is normal for a scan.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    if (response.statusCode < 200 || response.statusCode > 299) throw await toStatusError(response);
    return readBody(response, options);
  } catch (error) {
    throw toRpcError(error, options.stop);
  }
}

/** Collects a body as text. Invalid UTF-8 becomes replacement characters: no address or number contains one. */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

async function* readBody(response: Dispatcher.ResponseData, options: HttpRequest): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const chunk of unpack(response)) {
      length += chunk.length;
      if (length > options.maxBytes) {
        throw new RpcError({ kind: "body", message: `the answer is longer than ${options.maxBytes} bytes` });
      }
      yield chunk;
    }
  } catch (error) {
    throw toRpcError(error, options.stop);
  } finally {
    // A reader that stops early, or a pack error, must not leave the connection waiting for the rest.
    response.body.destroy();
  }
}

function unpack(response: Dispatcher.ResponseData): AsyncIterable<Uint8Array> {
  if (response.headers["content-encoding"] !== "gzip") return response.body;
  // The callback is required; the error it is given also ends the iteration over the result, and is handled there.
  return pipeline(response.body, createGunzip(), () => undefined);
}

async function toStatusError(response: Dispatcher.ResponseData): Promise<RpcError> {
  await response.body.dump();
  const code = response.statusCode;
  return new RpcError({
    kind: code === 410 ? "refused" : "http",
    code,
    message: `HTTP status ${code}`,
    retryAfterMilliseconds: parseRetryAfter(headerOf(response, "retry-after"), headerOf(response, "date")),
  });
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}

function toRpcError(error: unknown, stop: AbortSignal | undefined): unknown {
  if (stop?.aborted) return stop.reason;
  if (error instanceof RpcError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  const timedOut = error.name === "TimeoutError" || code.endsWith("_TIMEOUT") || code === "ETIMEDOUT";
  return new RpcError({ kind: timedOut ? "timeout" : "network", message: timedOut ? "no answer in time" : code });
}

function contentType(body: string | null): Record<string, string> {
  return body === null ? {} : { "content-type": "application/json" };
}
