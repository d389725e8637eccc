import { describe, expect, it } from "vitest";
import { parsePlainRequest, PLAIN_HEAD_MAX_BYTES } from "../../../proxy/fast-lane/plain-request.ts";
import { HEADERS_MAX } from "../../../proxy/http/refusal.ts";

const parse = (text: string) => parsePlainRequest(Buffer.from(text, "latin1"));
const withHeaders = (...headers: string[]) => ["GET /a HTTP/1.1", "Host: a", ...headers, "", ""].join("\r\n");
const withTarget = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe("a plain request", () => {
  it.each(["GET", "HEAD", "OPTIONS"])("is a whole %s", (method) => {
    const head = `${method} /api/v1/search?q=a%20b&network=testnet HTTP/1.1\r\nHost: rugwatch.example:8080\r\nX-A: b, c\r\n\r\n`;
    const request = parse(head)!;
    expect(request).toMatchObject({ method, target: "/api/v1/search?q=a%20b&network=testnet", isLast: false });
    const { headers } = request;
    expect(["host", "x-a", "x-b", "X-A"].map((name) => headers.get(name))).toEqual([
      "rugwatch.example:8080",
      "b, c",
      null,
      null,
    ]);
    expect(headers.size).toBe(2);
  });

  it("may be the last one", () => {
    expect(parse(withHeaders("Connection: close"))?.isLast).toBe(true);
    expect(parse(withHeaders("Connection: Keep-Alive"))?.isLast).toBe(false);
  });

  it.each(["/", "/a", "/a/b-c_d", "/api/v1/openapi.json", "/assets/index-1a.min.js", "/a?", "/a?b=/c/../d", "/a?b?c"])(
    "may be for %s",
    (target) => {
      expect(parse(withTarget(target))?.target).toBe(target);
    },
  );

  it.each([
    ["an empty segment", "//a"],
    ["a slash at the end", "/a/"],
    ["a hidden segment", "/.a"],
    ["a dotted segment", "/a/../b"],
    ["dots at the end of a segment", "/a./b"],
    ["an escape in the path", "/%61"],
    ["a backslash", "/a\\b"],
    ["a fragment", "/a#b"],
    ["an apostrophe in the query", "/a?b='"],
    ["a quotation mark in the query", '/a?b="'],
    ["a bracket in the query", "/a?b[]=1"],
    ["a byte beyond ASCII", "/a?b=\xe9"],
    ["a whole URL", "http://a/a"],
    ["an asterisk", "*"],
    ["no slash", "a"],
    ["a blank", "/a b"],
  ])("is not one with %s in its target", (_, target) => {
    expect(parse(withTarget(target))).toBeNull();
  });

  it.each([
    ["one header twice", "X-A: b", "x-a: c"],
    ["two hosts", "host: b"],
    ["a body", "Content-Length: 1"],
    ["no body, said on purpose", "Content-Length: 0"],
    ["a body in pieces", "Transfer-Encoding: chunked"],
    ["an expectation", "Expect: 100-continue"],
    ["a wish for another protocol", "Upgrade: websocket"],
    ["trailers", "TE: trailers"],
    ["hop-by-hop headers", "Connection: keep-alive, X-A"],
    ["a folded line", "X-A: b\r\n c"],
    ["a bare line feed", "X-A: b\nX-B: c"],
    ["a bare carriage return", "X-A: b\rX-B: c"],
    ["a null byte", "X-A: b\0"],
    ["a tab", "X-A: b\tc"],
    ["a byte beyond ASCII", "X-A: \xe9"],
    ["no blank behind the colon", "X-A:b"],
    ["two blanks behind the colon", "X-A:  b"],
    ["a blank at the end", "X-A: b "],
    ["a blank before the colon", "X-A : b"],
    ["an empty value", "X-A: "],
    ["no name", ": b"],
    ["no colon", "X-A"],
    ["an odd name", "X_A: b"],
  ])("is not one with %s", (_, ...headers) => {
    expect(parse(withHeaders(...headers))).toBeNull();
  });

  it.each([
    ["another method", "POST /a HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a method in small letters", "get /a HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["another version", "GET /a HTTP/1.0\r\nHost: a\r\n\r\n"],
    ["no version", "GET /a\r\nHost: a\r\n\r\n"],
    ["no host", "GET /a HTTP/1.1\r\nX-A: b\r\n\r\n"],
    ["an odd host", "GET /a HTTP/1.1\r\nHost: a@b\r\n\r\n"],
    ["no header", "GET /a HTTP/1.1\r\n\r\n"],
    ["an empty line before", "\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["bare line feeds", "GET /a HTTP/1.1\nHost: a\n\n"],
    ["an end that has not come", "GET /a HTTP/1.1\r\nHost: a\r\n"],
    ["another one behind it", "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["something behind it", "GET /a HTTP/1.1\r\nHost: a\r\n\r\nx"],
    ["nothing in it", ""],
  ])("is not one with %s", (_, text) => {
    expect(parse(text)).toBeNull();
  });

  it("has at most as many bytes and headers as are worth reading here", () => {
    const rest = PLAIN_HEAD_MAX_BYTES - withHeaders("X-A: ").length;
    expect(parse(withHeaders(`X-A: ${"b".repeat(rest)}`))).not.toBeNull();
    expect(parse(withHeaders(`X-A: ${"b".repeat(rest + 1)}`))).toBeNull();
    const toHeaders = (count: number) => Array.from({ length: count - 1 }, (_, number) => `X-${number}: b`);
    expect(parse(withHeaders(...toHeaders(HEADERS_MAX)))?.headers.size).toBe(HEADERS_MAX);
    expect(parse(withHeaders(...toHeaders(HEADERS_MAX + 1)))).toBeNull();
  });
});
