import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorld, listen, openSocket } from "../_setup.ts";
import { exchange, exchangePieces, expectRefusal } from "./_raw.ts";

const LIST = "/api/v1/validators";
const EPOCHS = "/api/v1/stats/rugs-per-epoch?epochs=1";
const get = (target: string, ...lines: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: a", ...lines, "", ""].join("\r\n");
const head = (method: string, ...lines: string[]) =>
  `${method} ${EPOCHS} HTTP/1.1\r\nHost: a\r\n${lines.join("\r\n")}\r\n\r\n`;
const GOOD = get(EPOCHS);
/** What a smuggler wants to be answered by itself. */
const SMUGGLED = get("/api/v1/nothing");
const CLOSING = { connection: "close" };
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

describe("an answer that was given a moment ago", () => {
  /** A proxy behind a socket that records what the app was asked. */
  async function open() {
    const made = await createWorld();
    const asked: string[] = [];
    const fetchByApp = made.app.fetch.bind(made.app);
    made.app.fetch = (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return fetchByApp(request);
    };
    const { url, close } = await listen(made);
    onTestFinished(close);
    const ask = async (method: string, path: string, ...lines: string[]) => {
      const bytes = [`${method} ${path} HTTP/1.1`, "Host: a", ...lines, "", ""].join("\r\n");
      return (await exchange(url, bytes, 1)).answers[0]!;
    };
    return { world: made.world, asked, ask };
  }

  it("is given again without the app, the same but for the limit and the Date", async () => {
    const { asked, ask } = await open();
    const [first, second] = [await ask("GET", LIST), await ask("GET", LIST)];
    const own = {
      "x-ratelimit-remaining": "99998",
      "x-ratelimit-reset": "60",
      ratelimit: '"default";r=99998;t=60',
    };
    expect(second).toEqual({
      ...first,
      headers: { ...first.headers, ...own, date: second.headers["date"] },
    });
    expect((await ask("GET", LIST, `If-None-Match: ${first.headers["etag"]}`)).status).toBe(304);
    expect((await ask("GET", LIST, 'If-None-Match: "other"')).status).toBe(200);
    expect(asked).toEqual([`GET ${LIST}`]);
  });

  it("is asked of the app again when its reading is due or the clock set back, by another target, method or If-Match", async () => {
    const { world, asked, ask } = await open();
    await ask("GET", LIST);
    for (const [method, query] of [
      ["GET", "?page=1"],
      ["OPTIONS", ""],
      ["POST", ""],
    ] as const)
      await ask(method, LIST + query);
    expect((await ask("GET", LIST, 'If-Match: "other"')).status).toBe(412);
    for (const [passed, times] of [
      [14_999, 5],
      [1, 6],
      [-3_600_000, 7],
    ] as const) {
      world.now += passed;
      await ask("GET", LIST);
      expect(asked).toHaveLength(times);
    }
  });

  it("is never an old one, an error, the epoch, a search or a word on the proxy's health", async () => {
    const { world, asked, ask } = await open();
    for (const path of ["/nothing", "/api/v1/epoch", "/api/v1/search?q=nobody", "/healthz"])
      for (let time = 0; time < 2; time += 1) await ask("GET", path);
    expect(asked).toHaveLength(8);
    await ask("GET", LIST);
    world.storeDown = true;
    world.now += 3_600_000;
    await ask("GET", LIST);
    asked.length = 0;
    const old = { "x-data-stale": "true", age: "3600" };
    const { headers } = await ask("GET", LIST);
    expect(headers).toMatchObject(old);
    const again = await ask("GET", LIST, `If-None-Match: ${headers["etag"]}`);
    expect(again).toMatchObject({ status: 304, headers: old });
    expect(asked).toHaveLength(2);
  });
});

describe("a client over its limit", () => {
  it.each([
    ["of the app", get("/nothing")],
    ["given again", get(LIST)],
    ["refused", get("/", "Host: b")],
  ])("gets a 429 that ends its connection, in place of an answer %s", async (_, bytes) => {
    const { url } = await openSocket({ perMinute: 2 });
    for (let time = 0; time < 2; time++) await exchange(url, get(LIST), 1);
    const { answers } = await exchange(url, bytes);
    expect(answers).toMatchObject([{ status: 429, headers: { ...CLOSING, "retry-after": "60" } }]);
  });
});

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
    ["two hosts", head("GET", "Host: b")],
    ["no host", `GET ${EPOCHS} HTTP/1.1\r\n\r\n`],
    ["a host that is none", GOOD.replace("Host: a", "Host: a/b@c")],
    ["a version that does not exist", GOOD.replace("1.1", "1.2")],
    ["a version of two digits", GOOD.replace("1.1", "1.10")],
    ["no version", `GET ${EPOCHS}\r\n\r\n`],
    ["a method that does not exist", GOOD.replace("GET", "GETS")],
    ["a null byte in the path", GOOD.replace("rugs", "rugs\0")],
    ["a blank in the path", GOOD.replace("rugs", "rugs x")],
    ["HTTP/2 at once", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["a target without a scheme or slash", get("api/v1/epoch")],
    ["a target of another scheme", get("ftp://a/api/v1/epoch")],
    ["a target that is no URL", get("http://[/")],
  ])("is refused, and its connection closed: %s", async (_, bytes) => {
    const { answers, rest } = await send(bytes + SMUGGLED);
    expect([answers.length, rest]).toEqual([1, ""]);
    expectRefusal(answers[0], 400, "bad_request");
  });

  it("does not overtake the answers to those before it", async () => {
    const { answers, statuses } = await send(GOOD + GOOD + head("GET", "X : b"));
    expect(statuses).toEqual([200, 200, 400]);
    expectRefusal(answers[2], 400, "bad_request");
  });

  it.each([
    ["broken", "zz\r\n"],
    ["full of remarks", `1;${"a".repeat(20_000)}\r\nb\r\n0\r\n\r\n`],
    ["cut off by a bare line feed", "1\nb\r\n0\r\n\r\n"],
  ])("gets no second answer when it is the body that is %s", async (_, body) => {
    const { statuses } = await send(head("POST", "Transfer-Encoding: chunked") + body + SMUGGLED);
    expect(statuses).toEqual([405]);
  });
});

