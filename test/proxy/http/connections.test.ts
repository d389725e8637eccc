import type { ServerOptions } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Gate } from "../../../proxy/limits/rate-limit.ts";
import { createWorld, listen } from "../_setup.ts";
import { makeMainnet } from "../fixtures.ts";
import { exchange, exchangePieces } from "./_raw.ts";
import { expectRefusal } from "./_refusal.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function open(changes: ServerOptions = {}, wrapGate = (gate: Gate): Gate => gate): Promise<string> {
  const world = await createWorld(makeMainnet(), { perMinute: 1_000_000, trusted: { by: "nothing" } });
  const server = await listen({ ...world, gate: wrapGate(world.gate) }, changes);
  closers.push(() => server.close());
  return server.url;
}

const EPOCHS = "/api/v1/stats/rugs-per-epoch?epochs=1";
const get = (target: string, ...headers: string[]) =>
  ["GET ", target, " HTTP/1.1", ...["Host: a", ...headers].map((line) => `\r\n${line}`), "\r\n\r\n"].join("");
const GOOD = get(EPOCHS);
/** As it comes over a network: no more than some packets of it are read at once. */
const exchangeInPackets = (url: string, bytes: string) =>
  exchangePieces(
    url,
    Array.from({ length: Math.min(20, Math.ceil(bytes.length / PACKET_BYTES)) }, (_, at) =>
      Buffer.from(bytes.slice(at * PACKET_BYTES, (at + 1) * PACKET_BYTES)),
    ),
  );
const PACKET_BYTES = 1_460;
/** What a smuggler wants to be answered by itself. */
const SMUGGLED = get("/api/v1/nothing");
const head = (method: string, ...lines: string[]) =>
  `${method} ${EPOCHS} HTTP/1.1\r\nHost: a\r\n${lines.join("\r\n")}\r\n\r\n`;

