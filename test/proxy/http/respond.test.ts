import { describe, expect, it } from "vitest";
import { describeProxy, openSocket, readError } from "../_setup.ts";
import { toPubkey } from "../fixtures.ts";
import { exchange, type RawAnswer } from "./_raw.ts";

const LIST = "/api/v1/validators";
const SMALL = `/api/v1/validators/${toPubkey(1)}/events`;

/** Headers that Node's server adds, or that differ between requests. */
const OWN = [
  "connection",
  "date",
  "keep-alive",
  "transfer-encoding",
  "ratelimit",
  "x-ratelimit-remaining",
  "x-request-id",
];
const readHeaders = (response: Response): Record<string, string> =>
  Object.fromEntries([...response.headers].filter(([name]) => !OWN.includes(name)));

describeProxy("a condition on the ETag", (_, request) => {
  it.each([LIST, SMALL])(
    "is answered for %s with the headers of a 200, but for those of the content",
    async (path) => {
      const {
        "content-type": type,
        "content-length": length,
        ...kept
      } = readHeaders(await request(path));
      expect([type, length]).not.toContain(undefined);
      for (const method of ["GET", "HEAD"]) {
        const response = await request(path, {
          method,
          headers: { "if-none-match": kept["etag"]! },
        });
        expect([response.status, await response.text()]).toEqual([304, ""]);
        expect(readHeaders(response)).toEqual(kept);
      }
    },
  );

  it.each(['"', "garbage", 'W/"', '"a" "b"', ",".repeat(5_000), `"${"x".repeat(8_000)}"`])(
    "is passed over when it is malformed or foreign (%#)",
    async (ifNoneMatch) => {
      expect((await request(LIST, { headers: { "if-none-match": ifNoneMatch } })).status).toBe(200);
    },
  );

  it.each([{ "if-none-match": "*" }, { "if-match": '"other"' }])(
    "is not looked at where there is nothing to compare with: %j",
    async (headers) => {
      expect((await request(`${LIST}?page=0`, { headers })).status).toBe(400);
      expect((await request("/nothing", { headers })).status).toBe(404);
      expect((await request(LIST, { method: "POST", headers })).status).toBe(405);
      expect((await request(LIST, { method: "OPTIONS", headers })).status).toBe(204);
    },
  );

  it("is fulfilled by the ETag in a list, weak or not", async () => {
    const etag = (await request(LIST)).headers.get("etag")!;
    for (const held of [etag, `W/${etag}`, `"other", W/${etag}`, "*"])
      expect((await request(LIST, { headers: { "if-none-match": held } })).status).toBe(304);
  });

  it("lets through who names the ETag, and then If-None-Match counts; refuses all others", async () => {
    const etag = (await request(LIST)).headers.get("etag")!;
    for (const held of [etag, `"other", ${etag}`, "*"]) {
      const headers = { "if-match": held };
      expect((await request(LIST, { headers })).status).toBe(200);
      expect((await request(LIST, { headers: { ...headers, "if-none-match": etag } })).status).toBe(
        304,
      );
    }
    for (const held of ['"other"', `W/${etag}`, "garbage"]) {
      const headers = { "if-match": held, "if-none-match": etag };
      const response = await request(LIST, { headers });
      await readError(response, 412, "precondition_failed");
      expect(response.headers.has("etag")).toBe(false);
      expect(response.headers.has("x-ratelimit-remaining")).toBe(true);
    }
  });
});

describeProxy("a header that asks for a piece or another form", (_, request) => {
  it.each([
    { range: "bytes=0-9" },
    { range: "bytes=0-9", "if-range": '"other"' },
    { accept: "text/html" },
    { accept: "application/json;q=0" },
  ])("is not read: %j", async (headers) => {
    const plain = await request(LIST);
    const response = await request(LIST, { headers });
    expect(response.status).toBe(200);
    expect(readHeaders(response)).toEqual(readHeaders(plain));
    expect(await response.text()).toBe(await plain.text());
    expect(Object.keys(readHeaders(response))).not.toContain("accept-ranges");
  });
});