describe("a request that is too large", () => {
  const LONG_PATH = get(`/${"a".repeat(1e5)}`);
  const names = (count: number) => Array.from({ length: count }, (_, index) => `x${index}: b`);
  const LONG_URI = [414, "uri_too_long", "8192"] as const;
  const LONG_HEAD = [431, "headers_too_large", "16384"] as const;

  it.each([
    ["its path", LONG_URI, [exchange], get(`/${"a".repeat(8_192)}`)],
    // Which part was too long, Node's parser does not tell.
    ["its path, in packets", LONG_HEAD, [exchangeInPackets], LONG_PATH],
    ["its query", LONG_URI, [exchange], get(`${EPOCHS}&q=${"a".repeat(9_000)}`)],
    ["its query, by ten megabytes", LONG_URI, [exchange], get(`${EPOCHS}&q=${"a".repeat(1e7)}`)],
    [
      "its query, by 100,000 parameters",
      LONG_URI,
      [exchange],
      get(`${EPOCHS}${"&a=b".repeat(1e5)}`),
    ],
    [
      "one header",
      LONG_HEAD,
      [exchange, exchangeInPackets],
      get(EPOCHS, `Cookie: ${"a".repeat(17_000)}`),
    ],
    [
      "one header, by ten megabytes",
      LONG_HEAD,
      [exchange, exchangeInPackets],
      get(EPOCHS, `A: ${"a".repeat(1e7)}`),
    ],
    ["many headers", LONG_HEAD, [exchange, exchangeInPackets], get(EPOCHS, ...names(100))],
    ["100,000 headers", LONG_HEAD, [exchange, exchangeInPackets], get(EPOCHS, ...names(1e5))],
  ])("is refused if it is %s: %j", async (_, [status, code, bound], ways, bytes) => {
    for (const sendBytes of ways) {
      const { url } = await openSocket();
      const { answers } = await sendBytes(url, bytes);
      expect(answers).toHaveLength(1);
      expect(expectRefusal(answers[0], status, code)).toContain(bound);
    }
  });

  it.each([
    [
      "414 behind one that Node's parser has read",
      [405, 414],
      [head("POST", "Content-Length: 0"), LONG_PATH],
    ],
    [
      "431 behind one whose target came in pieces",
      [404, 431],
      [
        "GET /api/v1/no",
        "thing HTTP/1.1\r\nHost: a\r\n\r\n",
        `${GOOD.slice(0, -2)}Cookie: a`,
        "a".repeat(30_000),
      ],
    ],
  ])("is refused with %s", async (_, statuses, texts) => {
    const { url } = await openSocket();
    const { answers } = await exchangePieces(url, toPieces(...texts));
    expect(answers.map(({ status }) => status)).toEqual(statuses);
  });

  it.each([
    ["8192 characters of a path", 404, get(`/${"a".repeat(8_191)}`, "Connection: close")],
    [
      "what only a URL would write longer",
      200,
      get(`${EPOCHS}&q=${'"'.repeat(4_000)}`, "Connection: close"),
    ],
    ["100 headers", 200, get(EPOCHS, ...names(98), "Connection: close")],
  ])("is none with %s", async (_, status, bytes) => {
    expect((await send(bytes)).statuses).toEqual([status]);
  });
});

