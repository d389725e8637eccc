import type { IncomingMessage } from "node:http";
import { MESSAGES } from "../../generator/contract/errors.ts";
import { ApiError } from "../errors.ts";

/* Requests that are refused before they are routed. */

/** Four times what every browser and CDN carries. */
export const TARGET_MAX_CHARACTERS = 8_192;
/** First line and headers together; Node's default. */
export const HEAD_MAX_BYTES = 16_384;
/** Browsers send 15, a CDN adds 10. */
const HEADERS_MAX = 100;

const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

export function findRefusal({
  url = "",
  httpVersion,
  rawHeaders,
  headers,
}: IncomingMessage): ApiError | null {
  if (url.length > TARGET_MAX_CHARACTERS) return uriTooLong();
  if (rawHeaders.length > 2 * HEADERS_MAX) return headersTooLarge();
  // The parser also takes HTTP/0.9, a line without a version.
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    return badRequest("The version must be HTTP/1.1 or HTTP/1.0.");
  // RFC 9112, 3.2.2: servers must accept a whole URL.
  if (!url.startsWith("/") && url !== "*" && !(/^https?:\/\//i.test(url) && URL.canParse(url)))
    return badRequest("The request's target must be a path, or a whole http URL.");
  // RFC 9112, 6.3: where the body of another coding ends is unknown.
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return badRequest("The only Transfer-Encoding of a request is chunked.");
  return findHostFault(rawHeaders, httpVersion);
}

/**
 * RFC 9112, 3.2: two servers may read two Host headers
 * differently. Node's `headers` has only the first.
 */
function findHostFault(rawHeaders: readonly string[], httpVersion: string): ApiError | null {
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    if (host !== undefined) return badRequest("A request must have exactly one Host header.");
    host = rawHeaders[at + 1] ?? "";
  }
  if (host === undefined && httpVersion === "1.1")
    return badRequest("A request must have exactly one Host header.");
  return HOST.test(host ?? "")
    ? null
    : badRequest("The Host header must be a host and, if need be, a port.");
}

/**
 * The parser's errors have the packet that it could
 * not read; time-outs and the system's errors do not.
 */
export type ConnectionError = Error & { code?: string; rawPacket?: Buffer };

export function toRefusal({ code, rawPacket }: ConnectionError): ApiError | null {
  if (code === "ECONNRESET" || code === "EPIPE") return null;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ApiError("request_timeout", MESSAGES.request_timeout);
  // The parser's own message names the parser.
  if (code !== "HPE_HEADER_OVERFLOW")
    return badRequest("This is not a well-formed HTTP/1.1 request.");
  return /^[A-Z-]+ [^\n]*$/.test(rawPacket?.toString("latin1") ?? "")
    ? uriTooLong()
    : headersTooLarge();
}

export const uriTooLong = () =>
  new ApiError(
    "uri_too_long",
    `The request's target must have at most ${TARGET_MAX_CHARACTERS} characters.`,
  );
const headersTooLarge = () =>
  new ApiError(
    "headers_too_large",
    `A request must have at most ${HEADERS_MAX} headers, and with its first line at most ${HEAD_MAX_BYTES} bytes.`,
  );
const badRequest = (message: string) => new ApiError("bad_request", message);
