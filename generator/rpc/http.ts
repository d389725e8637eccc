import { Agent, request, type Dispatcher } from "undici";
import { createCut, type Cut } from "./cut.ts";
import { parseRetryAfter } from "./retry-after.ts";
import { RpcError } from "./error.ts";
import { isSuccess, judge } from "./verdict.ts";
import { readServerTime } from "./server-time.ts";
import { unpack } from "./unpack.ts";

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

export interface HttpAnswer {
  status: number;
  /** How long an answer that turns out to be a failure asks to be left alone; null: it does not say. */
  retryAfterMilliseconds: number | null;
  /** What time the server had, in milliseconds since 1970; null: it does not say. */
  serverTime: number | null;
  /** Unpacked. Must be read or left: until then, or the deadline, it keeps a connection. */
  body: AsyncIterable<Uint8Array>;
}

const CONNECT_TIMEOUT_MILLISECONDS = 5_000;
const KEEP_ALIVE_MILLISECONDS = 30_000;
/** What the public endpoints allow one address (Solana documentation, "Clusters"). */
const CONNECTIONS_MAX = 40;
/** Error pages are read so far, for what they say and so that their connection can be used again. */
const ERROR_BYTES_MAX = 64 * 1024;

/** Connections that stay open between calls. HTTP/1.1, whose framing shows a cut body. Close it when done. */
export function createDispatcher(): Agent {
  return new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MILLISECONDS },
    connections: CONNECTIONS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    allowH2: false,
  });
}

/**
 * Sends a request and hands over the answer, whatever its status. Redirects are not followed.
 * @throws {RpcError} `network`, `timeout`; while the body is read `body`, `timeout`, `oversized`
 */
export async function openAnswer(options: HttpRequest): Promise<HttpAnswer> {
  const remaining = options.deadline - options.now();
  if (remaining <= 0) throw new RpcError({ kind: "timeout", message: "no time left to ask" });
  const cut = createCut({ milliseconds: remaining, stop: options.stop });
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
      signal: cut.signal,
      // The deadline alone decides: an answer that takes the node a minute to find is normal for a scan.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // Whoever reads the body is told of its errors; one that is left unread must not end the process.
    response.body.on("error", () => undefined);
    return {
      status: response.statusCode,
      retryAfterMilliseconds: readRetryAfter(response),
      serverTime: readServerTime(response.headers),
      body: readBody(response, { cut, maxBytes: options.maxBytes }),
    };
  } catch (error) {
    cut.release();
    throw toRpcError(error, { cut, kind: "network" });
  }
}

/** The body of an answer with a status of 2xx. @throws {RpcError} as {@link openAnswer}, and for any other status */
export async function openBody(options: HttpRequest): Promise<AsyncIterable<Uint8Array>> {
  const answer = await openAnswer(options);
  if (isSuccess(answer.status)) return answer.body;
  await readErrorText(answer);
  const { status: code, retryAfterMilliseconds } = answer;
  throw new RpcError({ kind: judge({ status: code }), code, message: `HTTP status ${code}`, retryAfterMilliseconds });
}

/**
 * Collects a body as text, without a byte order mark. Invalid UTF-8 becomes replacement characters: no address or number
 * contains one.
 */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** What an answer says that is no success, as far as it is short and readable: the status has said the most of it. */
export async function readErrorText({ body }: HttpAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > ERROR_BYTES_MAX) return "";
    }
  } catch (error) {
    if (error instanceof RpcError) return "";
    throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function* readBody(
  response: Dispatcher.ResponseData,
  { cut, maxBytes }: { cut: Cut; maxBytes: number },
): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const chunk of unpack(response.body, response.headers["content-encoding"])) {
      length += chunk.length;
      if (length > maxBytes) {
        throw new RpcError({ kind: "oversized", message: `the answer is longer than ${maxBytes} bytes` });
      }
      yield chunk;
    }
  } catch (error) {
    throw toRpcError(error, { cut, kind: "body" });
  } finally {
    cut.release();
    // A reader that stops early, or a pack error, must not leave the connection waiting for the rest.
    response.body.destroy();
  }
}

/**
 * Heard of a 429 and a 503 alone (RFC 9110 §10.2.3), and of a 2xx, which may turn out to hold a 429: any other failure passes
 * or not by itself, whatever a header says.
 */
function readRetryAfter(response: Dispatcher.ResponseData): number | null {
  const { statusCode } = response;
  if (statusCode !== 429 && statusCode !== 503 && !isSuccess(statusCode)) return null;
  return parseRetryAfter(headerOf(response, "retry-after"), headerOf(response, "date"));
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}

/** The messages of other libraries are not repeated: they may hold the address. */
function toRpcError(error: unknown, { cut, kind }: { cut: Cut; kind: "network" | "body" }): unknown {
  if (cut.signal.aborted) return cut.signal.reason;
  if (error instanceof RpcError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  if (code.endsWith("_TIMEOUT") || code === "ETIMEDOUT") {
    return new RpcError({ kind: "timeout", message: `no answer in time (${code})` });
  }
  return new RpcError({ kind, message: kind === "body" ? `the answer broke off (${code})` : code });
}

function contentType(body: string | null): Record<string, string> {
  return body === null ? {} : { "content-type": "application/json" };
}
