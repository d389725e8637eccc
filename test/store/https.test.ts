import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openHttpsStore } from "../../generator/store/https.ts";
import { openStore } from "../../generator/store/open.ts";
import { StoreError } from "../../generator/store/store.ts";
import { openServer } from "../rpc/open-server.ts";
import type { Asked, TestServer } from "../rpc/rpc-server.ts";

const KEY = "api/v1/mainnet/index.json";
const DOCUMENT = JSON.stringify({ data: "x".repeat(100_000), meta: {} });
const JSON_HEADERS = { "content-type": "application/json; charset=utf-8", etag: '"one"' };

type Answer = (response: ServerResponse, asked: Asked) => void;
const serve = (answer: Answer) => openServer((asked, response) => answer(response, asked));

async function openOn(answer: Answer, milliseconds = 120_000) {
  const { url } = await serve(answer);
  return openHttpsStore(`${url}/site`, { connect: milliseconds, answer: milliseconds });
}

/**
 * Runs work after so many rounds of the event loop: by then listeners have heard what was written.
 */
function afterTurns(turns: number, work: () => void): void {
  setImmediate(() => (turns === 0 ? work() : afterTurns(turns - 1, work)));
}

const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe("the https store", () => {
  test("reads an object with its ETag from below its address", async () => {
    const server = await serve((response) => response.writeHead(200, JSON_HEADERS).end(DOCUMENT));
    for (const base of [`${server.url}/site`, `${server.url}/site/`]) {
      const object = await openHttpsStore(base).get(KEY);
      expect(object).toMatchObject({ key: KEY, etag: '"one"', size: DOCUMENT.length });
      expect(new TextDecoder().decode(object?.body)).toBe(DOCUMENT);
    }
    expect(server.asked.map(({ path }) => path)).toEqual([`/site/${KEY}`, `/site/${KEY}`]);
  });

  test.each([
    ["Fri, 20 Nov 2026 12:00:00 GMT", Date.UTC(2026, 10, 20, 12)],
    ["yesterday", null],
    [undefined, null],
  ])("knows when an object was put if the server tells: %s", async (modified, modifiedAt) => {
    const headers = { ...JSON_HEADERS, ...(modified && { "last-modified": modified }) };
    const store = await openOn((response) => response.writeHead(200, headers).end(DOCUMENT));
    expect(await store.get(KEY)).toMatchObject({ modifiedAt });
    expect(await store.getIfChanged(KEY, null)).toMatchObject({ modifiedAt });
  });

  test("asks for the key itself, whatever signs are in it", async () => {
    const server = await serve((response) => response.writeHead(404).end());
    await openHttpsStore(server.url).get("a b/50%?x#y&z.json");
    expect(server.asked[0]?.path).toBe("/a%20b/50%25%3Fx%23y%26z.json");
  });

  test("knows size and ETag of an object without reading it", async () => {
    const store = await openOn((response) => {
      response.writeHead(200, { ...JSON_HEADERS, "content-length": 4_321 }).end();
    });
    expect(await store.head(KEY)).toEqual({ key: KEY, etag: '"one"', size: 4_321 });
  });

  test("unpacks a body packed for the way, whose weak ETag is that of the object", async () => {
    const store = await openOn((response, { headers }) => {
      if (headers["accept-encoding"] !== "gzip")
        return response.writeHead(200, JSON_HEADERS).end(DOCUMENT);
      const packed = { ...JSON_HEADERS, etag: 'W/"one"', "content-encoding": "gzip" };
      return response.writeHead(200, packed).end(gzipSync(DOCUMENT));
    });
    const object = await store.get(KEY);
    expect(object).toMatchObject({ etag: '"one"', size: DOCUMENT.length });
    expect(new TextDecoder().decode(object?.body)).toBe(DOCUMENT);
  });

  const conditionsOf = ({ asked }: TestServer) =>
    asked.map(({ headers }) => headers["if-none-match"]);

  test("asks with the ETag it knows, and takes 304 for unchanged, also from one who packs", async () => {
    const server = await serve((response, { headers }) => {
      if (headers["if-none-match"] === '"one"')
        return response.writeHead(304, { etag: 'W/"one"' }).end();
      return response.writeHead(200, { ...JSON_HEADERS, etag: 'W/"one"' }).end(DOCUMENT);
    });
    const store = openHttpsStore(server.url);
    expect(await store.getIfChanged(KEY, (await store.get(KEY))!.etag)).toBe("unchanged");
    for (const known of ['"other"', null])
      expect(await store.getIfChanged(KEY, known)).toMatchObject({
        etag: '"one"',
        size: DOCUMENT.length,
      });
    expect(conditionsOf(server)).toEqual([undefined, '"one"', '"other"', undefined]);
  });

  test("takes an object that comes though it was known for unchanged, and one that has gone for missing", async () => {
    const store = await openOn((response, { path }) =>
      path.endsWith("gone.json")
        ? response.writeHead(404).end()
        : response.writeHead(200, JSON_HEADERS).end(DOCUMENT),
    );
    expect(await store.getIfChanged(KEY, '"one"')).toBe("unchanged");
    expect(await store.getIfChanged("gone.json", '"one"')).toBeNull();
  });

  test("makes no condition of what is no ETag, and takes no 304 without one", async () => {
    const server = await serve((response) =>
      response.writeHead(200, { ...JSON_HEADERS, etag: "*" }).end(DOCUMENT),
    );
    const store = openHttpsStore(server.url);
    expect(await store.getIfChanged(KEY, (await store.get(KEY))!.etag)).toBe("unchanged");
    expect(conditionsOf(server)).toEqual([undefined, undefined]);
    const never = await openOn((response) => response.writeHead(304).end());
    await expect(never.getIfChanged(KEY, null)).rejects.toThrow("status 304");
  });

  test.each([404, 410])(
    "says null where the server says %d, and goes on using the connection",
    async (status) => {
      const server = await serve((response) => {
        response.writeHead(status).write("<h1>not here");
        afterTurns(20, () => response.end("</h1>"));
      });
      const store = openHttpsStore(server.url);
      expect(await store.head(KEY)).toBeNull();
      for (let times = 0; times < 8; times += 1) expect(await store.get(KEY)).toBeNull();
      expect(server.connections.opened).toBeLessThan(4);
    },
  );

  const CUT_GZIP = gzipSync(DOCUMENT).subarray(0, 90);
  const ok =
    (headers: OutgoingHttpHeaders, body: string | Buffer = "{}") =>
    (response: ServerResponse) =>
      response.writeHead(200, headers).end(body);
  const cut = (headers: OutgoingHttpHeaders) => (response: ServerResponse) =>
    response.writeHead(200, headers).write("{", () => response.destroy());
  test.each<[string, (response: ServerResponse) => void, string]>([
    // Everything may be forbidden.
    ["a status of 403", (r) => r.writeHead(403, JSON_HEADERS).end("{}"), "list the bucket"],
    ["a status of 500", (r) => r.writeHead(500, JSON_HEADERS).end("{}"), "status 500"],
    ["a status of 206", (r) => r.writeHead(206, JSON_HEADERS).end("{}"), "status 206"],
    [
      "a redirect",
      (r) => r.writeHead(302, { location: "/elsewhere" }).end(),
      "redirects are not followed",
    ],
    [
      "a page with status 200",
      ok({ "content-type": "text/html", etag: '"p"' }),
      "not application/json",
    ],
    ["no content type", ok({ etag: '"p"' }), "not application/json"],
    ["no ETag", ok({ "content-type": "application/json" }), "sends no ETag"],
    [
      "a body that is no gzip",
      ok({ ...JSON_HEADERS, "content-encoding": "gzip" }),
      "incorrect header",
    ],
    ["a packing not asked for", ok({ ...JSON_HEADERS, "content-encoding": "br" }), "not asked for"],
    [
      "a packed body cut short",
      ok({ ...JSON_HEADERS, "content-encoding": "gzip" }, CUT_GZIP),
      "unexpected end",
    ],
    [
      "a body cut before its length",
      cut({ ...JSON_HEADERS, "content-length": 100 }),
      "in http://127.0.0.1",
    ],
    ["a body cut between its chunks", cut(JSON_HEADERS), "in http://127.0.0.1"],
    ["a connection that breaks", (r) => r.destroy(), "in http://127.0.0.1"],
  ])("fails on %s", async (_, answer, message) => {
    const failure = await failureOf((await openOn(answer)).get(KEY));
    expect(failure).toBeInstanceOf(StoreError);
    expect(String(failure)).toContain(`get ${KEY} in `);
    expect(String(failure)).toContain(message);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ["no answer", () => undefined],
    ["a body that never ends", (response) => response.writeHead(200, JSON_HEADERS).write("{")],
  ])("gives up on %s", async (_, answer) => {
    const failure = await failureOf((await openOn(answer, 200)).get(KEY));
    expect(String(failure)).toMatch(/^StoreError: get .*: no answer within 200 ms$/);
  });

  test.each(["identity", "gzip"])("fails on a body beyond all measure, %s", async (encoding) => {
    const large = Buffer.alloc(64 * 1024 * 1024 + 1, " ");
    const { url } = await serve((response) => {
      response.writeHead(200, { ...JSON_HEADERS, "content-encoding": encoding });
      response.end(encoding === "gzip" ? gzipSync(large) : large);
    });
    expect(String(await failureOf(openHttpsStore(url).get(KEY)))).toMatch(
      /longer than 67108864|larger than 67108864/,
    );
  });

  test("only reads", async () => {
    const server = await serve((response) => response.writeHead(200, JSON_HEADERS).end(DOCUMENT));
    const store = openHttpsStore(server.url);
    const put = store.put(KEY, new Uint8Array(), {
      expect: "any",
      contentType: "application/json",
    });
    const attempts = [put, store.delete(KEY), Array.fromAsync(store.list("api/"))];
    for (const failure of await Promise.all(attempts.map(failureOf))) {
      expect(failure).toBeInstanceOf(StoreError);
      expect(String(failure)).toContain("can only be read");
    }
    expect(server.asked).toEqual([]);
  });

  test("refuses a key that leads out of its address", async () => {
    const store = openHttpsStore("https://example.org/site");
    await expect(store.get("../secret.json")).rejects.toThrow("the key is invalid");
  });

  test.each([
    ["https://user:s3cret@example.org/", "without user, password"],
    ["https://example.org/?signature=s3cret", "without user, password"],
    ["https://example.org/#s3cret", "without user, password"],
    ["http://s3cret.example.org/", "on this machine"],
    ["http://127.0.0.1.s3cret.example/", "on this machine"],
    ["https://", "must be https://HOST/PATH"],
  ])("does not take %s for an address, and does not repeat it", (address, message) => {
    expect(() => openHttpsStore(address)).toThrow(message);
    expect(() => openHttpsStore(address)).not.toThrow("s3cret");
  });

  test.each([
    "http://localhost:8080/",
    "http://127.1.2.3/x/",
    "http://[::1]/",
    "https://data.example.org/site/",
  ])("is opened by its address: %s", (address) => expect(openStore(address).name).toBe(address));
});
