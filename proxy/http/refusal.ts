import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";

/** Longest target of a request, in characters: four times what any browser's address bar or CDN is sure to carry. */
export const TARGET_MAX_CHARACTERS = 8_192;
/** Bytes of a request's first line and headers together, as Node counts them: its own default, said on purpose. */
export const HEAD_MAX_BYTES = 16_384;
/** Header lines of a request. A browser sends 15, a CDN adds 10. */
export const HEADERS_MAX = 100;

/** Host and port by the characters of RFC 3986, 3.2.2 and 3.2.3. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** Why a request that Node could parse is not even looked at; null: it is. */
export function findRefusal({ url = "", httpVersion, rawHeaders, headers }: IncomingMessage): ApiError | null {
  if (url.length > TARGET_MAX_CHARACTERS) return uriTooLong();
  if (rawHeaders.length > 2 * HEADERS_MAX) return headersTooLarge();
  // The parser also takes a line without a version for a request, as in 1991.
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return badRequest("The version must be HTTP/1.1 or HTTP/1.0.");
  // RFC 9112, 3.2.2: servers must accept a whole URL, though only proxies are sent it.
  if (!url.startsWith("/") && url !== "*" && !(/^https?:\/\//i.test(url) && URL.canParse(url)))
    return badRequest("The request's target must be a path, or a whole http URL.");
  // RFC 9112, 6.3: of any other coding nobody knows where its body ends.
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return badRequest("The only Transfer-Encoding of a request is chunked.");
  return findHostFault(rawHeaders, httpVersion);
}

/** RFC 9112, 3.2: two hosts may mean two different sites to two machines on the way. `headers` of Node has only the first. */
function findHostFault(rawHeaders: readonly string[], httpVersion: string): ApiError | null {
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    if (host !== undefined) return badRequest("A request must have exactly one Host header.");
    host = rawHeaders[at + 1] ?? "";
  }
  if (host === undefined && httpVersion === "1.1") return badRequest("A request must have exactly one Host header.");
  return HOST.test(host ?? "") ? null : badRequest("The Host header must be a host and, if need be, a port.");
}

/** As Node's parser tells of what it could not read, with its last piece; its clock and the system tell without one. */
export type ConnectionError = Error & { code?: string; rawPacket?: Buffer };

/** What a client is told of an error on its connection; null: nobody is there any more. */
export function toRefusal({ code, rawPacket }: ConnectionError): ApiError | null {
  switch (code) {
    case "ECONNRESET":
    case "EPIPE":
      return null;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new ApiError({ code: "request_timeout", message: "The request took too long to arrive." });
    case "HPE_HEADER_OVERFLOW":
      return /^[A-Z-]+ [^\n]*$/.test(rawPacket?.toString("latin1") ?? "") ? uriTooLong() : headersTooLarge();
    default:
      // The parser's own words name the parser.
      return badRequest("This is not a well-formed HTTP/1.1 request.");
  }
}

export function uriTooLong(): ApiError {
  const message = `The request's target must have at most ${TARGET_MAX_CHARACTERS} characters.`;
  return new ApiError({ code: "uri_too_long", message });
}

function badRequest(message: string): ApiError {
  return new ApiError({ code: "bad_request", message });
}

function headersTooLarge(): ApiError {
  const message = `A request must have at most ${HEADERS_MAX} headers, and with its first line at most ${HEAD_MAX_BYTES} bytes.`;
  return new ApiError({ code: "headers_too_large", message });
}
