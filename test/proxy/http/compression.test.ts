import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { VARIES_MIN_BYTES } from "../../../proxy/cache/answer.ts";
import { describeProxy, type Proxy } from "../_setup.ts";
import { toPubkey } from "../fixtures.ts";

const LIST = "/api/v1/validators";
const SMALL = `/api/v1/validators/${toPubkey(1)}/events`;

/** Asks until the answer comes in this coding. The variant is made by another thread, so that nothing tells when it is there. */
async function requestCoded({ request }: Proxy, path: string, acceptEncoding: string, coding: string) {
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

describeProxy("an answer that repeats", (open) => {
  it.each(["br", "gzip"])("comes with %s, in fewer bytes, under an ETag of its own", async (coding) => {
    const proxy = await open();
    const plain = await proxy.request(LIST);
    const coded = await requestCoded(proxy, LIST, coding, coding);
    expect(coded.headers.get("etag")).toBe(plain.headers.get("etag")!.replace(/"$/, `-${coding}"`));
    expect(coded.headers.get("vary")).toBe("Accept-Encoding");
    expect(coded.headers.get("cache-control")).toBe(plain.headers.get("cache-control"));
    expect(coded.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const length = Number(coded.headers.get("content-length"));
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(Number(plain.headers.get("content-length")) / 3);
  });

  it("comes as it is the first two times: nobody waits for a compression", async () => {
    const { request } = await open();
    for (let time = 0; time < 2; time++) {
      const response = await request(LIST, { headers: { "accept-encoding": "br, gzip" } });
      expect(response.headers.has("content-encoding")).toBe(false);
      expect(response.headers.get("vary")).toBe("Accept-Encoding");
      expect(response.headers.get("etag")).not.toMatch(/-(br|gzip)"$/);
    }
  });

  it("has a HEAD with the headers of its GET, in each coding", async () => {
    const proxy = await open();
    for (const coding of ["br", "gzip"]) {
      const get = await requestCoded(proxy, LIST, coding, coding);
      const head = await proxy.request(LIST, { method: "HEAD", headers: { "accept-encoding": coding } });
      expect(describeVariant(head)).toEqual(describeVariant(get));
      expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
    }
  });

  it("comes in the coding that the client likes best, or else in one that is at hand", async () => {
    const proxy = await open();
    await requestCoded(proxy, LIST, "gzip", "gzip");
    const second = await proxy.request(LIST, { headers: { "accept-encoding": "br, gzip" } });
    expect(second.headers.get("content-encoding")).toBe("gzip");
    await requestCoded(proxy, LIST, "br, gzip", "br");
    const codings = { "gzip;q=1, br;q=0.5": "gzip", "br;q=0, *": "gzip", "identity, br;q=0.9": null, zstd: null };
    for (const [acceptEncoding, coding] of Object.entries(codings)) {
      const response = await proxy.request(LIST, { headers: { "accept-encoding": acceptEncoding } });
      expect(response.headers.get("content-encoding")).toBe(coding);
    }
  });

  it("comes as it is to a client that refuses everything: better than nothing", async () => {
    const { request } = await open();
    const response = await request(LIST, { headers: { "accept-encoding": "*;q=0" } });
    expect(describeVariant(response)).toMatchObject({ status: 200, "content-encoding": null });
  });
});

describeProxy("a client that holds a variant", (open) => {
  it("gets a 304 with the ETag it gave, whether or not this variant is at hand", async () => {
    const { request } = await open();
    const etag = (await request(LIST)).headers.get("etag")!;
    for (const suffix of ["", "-br", "-gzip"]) {
      const held = etag.replace(/"$/, `${suffix}"`);
      const headers = { "accept-encoding": "gzip, br", "if-none-match": `"other", W/${held}` };
      const response = await request(LIST, { headers });
      expect(describeVariant(response)).toMatchObject({ status: 304, etag: held, vary: "Accept-Encoding" });
      expect(response.headers.has("content-encoding")).toBe(false);
    }
  });

  it("gets a whole answer if it does not accept that coding any more", async () => {
    const { request } = await open();
    const etag = (await request(LIST)).headers.get("etag")!.replace(/"$/, '-br"');
    const response = await request(LIST, { headers: { "accept-encoding": "gzip", "if-none-match": etag } });
    expect(describeVariant(response)).toMatchObject({ status: 200, "content-encoding": null });
  });

  it("gets the new content when it has changed, though the variant of the old one is kept", async () => {
    const proxy = await open();
    const one = await requestCoded(proxy, `${LIST}?page=1&limit=5`, "br", "br");
    const headers = { "accept-encoding": "br", "if-none-match": one.headers.get("etag")! };
    expect((await proxy.request(`${LIST}?page=2&limit=5`, { headers })).status).toBe(200);
  });
});

describeProxy("what is not compressed", (open) => {
  it("is an answer of less than a kilobyte; it does not vary", async () => {
    const { request } = await open();
    for (let time = 0; time < 20; time++) {
      const response = await request(SMALL, { headers: { "accept-encoding": "br" } });
      expect(Number(response.headers.get("content-length"))).toBeLessThan(VARIES_MIN_BYTES);
      expect(describeVariant(response)).toMatchObject({ status: 200, "content-encoding": null, vary: null });
      await setImmediate();
    }
  });

  it("is an error, and what OPTIONS gets", async () => {
    const { request } = await open();
    for (const [path, method] of [
      ["/nothing", "GET"],
      [LIST, "POST"],
      [LIST, "OPTIONS"],
    ] as const) {
      const response = await request(path, { method, headers: { "accept-encoding": "br" } });
      expect(describeVariant(response)).toMatchObject({ "content-encoding": null, vary: null });
    }
  });
});
