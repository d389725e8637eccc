import { expect, it } from "vitest";
import { describeProxy, readError } from "../_setup.ts";
import { toPubkey } from "../fixtures.ts";

const LIST = "/api/v1/validators";
const SMALL = `/api/v1/validators/${toPubkey(1)}/events`;

/** What a node's own server adds on the way, and what differs from one request to the next. */
const OF_THE_CONNECTION = [
  "connection",
  "date",
  "keep-alive",
  "transfer-encoding",
  "ratelimit",
  "x-ratelimit-remaining",
];

function readHeaders(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name)));
}

describeProxy("a condition on the ETag", (open) => {
  it.each([LIST, SMALL])("is answered for %s with the headers of a 200, but for those of the content", async (path) => {
    const { request } = await open();
    const { "content-type": type, "content-length": length, ...kept } = readHeaders(await request(path));
    expect([type, length]).not.toContain(undefined);
    for (const method of ["GET", "HEAD"]) {
      const response = await request(path, { method, headers: { "if-none-match": kept["etag"]! } });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe("");
      expect(readHeaders(response)).toEqual(kept);
    }
  });

  it("does not hold for the ETag of another content, be it of the same length", async () => {
    const { request } = await open();
    const first = (await request(`${LIST}?page=8&limit=1`)).headers.get("etag")!;
    const second = await request(`${LIST}?page=9&limit=1`, { headers: { "if-none-match": first } });
    expect(second.status).toBe(200);
    expect(second.headers.get("etag")).not.toBe(first);
  });

  it.each(['"', "garbage", 'W/"', '"a" "b"', ",".repeat(5_000), `"${"x".repeat(8_000)}"`])(
    "is passed over when it is malformed or foreign (%#)",
    async (ifNoneMatch) => {
      const { request } = await open();
      expect((await request(LIST, { headers: { "if-none-match": ifNoneMatch } })).status).toBe(200);
    },
  );

  it("is not looked at where there is nothing to compare with", async () => {
    const { request } = await open();
    const headers = { "if-none-match": "*" };
    expect((await request(`${LIST}?page=0`, { headers })).status).toBe(400);
    expect((await request("/nothing", { headers })).status).toBe(404);
    expect((await request(LIST, { method: "POST", headers })).status).toBe(405);
    expect((await request(LIST, { method: "OPTIONS", headers })).status).toBe(204);
  });
});

describeProxy("If-Match", (open) => {
  it("lets through who names the ETag of the answer in any coding it accepts, and then If-None-Match counts", async () => {
    const { request } = await open();
    const plain = (await request(LIST)).headers.get("etag")!;
    const headers = { "accept-encoding": "br, gzip" };
    for (const etag of [plain, plain.replace(/"$/, '-br"'), `"other", ${plain}`, "*"]) {
      expect((await request(LIST, { headers: { ...headers, "if-match": etag } })).status).toBe(200);
      const both = { ...headers, "if-match": etag, "if-none-match": plain };
      expect((await request(LIST, { headers: both })).status).toBe(304);
    }
  });

  it("refuses all others with 412, whatever If-None-Match says", async () => {
    const { request } = await open();
    const plain = (await request(LIST)).headers.get("etag")!;
    for (const etag of ['"other"', `W/${plain}`, "garbage", plain.replace(/"$/, '-gzip"')]) {
      const headers = { "accept-encoding": "br", "if-match": etag, "if-none-match": plain };
      const response = await request(LIST, { headers });
      await readError(response, 412, "precondition_failed");
      expect(response.headers.has("etag")).toBe(false);
      expect(response.headers.has("x-ratelimit-remaining")).toBe(true);
    }
  });

  it("is not looked at where there is nothing to compare with", async () => {
    const { request } = await open();
    const headers = { "if-match": '"other"' };
    await readError(await request("/nothing", { headers }), 404, "not_found");
    await readError(await request(`${LIST}?page=0`, { headers }), 400, "invalid_parameter");
  });
});

describeProxy("what needs a modification date or a piece of the answer", (open) => {
  it.each([
    { "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" },
    { "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT" },
    { range: "bytes=0-9" },
    { range: "bytes=999999999-" },
    { range: "bytes=0-9", "if-range": '"other"' },
  ])("is not read: %j", async (headers) => {
    const { request } = await open();
    const plain = await request(LIST);
    const response = await request(LIST, { headers });
    expect(response.status).toBe(200);
    expect(readHeaders(response)).toEqual(readHeaders(plain));
    expect(await response.text()).toBe(await plain.text());
    expect(response.headers.has("last-modified")).toBe(false);
    expect(response.headers.has("accept-ranges")).toBe(false);
  });
});

describeProxy("HEAD", (open) => {
  it.each([
    [200, LIST],
    [200, "/healthz"],
    [400, `${LIST}?limit=0`],
    [400, `${LIST}/nobody`],
    [404, `${LIST}/${toPubkey(99)}`],
    [404, "/nothing"],
    [503, "/api/v1/epoch?network=testnet"],
  ])("has every header of GET and no body: %i %s", async (status, path) => {
    const { request } = await open();
    const get = await request(path);
    const head = await request(path, { method: "HEAD" });
    expect([get.status, head.status]).toEqual([status, status]);
    expect(readHeaders(head)).toEqual(readHeaders(get));
    expect(get.headers.get("content-length")).toBe(String((await get.arrayBuffer()).byteLength));
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  it("is counted and refused as GET is", async () => {
    const { request } = await open({ perMinute: 1 });
    await request(LIST, { method: "HEAD" });
    const get = await request(LIST);
    const head = await request(LIST, { method: "HEAD" });
    expect([get.status, head.status]).toEqual([429, 429]);
    expect(readHeaders(head)).toEqual(readHeaders(get));
    expect(await head.text()).toBe("");
  });
});

describeProxy("Accept", (open) => {
  it.each(["text/html", "application/xml;q=0.9", "application/json;q=0", "image/*", "nonsense"])(
    "%s gets JSON all the same: there is nothing else",
    async (accept) => {
      const { request } = await open();
      for (const path of [LIST, "/nothing"]) {
        const response = await request(path, { headers: { accept } });
        expect(response.status).toBe(path === LIST ? 200 : 404);
        expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
        expect(response.headers.get("vary") ?? "").not.toMatch(/Accept(?!-)/);
      }
    },
  );
});
