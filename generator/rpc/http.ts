import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Agent, request, type Dispatcher } from "undici";
import { RpcError, isSuccess, toErrorKind } from "./error.ts";
import { parseHttpDate, readServerTime } from "./clock.ts";

interface HttpRequest {
  target: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body: string | null;
  dispatcher: Dispatcher;
  now: () => number;
  /** By `now`, for the whole answer. */
  deadline: number;
  /** Stops everything and throws its reason. */
  stop: AbortSignal | undefined;
  maxBytes: number;
}

export interface HttpAnswer {
  status: number;
  retryAfterMilliseconds: number | null;
  /** Milliseconds since 1970. */
  serverTime: number | null;
  /** Unpacked. Holds a connection until read, left, or the deadline. */
  body: AsyncIterable<Uint8Array>;
}

const CONNECT_TIMEOUT_MILLISECONDS = 5_000;
const KEEP_ALIVE_MILLISECONDS = 30_000;
/** The public endpoints' limit per address (Solana documentation, "Clusters"). */
const CONNECTIONS_MAX = 40;
/** Also to reuse its connection. */
const ERROR_BYTES_MAX = 64 * 1024;

/** The framing of HTTP/1.1 shows a cut body. */
export function createDispatcher(): Agent {
  return new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MILLISECONDS },
    connections: CONNECTIONS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    allowH2: false,
  });
}

/**
 * Accepts any status; follows no redirect.
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
        ...(options.body !== null && { "content-type": "application/json" }),
      },
      body: options.body,
      dispatcher: options.dispatcher,
      signal: cut.signal,
      // Only the deadline counts: a scan may take a minute.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // An unread body's error must not end the process.
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

/** @throws {RpcError} as {@link openAnswer}, and for a status other than 2xx */
export async function openBody(options: HttpRequest): Promise<AsyncIterable<Uint8Array>> {
  const answer = await openAnswer(options);
  if (isSuccess(answer.status)) return answer.body;
  await readErrorText(answer);
  const { status: code, retryAfterMilliseconds } = answer;
  throw new RpcError({
    kind: toErrorKind({ status: code }),
    code,
    message: `HTTP status ${code}`,
    retryAfterMilliseconds,
  });
}

/** Drops a byte order mark; replaces invalid UTF-8. */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  { maxBytes = Infinity } = {},
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return "";
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

export async function readErrorText({ body }: HttpAnswer): Promise<string> {
  try {
    return await readText(body, { maxBytes: ERROR_BYTES_MAX });
  } catch (error) {
    if (error instanceof RpcError) return "";
    throw error;
  }
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
        throw new RpcError({
          kind: "oversized",
          message: `the answer is longer than ${maxBytes} bytes`,
        });
      }
      yield chunk;
    }
  } catch (error) {
    throw toRpcError(error, { cut, kind: "body" });
  } finally {
    cut.release();
    response.body.destroy();
  }
}

/** Of 429 and 503 (RFC 9110 §10.2.3), and of 2xx, which may hold a 429. */
function readRetryAfter({ statusCode, headers }: Dispatcher.ResponseData): number | null {
  if (statusCode !== 429 && statusCode !== 503 && !isSuccess(statusCode)) return null;
  const [retryAfter, date] = ["retry-after", "date"].map((name) => headers[name]);
  return parseRetryAfter(
    typeof retryAfter === "string" ? retryAfter : null,
    typeof date === "string" ? date : null,
  );
}

/** Other libraries' messages may hold the address. */
function toRpcError(
  error: unknown,
  { cut, kind }: { cut: Cut; kind: "network" | "body" },
): unknown {
  if (cut.signal.aborted) return cut.signal.reason;
  if (error instanceof RpcError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  if (code.endsWith("_TIMEOUT") || code === "ETIMEDOUT") {
    return new RpcError({ kind: "timeout", message: `no answer in time (${code})` });
  }
  return new RpcError({ kind, message: kind === "body" ? `the answer broke off (${code})` : code });
}

const GZIP_NAMES = new Set(["gzip", "x-gzip"]);
/** Any other name is a stranger's text. */
const OTHER_NAMES = new Set(["br", "compress", "deflate", "zstd"]);
/** Each piece costs more than its unpacking. */
const PIECE_BYTES = 256 * 1024;

/**
 * Only gzip was asked for (RFC 9110 §8.4).
 * @throws {RpcError} `body`
 */
function unpack(
  body: Readable,
  encoding: string | string[] | undefined,
): AsyncIterable<Uint8Array> {
  const name = String(encoding ?? "")
    .trim()
    .toLowerCase();
  if (name === "" || name === "identity") return body;
  if (!GZIP_NAMES.has(name)) {
    const way = OTHER_NAMES.has(name) ? `as ${name}` : "in an unknown way";
    throw new RpcError({
      kind: "body",
      message: `the answer is compressed ${way}, which was not asked for`,
    });
  }
  return readUnpacked(body);
}

async function* readUnpacked(body: Readable): AsyncGenerator<Uint8Array> {
  // The iteration below handles the error.
  const unpacked = pipeline(body, createGunzip({ chunkSize: PIECE_BYTES }), () => undefined);
  try {
    yield* unpacked as AsyncIterable<Uint8Array>;
  } catch (error) {
    const isPackError =
      error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    if (!isPackError) throw error;
    throw new RpcError({ kind: "body", message: "the compressed answer is cut or damaged" });
  }
}

/** A wrong header must not cost an endpoint for good. */
const LONGEST_MILLISECONDS = 10 * 60_000;

/**
 * RFC 9110 §10.2.3.
 * @param date the answer's own Date header, since our clock may differ
 */
export function parseRetryAfter(
  header: string | null,
  date: string | null,
  longest = LONGEST_MILLISECONDS,
) {
  if (header === null) return null;
  const text = header.trim();
  const isSeconds = /^\d+(?:\.\d+)?$/.test(text);
  const milliseconds = isSeconds
    ? Number(text) * 1000
    : parseHttpDate(text) - parseHttpDate(date ?? "");
  if (Number.isNaN(milliseconds)) return null;
  return Math.min(Math.max(milliseconds, 0), longest);
}

interface Cut {
  signal: AbortSignal;
  release: () => void;
}

/** A timer's maximum, about 24 days. */
const TIMER_MAX_MILLISECONDS = 2 ** 31 - 1;

/** `AbortSignal.any` would outlive the request on a long-lived stop. */
function createCut({
  milliseconds,
  stop,
}: {
  milliseconds: number;
  stop: AbortSignal | undefined;
}): Cut {
  const controller = new AbortController();
  const onTime = () => end(new RpcError({ kind: "timeout", message: "no answer in time" }));
  const onStop = () => end(stop?.reason);
  const timer = setTimeout(onTime, Math.min(Math.ceil(milliseconds), TIMER_MAX_MILLISECONDS));
  stop?.addEventListener("abort", onStop, { once: true });
  if (stop?.aborted) onStop();

  function end(reason: unknown): void {
    release();
    controller.abort(reason);
  }

  function release(): void {
    clearTimeout(timer);
    stop?.removeEventListener("abort", onStop);
  }

  return { signal: controller.signal, release };
}
