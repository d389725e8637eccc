import { describe, expect, it } from "vitest";
import { openSocket } from "../_setup.ts";
import { exchange, exchangePieces, expectRefusal } from "./_raw.ts";

const EPOCHS = "/api/v1/stats/rugs-per-epoch?epochs=1";
const get = (target: string, ...lines: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: a", ...lines, "", ""].join("\r\n");
const head = (method: string, ...lines: string[]) =>
  `${method} ${EPOCHS} HTTP/1.1\r\nHost: a\r\n${lines.join("\r\n")}\r\n\r\n`;
const GOOD = get(EPOCHS);
/** What a smuggler wants to be answered by itself. */
const SMUGGLED = get("/api/v1/nothing");
const HASTY = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 };

const toPieces = (...texts: string[]) => texts.map((text) => Buffer.from(text));
/** In pieces, as over a network. */
function exchangeInPackets(url: string, bytes: string) {
  const packets = Array.from({ length: 20 }, (_, at) => bytes.slice(at * 1_460, (at + 1) * 1_460));
  return exchangePieces(url, toPieces(...packets.filter((packet) => packet !== "")));
}

async function send(bytes: string, { until = Infinity, node = {} } = {}) {
  const { url } = await openSocket({ node });
  const { answers, rest } = await exchange(url, bytes, until);
  return { answers, rest, statuses: answers.map(({ status }) => status) };
}

describe("a request that machines on the way may read in two ways", () => {
  it.each([
    [
      "a length and chunks",
      `${head("POST", "Content-Length: 6", "Transfer-Encoding: chunked")}0\r\n\r\n`,
    ],
    [
      "chunks and a length",
      `${head("POST", "Transfer-Encoding: chunked", "Content-Length: 6")}0\r\n\r\n`,
    ],
    ["two lengths", head("POST", "Content-Length: 5", "Content-Length: 0")],
    ["two equal lengths", head("POST", "Content-Length: 0", "Content-Length: 0")],
    ["a list of lengths", head("POST", "Content-Length: 0, 5")],
    ["a signed length", head("POST", "Content-Length: +5")],
    ["a negative length", head("POST", "Content-Length: -1")],
    ["a length in hexadecimal", head("POST", "Content-Length: 0x5")],
    ["a length past all numbers", head("POST", `Content-Length: ${"9".repeat(40)}`)],
    ["chunked in quotes", head("POST", 'Transfer-Encoding: "chunked"')],
    ["chunked spelt otherwise", head("POST", "Transfer-Encoding: xchunked")],
    ["chunked not last", head("POST", "Transfer-Encoding: chunked, identity")],
    ["a vertical tab before chunked", head("POST", "Transfer-Encoding:\vchunked")],
    ["a space before the colon", head("POST", "Content-Length : 5")],
    ["a space before the colon of chunks", head("POST", "Transfer-Encoding : chunked")],
    ["a folded header", head("GET", "X-A: b", " Content-Length: 5")],
    ["a folded first header", `GET ${EPOCHS} HTTP/1.1\r\n Host: a\r\n\r\n`],
    ["bare line feeds", GOOD.replaceAll("\r\n", "\n")],
    ["one bare line feed", GOOD.replace("\r\nHost", "\nHost")],
    ["a bare line feed at the end", `GET ${EPOCHS} HTTP/1.1\r\nHost: a\r\n\n`],
    ["a bare carriage return", GOOD.replace("Host: a", "Host: a\rX: b")],
    ["a null byte in a header", head("GET", "X-A: b\0c")],
    ["a null byte in a name", head("GET", "X\0A: b")],
    ["a header without a name", head("GET", ": b")],
    ["a header without a colon", head("GET", "nothing")],
    ["a version that does not exist", GOOD.replace("1.1", "1.2")],
    ["a version of two digits", GOOD.replace("1.1", "1.10")],
    ["no version", `GET ${EPOCHS}\r\n\r\n`],
    ["a method that does not exist", GOOD.replace("GET", "GETS")],
    ["a null byte in the path", GOOD.replace("rugs", "rugs\0")],
    ["a blank in the path", GOOD.replace("rugs", "rugs x")],
    ["HTTP/2 at once", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["a target without a scheme or slash", get("api/v1/epoch")],
    ["no host", `GET ${EPOCHS} HTTP/1.1\r\n\r\n`],
    ["two hosts", head("GET", "Host: b")],
    ["two equal hosts", head("GET", "Host: a")],
    ["a host that is none", GOOD.replace("Host: a", "Host: a/b@c")],
  ])("is refused, and its connection closed: %s", async (_, bytes) => {
    const { answers, rest } = await send(bytes + SMUGGLED);
    expect([answers.length, rest]).toEqual([1, ""]);
    expectRefusal(answers[0], 400, "bad_request");
  });

  it.each([
    ["broken", "zz\r\n"],
    ["full of remarks", `1;${"a".repeat(20_000)}\r\nb\r\n0\r\n\r\n`],
    ["cut off by a bare line feed", "1\nb\r\n0\r\n\r\n"],
  ])("gets one answer when it is the body that is %s, and nothing behind it", async (_, body) => {
    const { statuses } = await send(head("POST", "Transfer-Encoding: chunked") + body + SMUGGLED);
    expect([[400], [405]]).toContainEqual(statuses);
  });
});

describe("a request that is too large", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `x${index}: b`);

  it.each([
    ["its path", get(`/${"a".repeat(8_192)}`)],
    ["its query", get(`${EPOCHS}&q=${"a".repeat(9_000)}`)],
  ])("is refused with 414 if it is %s", async (_, bytes) => {
    const { answers } = await send(bytes, { until: 1 });
    expect(answers[0]!.status).toBe(414);
    expect(answers[0]!.body).toMatch(/"uri_too_long".*8192/);
  });

  it.each([
    ["its path", get(`/${"a".repeat(1e5)}`)],
    ["its query, by ten megabytes", get(`${EPOCHS}&q=${"a".repeat(1e7)}`)],
    ["one header", get(EPOCHS, `Cookie: ${"a".repeat(17_000)}`)],
    ["one header, by ten megabytes", get(EPOCHS, `A: ${"a".repeat(1e7)}`)],
    ["100,000 headers", get(EPOCHS, ...names(1e5))],
  ])("is refused with 431 if it is more than all of a head may be: %s", async (_, bytes) => {
    for (const sendBytes of [exchange, exchangeInPackets]) {
      const { url } = await openSocket();
      const { answers } = await sendBytes(url, bytes);
      expect(answers).toHaveLength(1);
      expect(expectRefusal(answers[0], 431, "headers_too_large")).toContain("16384");
    }
  });

  it.each([
    ["8192 characters of a path", 404, get(`/${"a".repeat(8_191)}`, "Connection: close")],
    ["1,000 headers", 200, get(EPOCHS, ...names(998), "Connection: close")],
  ])("is none with %s", async (_, status, bytes) => {
    expect((await send(bytes)).statuses).toEqual([status]);
  });
});

