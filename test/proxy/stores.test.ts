import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openStore } from "../../generator/store/open.ts";
import { readSettings } from "../../proxy/settings.ts";
import { toLogLine } from "../../proxy/operations/log.ts";
import type { LogEntry } from "../../proxy/operations/log.ts";
import { startServer as startProxy } from "../../proxy/server.ts";
import { startServer } from "../rpc/rpc-server.ts";
import { startMisbehavingS3, type MisbehavingS3 } from "../store/s3/misbehaving.ts";
import { readDocument } from "./_setup.ts";
import { makeMainnet, toPubkey, VALIDATORS } from "./fixtures.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  vi.unstubAllEnvs();
});

/** The published documents behind a web server, as a bucket's site or a CDN gives them out. */
async function serveByWeb(): Promise<string> {
  const objects = new Map(makeMainnet().map(({ key, body }) => [`/site/${key}`, body]));
  const server = await startServer(({ path }, response) => {
    const body = objects.get(path);
    if (body === undefined) return void response.writeHead(404, { "content-type": "text/html" }).end("<h1>no</h1>");
    const etag = `"${createHash("md5").update(body).digest("hex")}"`;
    response.writeHead(200, { "content-type": "application/json; charset=utf-8", etag }).end(body);
  });
  closers.push(() => server.close());
  return `${server.url}/site`;
}

/** The same in a bucket. */
async function serveByS3(): Promise<string> {
  const server = await startMisbehavingS3();
  closers.push(server.stop);
  vi.stubEnv("AWS_ENDPOINT_URL_S3", server.endpoint);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "ACCESSKEY");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  const store = openStore("s3://bucket/site");
  for (const { key, body } of makeMainnet())
    await store.put(key, body, { expect: "any", contentType: "application/json" });
  return "s3://bucket/site";
}

describe.each([
  ["a web server", serveByWeb],
  ["a bucket", serveByS3],
])("the proxy before the documents of %s", (_, serve) => {
  let url: string;
  let log: LogEntry[];

  beforeEach(async () => {
    log = [];
    const settings = readSettings({ PORT: "0", RUGWATCH_PUBLIC: await serve() });
    const objects = openStore(settings.publicStore);
    const proxy = await startProxy({ settings, objects, now: () => Date.now(), log: (entry) => void log.push(entry) });
    closers.push(() => proxy.close());
    ({ url } = proxy);
  });

  it("answers from the index", async () => {
    const response = await fetch(`${url}/api/v1/validators?limit=50`);
    const { data, meta } = await readDocument("validators", response);
    expect(data).toHaveLength(50);
    expect(meta).toMatchObject({ total: VALIDATORS });
    expect(log.filter(({ level }) => level !== "info")).toEqual([]);
  });

  it("passes on a document, and knows that one is not there", async () => {
    expect((await fetch(`${url}/api/v1/validators/${toPubkey(1)}`)).status).toBe(200);
    expect((await fetch(`${url}/api/v1/validators/${toPubkey(250)}`)).status).toBe(404);
    expect(log.filter(({ level }) => level !== "info")).toEqual([]);
  });

  it("says that it cannot answer when nothing is held and nobody is there", async () => {
    await closers.splice(0, 1)[0]?.();
    const response = await fetch(`${url}/api/v1/validators`);
    expect(response.status).toBe(503);
    expect(log.map(({ level }) => level)).not.toContain("error");
  });
});

describe("the proxy before a bucket it cannot use", () => {
  const SECRET = "secret-of-the-bucket";

  async function askBefore(publicStore: string, decide: MisbehavingS3["decide"] = () => null) {
    const server = await startMisbehavingS3({ decide });
    closers.push(server.stop);
    vi.stubEnv("AWS_ENDPOINT_URL_S3", server.endpoint);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "ACCESSKEY");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", SECRET);
    const settings = readSettings({ PORT: "0", RUGWATCH_PUBLIC: publicStore });
    const lines: string[] = [];
    const log = (entry: LogEntry) => void lines.push(toLogLine(entry, 0));
    const objects = openStore(settings.publicStore);
    const proxy = await startProxy({ settings, objects, now: () => Date.now(), log });
    closers.push(() => proxy.close());
    return { response: await fetch(`${proxy.url}/api/v1/validators`), lines: lines.join("") };
  }

  it("listens, answers 503 and logs which bucket is missing", async () => {
    const { response, lines } = await askBefore("s3://no-such-bucket/site");
    expect(response.status).toBe(503);
    expect(lines).toContain("s3://no-such-bucket/site failed: NoSuchBucket, HTTP 404, there is no such bucket");
  });

  it("logs that its credentials are refused, and none of them", async () => {
    const refusal = { kind: "error", status: 403, code: "SignatureDoesNotMatch" } as const;
    const { response, lines } = await askBefore("s3://bucket/site", () => refusal);
    expect(response.status).toBe(503);
    expect(lines).toContain("SignatureDoesNotMatch, HTTP 403");
    for (const secret of [SECRET, "ACCESSKEY", "Signature="]) expect(lines).not.toContain(secret);
  });
});
