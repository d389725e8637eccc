import { setImmediate } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { VARIES_MIN_BYTES } from "../../../proxy/answer.ts";
import { describeProxy, openSocket, readError, type Proxy } from "../_setup.ts";
import { toPubkey } from "../fixtures.ts";
import { exchange, type RawAnswer } from "./_raw.ts";

const LIST = "/api/v1/validators";
const SMALL = `/api/v1/validators/${toPubkey(1)}/events`;
const withCoding = (etag: string, coding: string) => etag.replace(/"$/, `-${coding}"`);

/** Headers that Node's server adds, or that differ between requests. */
const OWN = [
  "connection",
  "date",
  "keep-alive",
  "transfer-encoding",
  "ratelimit",
  "x-ratelimit-remaining",
];
const readHeaders = (response: Response): Record<string, string> =>
  Object.fromEntries([...response.headers].filter(([name]) => !OWN.includes(name)));

/** Asks until the answer comes in this coding: another thread makes the variant. */
async function requestCoded(
  { request }: Proxy,
  path: string,
  acceptEncoding: string,
  coding: string,
) {
  for (let tries = 0; tries < 10_000; tries++) {
    const response = await request(path, { headers: { "accept-encoding": acceptEncoding } });
    if (response.headers.get("content-encoding") === coding) return response;
    await response.arrayBuffer();
    await setImmediate();
  }
  throw new Error(`${path} never came with ${coding}`);
}

function describeVariant({ status, headers }: Response) {
  const names = ["content-encoding", "etag", "vary", "cache-control"];
  return { status, ...Object.fromEntries(names.map((name) => [name, headers.get(name)])) };
}

describeProxy("an answer that repeats", (open, request) => {
  it.each(["br", "gzip"])(
    "comes with %s, in fewer bytes, under an ETag of its own, to HEAD too",
    async (coding) => {
      const proxy = await open();
      const plain = readHeaders(await proxy.request(LIST));
      const coded = readHeaders(await requestCoded(proxy, LIST, coding, coding));
      const { "content-length": length, ...same } = plain;
      const changes = { etag: withCoding(plain["etag"]!, coding), "content-encoding": coding };
      expect(coded).toEqual({ ...same, ...changes, "content-length": coded["content-length"] });
      expect(Number(coded["content-length"])).toBeGreaterThan(0);
      expect(Number(coded["content-length"])).toBeLessThan(Number(length) / 3);
      const head = await proxy.request(LIST, {
        method: "HEAD",
        headers: { "accept-encoding": coding },
      });
      expect(readHeaders(head)).toEqual(coded);
    },
  );

  it("comes as it is the first two times: nobody waits for a compression", async () => {
    for (let time = 0; time < 2; time++) {
      const response = await request(LIST, { headers: { "accept-encoding": "br, gzip" } });
      expect(describeVariant(response)).toMatchObject({
        "content-encoding": null,
        vary: "Accept-Encoding",
      });
      expect(response.headers.get("etag")).not.toMatch(/-(br|gzip)"$/);
    }
  });

  it.each(["gzip", "br"])(
    "comes with %s at once to who refuses it plain, before and while it is fresh",
    async (coding) => {
      const proxy = await open();
      const ask = async (acceptEncoding: string, path = LIST) =>
        (await proxy.request(path, { headers: { "accept-encoding": acceptEncoding } })).headers.get(
          "content-encoding",
        );
      const refusing = `${coding}, identity;q=0`;
      const whole = `${LIST}?limit=7`;
      expect([
        await ask(refusing),
        await ask("identity", whole),
        await ask(refusing, whole),
      ]).toEqual([coding, null, coding]);
      expect([await ask("identity;q=0"), await ask(refusing, SMALL)]).toEqual([null, null]);
    },
  );

  it("comes in the coding that the client likes best, or else in one that is at hand", async () => {
    const proxy = await open();
    await requestCoded(proxy, LIST, "gzip", "gzip");
    const ask = async (acceptEncoding: string) =>
      (await proxy.request(LIST, { headers: { "accept-encoding": acceptEncoding } })).headers.get(
        "content-encoding",
      );
    expect(await ask("br, gzip")).toBe("gzip");
    await requestCoded(proxy, LIST, "br, gzip", "br");
    const codings = {
      "gzip;q=1, br;q=0.5": "gzip",
      "br;q=0, *": "gzip",
      "identity, br;q=0.9": null,
      "*;q=0": null,
    };
    for (const [acceptEncoding, coding] of Object.entries(codings))
      expect(await ask(acceptEncoding)).toBe(coding);
  });

  it("is 304 to who holds a variant, at hand or not, unless it accepts that coding no more or the content is new", async () => {
    const proxy = await open();
    const plain = (await proxy.request(LIST)).headers.get("etag")!;
    for (const etag of [plain, withCoding(plain, "br"), withCoding(plain, "gzip")]) {
      const headers = { "accept-encoding": "gzip, br", "if-none-match": `"other", W/${etag}` };
      const response = await proxy.request(LIST, { headers });
      expect(describeVariant(response)).toMatchObject({
        status: 304,
        etag,
        vary: "Accept-Encoding",
        "content-encoding": null,
      });
    }
    const refused = { "accept-encoding": "gzip", "if-none-match": withCoding(plain, "br") };
    expect(describeVariant(await proxy.request(LIST, { headers: refused }))).toMatchObject({
      status: 200,
    });
    const one = await requestCoded(proxy, `${LIST}?page=1&limit=5`, "br", "br");
    const headers = { "accept-encoding": "br", "if-none-match": one.headers.get("etag")! };
    expect((await proxy.request(`${LIST}?page=2&limit=5`, { headers })).status).toBe(200);
  });

  it.each([
    [SMALL, "GET"],
    ["/nothing", "GET"],
    [LIST, "POST"],
    [LIST, "OPTIONS"],
  ])(
    "is not compressed, and does not vary, where it is short or none: %s to %s",
    async (path, method) => {
      for (let time = 0; time < 10; time++) {
        const response = await request(path, { method, headers: { "accept-encoding": "br" } });
        expect(Number(response.headers.get("content-length"))).toBeLessThan(VARIES_MIN_BYTES);
        expect(describeVariant(response)).toMatchObject({ "content-encoding": null, vary: null });
        await setImmediate();
      }
    },
  );
});

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

  it("lets through who names the ETag in any coding it accepts, and then If-None-Match counts; refuses all others", async () => {
    const plain = (await request(LIST)).headers.get("etag")!;
    for (const etag of [plain, withCoding(plain, "br"), `"other", ${plain}`, "*"]) {
      const headers = { "accept-encoding": "br, gzip", "if-match": etag };
      expect((await request(LIST, { headers })).status).toBe(200);
      expect(
        (await request(LIST, { headers: { ...headers, "if-none-match": plain } })).status,
      ).toBe(304);
    }
    for (const etag of ['"other"', `W/${plain}`, "garbage", withCoding(plain, "gzip")]) {
      const headers = { "accept-encoding": "br", "if-match": etag, "if-none-match": plain };
      const response = await request(LIST, { headers });
      await readError(response, 412, "precondition_failed");
      expect(response.headers.has("etag")).toBe(false);
      expect(response.headers.has("x-ratelimit-remaining")).toBe(true);
    }
  });
});

describeProxy("a header that asks for a date, a piece or another form", (_, request) => {
  it.each([
    { "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" },
    { "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT" },
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
    expect(Object.keys(readHeaders(response))).not.toContain("last-modified");
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

  it("a 304 has neither content nor headers of it; without Accept-Encoding any ETag counts, and nothing is compressed", async () => {
    const { url } = await openSocket();
    for (let time = 0; time < 5; time++) {
      const plain = await send(url, "GET", LIST);
      expect(plain.names).not.toContain("content-encoding");
      JSON.parse(plain.body.toString());
    }
    const { etag = "" } = (await send(url, "GET", LIST)).headers;
    for (const method of ["GET", "HEAD"])
      for (const held of [etag, withCoding(etag, "br")]) {
        const sent = await send(url, method, LIST, `If-None-Match: ${held}`);
        expect([sent.status, sent.body.byteLength, sent.headers["etag"]]).toEqual([304, 0, held]);
        expect(sent.names).toEqual(
          expect.arrayContaining(["cache-control", "vary", "date", "x-ratelimit-reset"]),
        );
        expect(sent.names.filter((name) => /^content-(?!security)|transfer/.test(name))).toEqual(
          [],
        );
      }
  });

  it.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ])("an answer with %s is what it says, and the same document", async (coding, decompress) => {
    const { url } = await openSocket();
    const plain = await send(url, "GET", LIST);
    let coded = plain;
    for (let tries = 0; tries < 1_000 && coded.headers["content-encoding"] === undefined; tries++)
      coded = await send(url, "GET", LIST, `Accept-Encoding: ${coding}`);
    const shown = { "content-encoding": coding, "content-length": String(coded.body.byteLength) };
    expect(coded.headers).toMatchObject(shown);
    expect(decompress(coded.body).equals(plain.body)).toBe(true);
    expect(coded.names).toEqual([...new Set(coded.names)]);
  });
});