describe("a body", () => {
  it("that is short is thrown away, also of a GET, and the next request answered", async () => {
    const bytes = `${head("GET", "Content-Length: 2")}{}${head("POST", "Content-Length: 2")}{}${GOOD}`;
    expect((await send(bytes, { until: 3 })).statuses).toEqual([200, 405, 200]);
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
    ["a target of another scheme", get("ftp://a/api/v1/nothing"), 404],
    ["a target that is no URL", get("http://[/"), 404],
    ["an expectation", head("GET", "Expect: a miracle"), 200],
    ["an IPv6 address and a port for a host", GOOD.replace("Host: a", "Host: [::1]:8080"), 200],
    ["an empty host", GOOD.replace("Host: a", "Host:"), 200],
    [
      "HTTP/1.1 that would be a web socket",
      head("GET", "Connection: Upgrade", "Upgrade: websocket"),
      200,
    ],
  ])("is answered as any other: %s", async (_, bytes, status) => {
    const { answers, statuses } = await send(bytes, { until: 1 });
    expect(statuses[0]).toBe(status);
    expect(answers[0]!.body).not.toMatch(/secret|internal_error/);
  });

  it("is not answered if it is CONNECT, and its connection closed", async () => {
    const bytes = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n";
    expect(await send(bytes + SMUGGLED)).toMatchObject({ answers: [], rest: "" });
  });
});

describe("a connection", () => {
  it("gives a thousand requests that were sent at once their answers in order", async () => {
    const epochs = Array.from({ length: 1_000 }, (_, index) => 1 + (index % 100));
    const bytes = epochs
      .map((count) => get(`/api/v1/stats/rugs-per-epoch?epochs=${count}`))
      .join("");
    const { answers } = await send(bytes, { until: epochs.length });
    expect(
      answers.map(({ body }) => (JSON.parse(body) as { data: unknown[] }).data.length),
    ).toEqual(epochs);
  });

  it("is closed behind a request that would leave HTTP/1.1, whatever follows", async () => {
    const upgrade = head("GET", "Connection: Upgrade", "Upgrade: websocket", "Expect: a miracle");
    for (const next of ["", SMUGGLED, GOOD.replace("GET", "NONSENSE")]) {
      const { answers, statuses, rest } = await send(upgrade + next);
      expect([statuses, rest]).toEqual([[200], ""]);
      expect(answers[0]!.headers).toMatchObject({ connection: "close" });
    }
  });

  it("is closed with 408 if the client never ends its request", async () => {
    const { answers } = await send("GET / HTTP/1.1\r\nHost: a\r\n", { node: HASTY });
    expect(answers).toHaveLength(1);
    expectRefusal(answers[0], 408, "request_timeout");
  });

  it("is closed without a word behind an answer if the client never ends its body, or the next head", async () => {
    for (const [bytes, status] of [
      [head("POST", "Content-Length: 5"), 405],
      [`${GOOD}GET / HTTP/1.1\r\n`, 200],
    ] as const)
      expect(await send(bytes, { node: HASTY })).toMatchObject({ statuses: [status], rest: "" });
  });

  it("is closed without a word if the client says nothing", async () => {
    expect(await send("", { node: HASTY })).toMatchObject({ statuses: [], rest: "" });
  });
});
