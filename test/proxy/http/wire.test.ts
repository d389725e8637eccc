import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createWorld, listen } from "../_setup.ts";
import { makeMainnet } from "../fixtures.ts";

// What lies on the wire, byte for byte: clients and adapters hide a doubled length or a body where none belongs.

const LIST = "/api/v1/validators";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function open(): Promise<number> {
  const world = await createWorld(makeMainnet(), { perMinute: 100_000, trusted: { by: "nothing" } });
  const server = await listen(world);
  closers.push(server.close);
  return Number(new URL(server.url).port);
}

interface Sent {
  /** Lines as they were sent, without those of values that differ from one request to the next. */
  head: string[];
  body: Buffer;
}

/** One request on a connection of its own, all that the server sends until it closes. */
async function send(port: number, method: string, path: string, ...lines: string[]): Promise<Sent> {
  const socket = connect({ host: "127.0.0.1", port });
  socket.write([`${method} ${path} HTTP/1.1`, "Host: a", "Connection: close", ...lines, "", ""].join("\r\n"));
  const bytes = Buffer.concat(await socket.toArray());
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.subarray(0, end).toString("latin1").split("\r\n");
  return { head, body: bytes.subarray(end + 4) };
}

function toNames({ head }: Sent): string[] {
  return head.slice(1).map((line) => line.slice(0, line.indexOf(":")).toLowerCase());
}

function getValue({ head }: Sent, name: string): string | undefined {
  return head.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2);
}

describe("on the wire", () => {
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
      const sent = await send(await open(), method, path);
      const names = toNames(sent);
      expect(sent.head[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(names).toEqual([...new Set(names)]);
      expect(names).toContain("date");
      expect(names).not.toContain("transfer-encoding");
      expect(names).not.toContain("server");
      expect(names).not.toContain("x-powered-by");
      expect(getValue(sent, "connection")).toBe("close");
      if (method === "GET" || method === "POST") {
        expect(getValue(sent, "content-length")).toBe(String(sent.body.byteLength));
        expect(sent.body.byteLength).toBeGreaterThan(0);
      } else {
        expect(sent.body.byteLength).toBe(0);
        expect(names.includes("content-length")).toBe(method === "HEAD");
      }
    },
  );

  it("a 304 has neither content nor headers of it, to GET and to HEAD", async () => {
    const port = await open();
    const etag = getValue(await send(port, "GET", LIST), "etag");
    for (const method of ["GET", "HEAD"]) {
      const sent = await send(port, method, LIST, `If-None-Match: ${etag}`);
      expect(sent.head[0]).toMatch(/^HTTP\/1\.1 304 /);
      expect(sent.body.byteLength).toBe(0);
      expect(toNames(sent)).toEqual(
        expect.arrayContaining(["etag", "cache-control", "vary", "date", "x-ratelimit-reset"]),
      );
      expect(toNames(sent).filter((name) => /^content-(?!security)|transfer/.test(name))).toEqual([]);
    }
  });

  it("a client without Accept-Encoding never gets a compressed answer, though any of its ETags counts", async () => {
    const port = await open();
    for (let time = 0; time < 5; time++) {
      const sent = await send(port, "GET", LIST);
      expect(toNames(sent)).not.toContain("content-encoding");
      JSON.parse(sent.body.toString());
    }
    const held = getValue(await send(port, "GET", LIST), "etag")!.replace(/"$/, '-br"');
    const sent = await send(port, "GET", LIST, `If-None-Match: ${held}`);
    expect(sent.head[0]).toMatch(/^HTTP\/1\.1 304 /);
    expect(getValue(sent, "etag")).toBe(held);
  });

  it.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ])("an answer with %s is what it says, and the same document", async (coding, decompress) => {
    const port = await open();
    const plain = await send(port, "GET", LIST);
    let coded = plain;
    for (let tries = 0; tries < 1_000 && getValue(coded, "content-encoding") === undefined; tries++) {
      coded = await send(port, "GET", LIST, `Accept-Encoding: ${coding}`);
      await setImmediate();
    }
    expect(getValue(coded, "content-encoding")).toBe(coding);
    expect(getValue(coded, "content-length")).toBe(String(coded.body.byteLength));
    expect(decompress(coded.body).equals(plain.body)).toBe(true);
    const names = toNames(coded);
    expect(names).toEqual([...new Set(names)]);
  });
});
