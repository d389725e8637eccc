import { HEADERS_MAX } from "../http/refusal.ts";

/** A request that nothing about is out of the ordinary. */
export interface PlainRequest {
  method: "GET" | "HEAD" | "OPTIONS";
  /** Path and query as they were sent. No URL parser would write them in another way. */
  target: string;
  headers: PlainHeaders;
  /** Whether the client wants the connection to end with the answer. */
  isLast: boolean;
}

/** The headers of a plain request, by lower-case name; each name came once. */
export interface PlainHeaders {
  /** null: it did not come. */
  readonly get: (name: string) => string | null;
  readonly size: number;
}

/** A longer head is left to Node's parser. Browsers send some 600 bytes, CDNs add 1,000. */
export const PLAIN_HEAD_MAX_BYTES = 4_096;

/** Of words and hyphens, with dots inside: no empty, hidden or dotted segment, nothing percent-encoded. */
const PATH = String.raw`/(?:[\w-]+(?:\.[\w-]+)*(?:/[\w-]+(?:\.[\w-]+)*)*)?`;
/** The query characters of RFC 3986, 3.4, less the apostrophe, which URL parsers encode. */
const QUERY = String.raw`[\w.~!$&()*+,;=:@/?%-]*`;
/** A name of letters, digits and hyphens, one space, and printable characters between two that are no space. */
const HEADER = String.raw`[A-Za-z0-9-]+: [!-~](?:[ -~]*[!-~])?\r\n`;
const HEAD = new RegExp(String.raw`^(GET|HEAD|OPTIONS) (${PATH}(?:\?${QUERY})?) HTTP/1\.1\r\n((?:${HEADER})+)\r\n$`);
const HOST = /^[\w.-]+(?::\d+)?$/;
/** RFC 9112: what says that a body follows, how the connection goes on, or that a client waits for something. */
const NOT_PLAIN = ["content-length", "transfer-encoding", "expect", "upgrade", "trailer", "te"];

/**
 * The request that a piece of a connection is, if it is exactly one whole request of the plainest kind; else null, and Node's
 * parser has to judge. Whatever could be read in two ways is not plain, so that both readings are always the same
 * (test/proxy/fast-lane/both-parsers.test.ts).
 */
export function parsePlainRequest(piece: Buffer): PlainRequest | null {
  if (piece.length > PLAIN_HEAD_MAX_BYTES) return null;
  const match = HEAD.exec(piece.toString("latin1"));
  if (match === null) return null;
  const [, method, target = "", lines = ""] = match;
  const headers = parseHeaders(lines);
  if (headers === null || !HOST.test(headers.get("host") ?? "")) return null;
  const connection = (headers.get("connection") ?? "keep-alive").toLowerCase();
  if (connection !== "keep-alive" && connection !== "close") return null;
  const isLast = connection === "close";
  return { method: method as PlainRequest["method"], target, headers, isLast };
}

/**
 * null: one name twice, of which some count the first, some the last, and some both; one that is not plain; or too many. Two
 * lists: to fill a Map takes longer than to look through the few headers of most requests.
 */
function parseHeaders(lines: string): PlainHeaders | null {
  const names: string[] = [];
  const values: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const colon = lines.indexOf(":", at);
    const end = lines.indexOf("\r", colon);
    const name = lines.slice(at, colon).toLowerCase();
    if (names.includes(name) || NOT_PLAIN.includes(name) || names.length === HEADERS_MAX) return null;
    names.push(name);
    values.push(lines.slice(colon + 2, end));
    at = end + 2;
  }
  return {
    get(name) {
      const place = names.indexOf(name);
      // Most headers asked for did not come, and values[-1] would be looked for as a property by that name, up to Object.
      return place === -1 ? null : (values[place] ?? null);
    },
    size: names.length,
  };
}