describe("a body", () => {
  it.each([
    ["of ten megabytes", head("POST", "Content-Length: 10000000") + "a".repeat(10_000_000)],
    ["that never comes", head("POST", "Content-Length: 10000000")],
    ["for which the client waits", head("POST", "Content-Length: 10", "Expect: 100-continue")],
    [
      "of which something is expected",
      head("POST", "Content-Length: 10", "Expect: something else"),
    ],
  ])("is not read, and its connection closes: one %s", async (_, bytes) => {
    expect((await send(bytes)).answers).toMatchObject([{ status: 405, headers: CLOSING }]);
  });

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
  ])("is answered as any other: %s", async (_, bytes, status) => {
    const { answers, statuses } = await send(bytes, { until: 1 });
    expect(statuses).toEqual([status]);
    expect(answers[0]!.body).not.toContain("secret");
  });

  it.each([
    ["a web socket", ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]],
    ["HTTP/2", ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"]],
  ])("is answered without it if it asks for %s, and its connection closed", async (_, lines) => {
    const { answers } = await send(`${head("GET", ...lines)}NONSENSE /a HTTP/1.1\r\n\r\n`);
    expect(answers).toMatchObject([{ status: 200, headers: CLOSING }]);
  });

  it("is refused if it is CONNECT", async () => {
    const bytes = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n";
    const { answers } = await send(bytes + SMUGGLED);
    expect(answers).toHaveLength(1);
    expectRefusal(answers[0], 405, "method_not_allowed");
    expect(answers[0]!.headers["allow"]).toBe("GET, HEAD, OPTIONS");
  });

  it("harms nobody if it is CONNECT behind one that is refused, and its client gone before it can be told", async () => {
    const isAsked = Promise.withResolvers<undefined>();
    const isGone = Promise.withResolvers<undefined>();
    const made = await createWorld();
    const { url, close } = await listen({
      ...made,
      async gate(...client) {
        isAsked.resolve(undefined);
        await isGone.promise;
        return made.gate(...client);
      },
    });
    onTestFinished(close);
    const client = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
    client.write(`${head("GET", "Host: b")}CONNECT b:443 HTTP/1.1\r\nHost: b:443\r\n\r\n`);
    await isAsked.promise;
    client.resetAndDestroy();
    await new Promise((resolve) => client.once("close", resolve));
    isGone.resolve(undefined);
    // An unhandled error would fail this run.
    const { answers } = await exchange(url, get(EPOCHS, "Connection: close"));
    expect(answers.map(({ status }) => status)).toEqual([200]);
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

  it("is closed with 408 if the client never ends its request", async () => {
    const { answers } = await send("GET / HTTP/1.1\r\nHost: a\r\n", { node: HASTY });
    expect(answers).toHaveLength(1);
    expectRefusal(answers[0], 408, "request_timeout");
  });

  it.each([
    ["without a word if the client says nothing", "", []],
    [
      "without a second answer if a short body never comes",
      head("POST", "Content-Length: 10"),
      [405],
    ],
  ])("is closed %s", async (_, bytes, statuses) => {
    expect(await send(bytes, { node: HASTY })).toMatchObject({ statuses, rest: "" });
  });
});