describe("a request that machines on the way may read in two ways", () => {
  it.each([
    ["a length and chunks", head("POST", "Content-Length: 6", "Transfer-Encoding: chunked") + `0\r\n\r\n${SMUGGLED}`],
    ["chunks and a length", head("POST", "Transfer-Encoding: chunked", "Content-Length: 6") + `0\r\n\r\n${SMUGGLED}`],
    ["two lengths", head("POST", "Content-Length: 5", "Content-Length: 0") + SMUGGLED],
    ["two equal lengths", head("POST", "Content-Length: 0", "Content-Length: 0") + SMUGGLED],
    ["a list of lengths", head("POST", "Content-Length: 0, 5") + SMUGGLED],
    ["a signed length", head("POST", "Content-Length: +5") + SMUGGLED],
    ["a negative length", head("POST", "Content-Length: -1") + SMUGGLED],
    ["a length in hexadecimal", head("POST", "Content-Length: 0x5") + SMUGGLED],
    ["a length past all numbers", head("POST", `Content-Length: ${"9".repeat(40)}`) + SMUGGLED],
    ["chunked in quotes", head("POST", 'Transfer-Encoding: "chunked"') + SMUGGLED],
    ["chunked spelt otherwise", head("POST", "Transfer-Encoding: xchunked") + SMUGGLED],
    ["chunked not last", head("POST", "Transfer-Encoding: chunked, identity") + SMUGGLED],
    ["a vertical tab before chunked", head("POST", "Transfer-Encoding:\vchunked") + SMUGGLED],
    ["a space before the colon", head("POST", "Content-Length : 5") + SMUGGLED],
    ["a space before the colon of chunks", head("POST", "Transfer-Encoding : chunked") + SMUGGLED],
    ["a folded header", head("GET", "X-A: b", " Content-Length: 5") + SMUGGLED],
    ["a folded first header", `GET ${EPOCHS} HTTP/1.1\r\n Host: a\r\n\r\n${SMUGGLED}`],
    ["bare line feeds", GOOD.replaceAll("\r\n", "\n") + SMUGGLED],
    ["one bare line feed", GOOD.replace("\r\nHost", "\nHost") + SMUGGLED],
    ["a bare line feed at the end", `GET ${EPOCHS} HTTP/1.1\r\nHost: a\r\n\n${SMUGGLED}`],
    ["a bare carriage return", GOOD.replace("Host: a", "Host: a\rX: b") + SMUGGLED],
    ["a null byte in a header", head("GET", "X-A: b\0c") + SMUGGLED],
    ["a null byte in a name", head("GET", "X\0A: b") + SMUGGLED],
    ["a header without a name", head("GET", ": b") + SMUGGLED],
    ["a header without a colon", head("GET", "nothing") + SMUGGLED],
    ["two hosts", head("GET", "Host: b") + SMUGGLED],
    ["no host", `GET ${EPOCHS} HTTP/1.1\r\n\r\n${SMUGGLED}`],
    ["a host that is none", GOOD.replace("Host: a", "Host: a/b@c") + SMUGGLED],
    ["a version that does not exist", GOOD.replace("1.1", "1.2") + SMUGGLED],
    ["a version of two digits", GOOD.replace("1.1", "1.10") + SMUGGLED],
    ["no version", `GET ${EPOCHS}\r\n\r\n${SMUGGLED}`],
    ["a method that does not exist", GOOD.replace("GET", "GETS") + SMUGGLED],
    ["a null byte in the path", GOOD.replace("rugs", "rugs\0") + SMUGGLED],
    ["a blank in the path", GOOD.replace("rugs", "rugs x") + SMUGGLED],
    ["HTTP/2 at once", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["a target without a scheme or slash", get("api/v1/epoch") + SMUGGLED],
    ["a target of another scheme", get("ftp://a/api/v1/epoch") + SMUGGLED],
    ["a target that is no URL", get("http://[/") + SMUGGLED],
  ])("is refused, and its connection closed: %s", async (_, bytes) => {
    const { answers, rest } = await exchange(await open(), bytes);
    expect(answers).toHaveLength(1);
    expect(rest).toBe("");
    expectRefusal(answers[0], 400, "bad_request");
  });

  it("does not overtake the answers to those before it", async () => {
    const { answers } = await exchange(await open(), GOOD + GOOD + head("GET", "X : b"));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expectRefusal(answers[2], 400, "bad_request");
  });

  it.each([
    ["broken", "zz\r\n"],
    ["full of remarks", `1;${"a".repeat(20_000)}\r\nb\r\n0\r\n\r\n`],
    ["cut off by a bare line feed", "1\nb\r\n0\r\n\r\n"],
  ])("gets no second answer when it is the body that is %s", async (_, body) => {
    const { answers } = await exchange(await open(), head("POST", "Transfer-Encoding: chunked") + body + SMUGGLED);
    expect(answers.map(({ status }) => status)).toEqual([405]);
  });
});

describe("a request that is too large", () => {
  it.each([
    ["its path", 8_193, get(`/${"a".repeat(8_192)}`)],
    ["its query", 9_000, get(`${EPOCHS}&q=${"a".repeat(9_000)}`)],
    ["its query, by ten megabytes", 1e7, get(`${EPOCHS}&q=${"a".repeat(1e7)}`)],
    ["its query, by 100,000 parameters", 1e5, get(`${EPOCHS}${"&a=b".repeat(1e5)}`)],
  ])("is refused with 414 if it is %s", async (_title, _size, bytes) => {
    const { answers } = await exchange(await open(), bytes);
    expect(answers).toHaveLength(1);
    expect(expectRefusal(answers[0], 414, "uri_too_long")).toContain("8192");
  });

  it("is refused with 431 if its path comes in packets: which part was too long, Node's parser does not tell", async () => {
    const { answers } = await exchangeInPackets(await open(), get(`/${"a".repeat(1e5)}`));
    expect(answers).toHaveLength(1);
    expect(expectRefusal(answers[0], 431, "headers_too_large")).toContain("16384");
  });

  it("is refused with 414 behind one that Node's parser has read", async () => {
    const { answers } = await exchangePieces(
      await open(),
      [head("POST", "Content-Length: 0"), get(`/${"a".repeat(1e5)}`)].map((text) => Buffer.from(text)),
    );
    expect(answers.map(({ status }) => status)).toEqual([405, 414]);
  });

  it.each([
    ["which is read", 404, `/${"a".repeat(8_191)}`],
    ["as it was sent, not as a URL would write it", 200, `${EPOCHS}&q=${'"'.repeat(4_000)}`],
  ])("has a path of 8192 characters at most, %s", async (_, status, target) => {
    const { answers } = await exchange(await open(), get(target, "Connection: close"));
    expect(answers.map(({ status }) => status)).toEqual([status]);
  });

  it.each([
    ["one header", get(EPOCHS, `Cookie: ${"a".repeat(17_000)}`)],
    ["one header, by ten megabytes", get(EPOCHS, `Cookie: ${"a".repeat(1e7)}`)],
    ["many headers", get(EPOCHS, ...Array.from({ length: 100 }, (_, index) => `x${index}: b`))],
    ["100,000 headers", get(EPOCHS, ...Array.from({ length: 1e5 }, (_, index) => `x${index}: b`))],
  ])("is refused with 431 if it is %s", async (_, bytes) => {
    for (const send of [exchange, exchangeInPackets]) {
      const { answers } = await send(await open(), bytes);
      expect(answers).toHaveLength(1);
      expectRefusal(answers[0], 431, "headers_too_large");
    }
  });

  it("is refused with 431 behind one whose target came in pieces", async () => {
    const long = get(EPOCHS, `Cookie: ${"a".repeat(30_000)}`);
    const bytes = [
      "GET /api/v1/no",
      "thing HTTP/1.1\r\nHost: a\r\n\r\n",
      long.slice(0, 1_000),
      long.slice(1_000, 28_000),
    ];
    const pieces = bytes.map((text) => Buffer.from(text));
    const { answers } = await exchangePieces(await open(), pieces);
    expect(answers.map(({ status }) => status)).toEqual([404, 431]);
  });

  it("has 100 headers at most, which are read", async () => {
    const headers = Array.from({ length: 98 }, (_, index) => `x${index}: b`);
    const { answers } = await exchange(await open(), get(EPOCHS, ...headers, "Connection: close"));
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });
});

describe("a body", () => {
  it("of ten megabytes is not read: the answer says that the connection closes", async () => {
    const bytes = head("POST", "Content-Length: 10000000") + "a".repeat(10_000_000);
    const { answers } = await exchange(await open(), bytes);
    expect(answers).toMatchObject([{ status: 405, headers: { connection: "close" } }]);
  });

  it("that never comes holds nobody up", async () => {
    const { answers } = await exchange(await open(), head("POST", "Content-Length: 10000000"));
    expect(answers).toMatchObject([{ status: 405, headers: { connection: "close" } }]);
  });

  it("that is short is thrown away, also of a GET, and the next request answered", async () => {
    const bytes = `${head("GET", "Content-Length: 2")}{}${head("POST", "Content-Length: 2")}{}${GOOD}`;
    const { answers } = await exchange(await open(), bytes, 3);
    expect(answers.map(({ status }) => status)).toEqual([200, 405, 200]);
  });

  it.each(["100-continue", "something else"])("is not waited for if the client expects %s", async (expectation) => {
    const bytes = head("POST", "Content-Length: 10", `Expect: ${expectation}`);
    const { answers } = await exchange(await open(), bytes);
    expect(answers).toMatchObject([{ status: 405, headers: { connection: "close" } }]);
  });
});

describe("a request of an unusual form", () => {
  it.each([
    ["a whole URL", get(`http://a${EPOCHS}`), 200],
    ["a whole URL of another host", get(`http://other.example${EPOCHS}`), 200],
    ["a whole URL with a way up", get("http://a/api/v1/../../etc/passwd"), 404],
    ["HTTP/1.0, without a host", `GET ${EPOCHS} HTTP/1.0\r\n\r\n`, 200],
    ["a star", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 404],
    ["TRACE", head("TRACE", "Cookie: secret"), 405],
  ])("is answered as any other: %s", async (_, bytes, status) => {
    const { answers } = await exchange(await open(), bytes, 1);
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(answers[0]!.body).not.toContain("secret");
  });

  it.each([
    ["a web socket", ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]],
    ["HTTP/2", ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"]],
  ])("is answered without it if it asks for %s, and its connection closed", async (_, lines) => {
    const { answers } = await exchange(await open(), head("GET", ...lines) + "NONSENSE /a HTTP/1.1\r\n\r\n");
    expect(answers).toMatchObject([{ status: 200, headers: { connection: "close" } }]);
  });

  it("is refused if it is CONNECT", async () => {
    const bytes = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n";
    const { answers } = await exchange(await open(), bytes + SMUGGLED);
    expect(answers).toHaveLength(1);
    expectRefusal(answers[0], 405, "method_not_allowed");
    expect(answers[0]!.headers["allow"]).toBe("GET, HEAD, OPTIONS");
  });

  it("harms nobody if it is CONNECT behind one that is refused, and its client gone before it can be told", async () => {
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<undefined>();
    const { promise: isGone, resolve: go } = Promise.withResolvers<undefined>();
    const url = await open({}, (gate) => async (origin) => {
      ask(undefined);
      await isGone;
      return gate(origin);
    });
    const { hostname, port } = new URL(url);
    const client = connect({ host: hostname, port: Number(port) });
    client.write(`${head("GET", "Host: b")}CONNECT b:443 HTTP/1.1\r\nHost: b:443\r\n\r\n`);
    await isAsked;
    client.resetAndDestroy();
    await new Promise((resolve) => client.once("close", resolve));
    go(undefined);
    // An error that nobody listens to would end the process, and fails this run.
    const { answers } = await exchange(url, get(EPOCHS, "Connection: close"));
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });
});

describe("a connection", () => {
  it("gives a thousand requests that were sent at once their answers in order", async () => {
    const epochs = Array.from({ length: 1_000 }, (_, index) => 1 + (index % 100));
    const bytes = epochs.map((count) => get(`/api/v1/stats/rugs-per-epoch?epochs=${count}`)).join("");
    const { answers } = await exchange(await open(), bytes, epochs.length);
    const lengths = answers.map(({ body }) => (JSON.parse(body) as { data: unknown[] }).data.length);
    expect(lengths).toEqual(epochs);
  });

  it("is closed with 408 if the client never ends its request", async () => {
    const url = await open({ headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 });
    const { answers } = await exchange(url, "GET / HTTP/1.1\r\nHost: a\r\n");
    expect(answers).toHaveLength(1);
    expectRefusal(answers[0], 408, "request_timeout");
  });

  it("is closed without a word if the client says nothing", async () => {
    const url = await open({ headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 });
    expect(await exchange(url, "")).toEqual({ answers: [], rest: "" });
  });

  it("is closed without a second answer if a short body never comes", async () => {
    const url = await open({ headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 });
    const { answers } = await exchange(url, head("POST", "Content-Length: 10"));
    expect(answers.map(({ status }) => status)).toEqual([405]);
  });

  it("is served while others are held open by slow writers", async () => {
    const url = await open();
    const { hostname, port } = new URL(url);
    const slow = Array.from({ length: 200 }, () =>
      connect({ host: hostname, port: Number(port) }).on("error", () => 0),
    );
    for (const socket of slow) socket.write("GET / HTTP/1.1\r\nX");
    const { answers } = await exchange(url, GOOD, 1);
    expect(answers.map(({ status }) => status)).toEqual([200]);
    for (const socket of slow) socket.destroy();
  });
});
