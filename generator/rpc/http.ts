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
  /** By `now`, until the last byte of the answer. */
  deadline: number;
  /** Ends the request and makes it throw its reason. */
  stop: AbortSignal | undefined;
  /** Does the same. */
  cut?: AbortSignal | undefined;
  maxBytes: number;
}

/** An answer whose head has arrived. */
export interface HttpAnswer {
  status: number;
  /** The pause that Retry-After asks for; null: none. */
  retryAfterMilliseconds: number | null;
  /** The server's time in milliseconds since 1970; null: no readable Date. */
  serverTime: number | null;
  /** The unpacked body. It holds a connection until it is read, left, or the deadline passes. */
  body: AsyncIterable<Uint8Array>;
}

const CONNECT_TIMEOUT_MILLISECONDS = 5_000;
const KEEP_ALIVE_MILLISECONDS = 30_000;
/** The limit of public endpoints per address (Solana documentation, "Clusters"). */
const CONNECTIONS_MAX = 40;
/** Longest body of a failure that is read. Reading it to the end keeps the connection usable. */
const ERROR_BYTES_MAX = 64 * 1024;

/**
 * Makes the connections to endpoints; whoever makes them closes them. They use HTTP/1.1 only, whose
 * framing shows a cut body.
 */
export function createDispatcher(): Agent {
  return new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MILLISECONDS },
    connections: CONNECTIONS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    allowH2: false,
  });
}

/**
 * Sends a request and returns when the head of the answer has arrived. It accepts any status and
 * follows no redirect.
 * @throws {RpcError} `network`, `timeout`; while the body is read `body`, `timeout`, `oversized`
 */
export async function openAnswer(options: HttpRequest): Promise<HttpAnswer> {
  const remaining = options.deadline - options.now();
  if (remaining <= 0) throw new RpcError({ kind: "timeout", message: "no time left to ask" });
  const cut = createCut({ milliseconds: remaining, stops: [options.stop, options.cut] });
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
      // Only the deadline ends it: a scan may take a minute.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // The error of a body that nobody reads must not end the process.
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

/**
 * Sends a request and returns the body of a successful answer.
 * @throws {RpcError} as {@link openAnswer}, and for a status other than 2xx
 */
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

/**
 * Reads a body as UTF-8: without a byte order mark, and with invalid bytes replaced. If it is
 * longer than `maxBytes`, the text is empty.
 */
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

/** Reads the body of a failure; the empty text if it is too long or cannot be read. */
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

/**
 * Reads Retry-After of 429 and 503 (RFC 9110 §10.2.3), and of 2xx, whose body may hold the error
 * 429.
 */
function readRetryAfter({ statusCode, headers }: Dispatcher.ResponseData): number | null {
  if (statusCode !== 429 && statusCode !== 503 && !isSuccess(statusCode)) return null;
  const [retryAfter, date] = ["retry-after", "date"].map((name) => headers[name]);
  return parseRetryAfter(
    typeof retryAfter === "string" ? retryAfter : null,
    typeof date === "string" ? date : null,
  );
}

/**
 * Converts what undici and zlib throw. Their messages may hold the address, so only codes are kept.
 */
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
/** Encodings that a message may name; any other name is a stranger's text. */
const OTHER_NAMES = new Set(["br", "compress", "deflate", "zstd"]);
/** Unpacked bytes at a time. Handling small pieces would cost more than unpacking them. */
const PIECE_BYTES = 256 * 1024;

/** Unpacks a body. Only gzip was asked for (RFC 9110 §8.4). */
function unpack(
  body: Readable,
  encoding: string | string[] | undefined,
): AsyncIterable<Uint8Array> {
  const name = String(encoding ?? "")
    .trim()
    .toLowerCase();
  if (name === "" || name === "identity") return body;
  if (!GZIP_NAMES.has(name)) {
    const how = OTHER_NAMES.has(name) ? `as ${name}` : "in an unknown way";
    throw new RpcError({
      kind: "body",
      message: `the answer is compressed ${how}, which was not asked for`,
    });
  }
  return readUnpacked(body);
}

async function* readUnpacked(body: Readable): AsyncGenerator<Uint8Array> {
  // The iteration below receives the error.
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

/** Longest pause: a wrong header must not lose an endpoint for good. */
const LONGEST_MILLISECONDS = 10 * 60_000;

/**
 * Parses Retry-After, seconds or a date (RFC 9110 §10.2.3), into milliseconds from 0 to `longest`;
 * null: absent or unreadable.
 * @param date the answer's own Date header, because our clock may differ
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

/** The longest time of a timer, about 24 days. */
const TIMER_MAX_MILLISECONDS = 2 ** 31 - 1;

/**
 * Makes a signal that aborts at the deadline or when one of `stops` does. `AbortSignal.any` would
 * outlive the request if they live long.
 */
function createCut({
  milliseconds,
  stops,
}: {
  milliseconds: number;
  stops: readonly (AbortSignal | undefined)[];
}): Cut {
  const controller = new AbortController();
  const onTime = () => end(new RpcError({ kind: "timeout", message: "no answer in time" }));
  const onStop = () => end(stops.find((stop) => stop?.aborted)?.reason);
  const timer = setTimeout(onTime, Math.min(Math.ceil(milliseconds), TIMER_MAX_MILLISECONDS));
  for (const stop of stops) stop?.addEventListener("abort", onStop, { once: true });
  if (stops.some((stop) => stop?.aborted)) onStop();

  function end(reason: unknown): void {
    release();
    controller.abort(reason);
  }

  function release(): void {
    clearTimeout(timer);
    for (const stop of stops) stop?.removeEventListener("abort", onStop);
  }

  return { signal: controller.signal, release };
}
