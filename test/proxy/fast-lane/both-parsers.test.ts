import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parsePlainRequest } from "../../../proxy/fast-lane/plain-request.ts";
import { CONNECTION_OPTIONS } from "../../../proxy/http/connections.ts";
import { findRefusal } from "../../../proxy/http/refusal.ts";
import { exchange } from "../http/_raw.ts";

const RUNS = 1_000;

/** Pieces that requests are made of, those first that a plain one may have. */
const start = fc.constantFrom("GET ", "HEAD ", "OPTIONS ", "POST ", "GET  ", "get ");
const target = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("/", "/api/v1/search?q=ab", "/api/v1/openapi.json", "/a?b=%zz&c=//..") },
  fc.stringMatching(/^\/[\w/.%?&='#[\]\\~ -]{0,12}$/),
);
const version = fc.constantFrom(...Array<string>(6).fill(" HTTP/1.1\r\n"), " HTTP/1.0\r\n", " HTTP/1.1\n", "\r\n");
const header = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("Accept: */*", "X-Forwarded-For: 10.0.0.1, 10.0.0.2", "If-None-Match: *") },
  fc.constantFrom("Host: b", "Connection: close", "Content-Length: 0", "Transfer-Encoding: chunked", "TE: trailers"),
  fc
    .tuple(fc.stringMatching(/^[\w!#$%&'*+.^`|~: -]{0,6}$/), fc.stringMatching(/^[ -~\t\0\r\n\u00e9]{0,8}$/))
    .map((pair) => pair.join(": ")),
);
const lines = fc
  .array(header, { maxLength: 4 })
  .map((headers) => ["Host: a", ...headers].map((line) => `${line}\r\n`).join(""));
const end = fc.constantFrom(
  ...Array<string>(8).fill("\r\n"),
  "",
  "\n",
  "\r\n\r\n",
  "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
);

/** Node's reading of what came over a connection. */
let seen: IncomingMessage[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer(CONNECTION_OPTIONS, (request, response) => {
    seen.push(request);
    response.shouldKeepAlive = false;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

describe("what is plain", () => {
  it("Node reads just the same, as one request that nobody refuses", async () => {
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(fc.tuple(start, target, version, lines, end), async (pieces) => {
        const text = pieces.join("");
        const request = parsePlainRequest(Buffer.from(text, "latin1"));
        if (request === null) return;
        plain += 1;
        seen = [];
        await exchange(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, text);
        expect(seen).toHaveLength(1);
        const [{ method, url, headers, rawHeaders, httpVersion }] = seen as [IncomingMessage];
        expect({ method, url }).toEqual({ method: request.method, url: request.target });
        expect(request.headers.size).toBe(Object.keys(headers).length);
        for (const [name, value] of Object.entries(headers)) expect(request.headers.get(name)).toBe(value);
        expect(findRefusal({ url: url!, httpVersion, rawHeaders, headers })).toBeNull();
        // What URL parsers make of a target must be what was sent.
        const { pathname, search } = new URL(`http://a${url}`);
        expect(url === pathname + search || url === `${pathname}?`).toBe(true);
      }),
      { numRuns: RUNS },
    );
    // Else the property says nothing.
    expect(plain).toBeGreaterThan(RUNS / 20);
  });
});