describeProxy("HEAD", (_, request) => {
  it.each([
    [200, "/healthz"],
    [400, `${LIST}?limit=0`],
    [400, `${LIST}/nobody`],
    [404, `${LIST}/${toPubkey(99)}`],
    [404, "/nothing"],
    [503, "/api/v1/epoch?network=testnet"],
  ])("has every header of GET and no body: %i %s", async (status, path) => {
    const get = await request(path);
    const head = await request(path, { method: "HEAD" });
    expect([get.status, head.status]).toEqual([status, status]);
    expect(readHeaders(head)).toEqual(readHeaders(get));
    expect(get.headers.get("content-length")).toBe(String((await get.arrayBuffer()).byteLength));
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });
});

// Raw bytes: clients hide a doubled length, or a body where none belongs.
describe("on the wire", () => {
  /**
   * One request on its own connection: all bytes until
   * the server closes, and the names of its headers.
   */
  async function send(url: string, method: string, path: string, ...lines: string[]) {
    const bytes = [
      `${method} ${path} HTTP/1.1`,
      "Host: a",
      "Connection: close",
      ...lines,
      "",
      "",
    ].join("\r\n");
    const { received } = await exchange(url, bytes);
    const end = received.indexOf("\r\n\r\n");
    const [statusLine = "", ...fields] = received.slice(0, end).split("\r\n");
    const headers = fields.map((line) =>
      line.split(": ", 2).map((part, at) => (at === 0 ? part.toLowerCase() : part)),
    );
    const names = headers.map(([name = ""]) => name);
    const body = Buffer.from(received.slice(end + 4), "latin1");
    return {
      status: Number(statusLine.split(" ")[1]),
      names,
      headers: Object.fromEntries(headers) as RawAnswer["headers"],
      body,
    };
  }

  it.each([
    ["GET", LIST, 200],
    ["HEAD", LIST, 200],
    ["OPTIONS", LIST, 204],
    ["GET", "/nothing", 404],
    ["HEAD", "/nothing", 404],
    ["POST", LIST, 405],
    ["GET", `${LIST}?page=0`, 400],
    ["GET", "/api/v1/epoch?network=testnet", 503],
    ["GET", "/healthz", 200],
  ])(
    "%s %s has each header once, a Date, a length only of what has content, and no chunks",
    async (method, path, status) => {
      const { url } = await openSocket();
      const sent = await send(url, method, path);
      expect(sent.status).toBe(status);
      expect(sent.names).toEqual([...new Set(sent.names)]);
      expect(sent.headers).toMatchObject({
        connection: "close",
        date: expect.stringContaining("GMT") as string,
      });
      for (const name of ["transfer-encoding", "server", "x-powered-by"])
        expect(sent.names).not.toContain(name);
      const hasContent = method === "GET" || method === "POST";
      expect(sent.body.byteLength > 0).toBe(hasContent);
      expect(sent.names.includes("content-length")).toBe(method !== "OPTIONS");
      if (hasContent) expect(sent.headers["content-length"]).toBe(String(sent.body.byteLength));
    },
  );

  it("a 304 has neither content nor headers of it", async () => {
    const { url } = await openSocket();
    const { etag = "" } = (await send(url, "GET", LIST)).headers;
    for (const method of ["GET", "HEAD"]) {
      const sent = await send(url, method, LIST, `If-None-Match: ${etag}`);
      expect([sent.status, sent.body.byteLength, sent.headers["etag"]]).toEqual([304, 0, etag]);
      expect(sent.names).toEqual(
        expect.arrayContaining(["cache-control", "date", "x-ratelimit-reset"]),
      );
      expect(sent.names.filter((name) => /^content-(?!security)|transfer/.test(name))).toEqual([]);
    }
  });

  it("an answer is not compressed, whatever the client accepts", async () => {
    const { url } = await openSocket();
    for (let time = 0; time < 3; time++) {
      const sent = await send(url, "GET", LIST, "Accept-Encoding: br, gzip");
      expect(sent.names).not.toContain("content-encoding");
      expect(sent.names).not.toContain("vary");
      JSON.parse(sent.body.toString());
    }
  });
});
