import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { CONTENT_TYPE } from "../../generator/contract/objects.ts";
import { openFileStore } from "../../generator/store/files.ts";
import { handler, toLambdaHandler, withApiAddress, type LambdaEvent } from "../../proxy/lambda.ts";
import { parseTrustedProxies } from "../../proxy/limits/client-address.ts";
import { createWorld } from "./_setup.ts";
import { LATEST_EPOCH, MAINNET } from "./fixtures.ts";

const LIST = "/api/v1/validators";
const CLIENT = "203.0.113.7";

interface EventOptions {
  method?: string;
  headers?: Record<string, string>;
  sourceIp?: string;
}

/** What is read of an event of a function URL. */
function toEvent(
  target: string,
  { method = "GET", headers = {}, sourceIp = CLIENT }: EventOptions = {},
): LambdaEvent {
  const [rawPath = "", rawQueryString = ""] = target.split("?");
  const own = { host: "abc123.lambda-url.eu-central-1.on.aws", "x-forwarded-for": sourceIp };
  const requestContext = { http: { method, sourceIp } };
  return {
    rawPath,
    rawQueryString,
    headers: { ...own, "x-forwarded-proto": "https", ...headers },
    requestContext,
  };
}

async function open({ perMinute = 100_000, trustProxy = "none" } = {}) {
  const { world, app } = await createWorld(MAINNET, {
    perMinute,
    trusted: parseTrustedProxies(trustProxy)!,
  });
  const handle = toLambdaHandler((request) => app.fetch(request));
  const invoke = (event: LambdaEvent) => handle(event);
  return { world, app, invoke };
}

function readError({ body }: { body: string }): string {
  return (JSON.parse(body) as { error: { code: string } }).error.code;
}

describe("the proxy as a function of AWS Lambda", () => {
  it.each([
    [200, "of 8,192 characters", `${LIST}?`.padEnd(8_192, "x")],
    [414, "of one more", `${LIST}?`.padEnd(8_193, "x")],
  ])("answers %i to a target %s", async (status, _, target) => {
    const { invoke } = await open();
    const result = await invoke(toEvent(target));
    expect(result.statusCode).toBe(status);
    expect(result.headers).toHaveProperty("x-ratelimit-remaining", "99999");
    if (status === 414) expect(readError(result)).toBe("uri_too_long");
  });

  it.each([
    [200, "HEAD", LIST],
    [200, "GET", `${LIST}?page=2&limit=3&unknown=%26%3D`],
    [204, "OPTIONS", LIST],
    [400, "HEAD", `${LIST}?network`],
    [404, "GET", "//evil.example/api/v1/validators"],
    [404, "GET", ""],
    [405, "POST", LIST],
  ])("answers as the app does: %i %s %s", async (status, method, target) => {
    const { app, invoke } = await open();
    const result = await invoke(toEvent(target, { method }));
    const response = await app.fetch(new Request(`https://localhost${target}`, { method }));
    expect(result.statusCode).toBe(status);
    expect(response.status).toBe(status);
    expect(result.body).toBe(await response.text());
    expect(result.headers).toEqual({
      ...Object.fromEntries(response.headers),
      // Another request, of another client: it has no address there.
      ...Object.fromEntries(
        Object.entries(result.headers).filter(([name]) => /ratelimit|request-id/.test(name)),
      ),
    });
    expect(result.isBase64Encoded ?? false).toBe(false);
  });

  it("hands over bytes that are no text in base64", async () => {
    const path = `/exports/mainnet/history/${LATEST_EPOCH - 1}.parquet`;
    const { world, invoke } = await open();
    const stored = Buffer.from("PAR1\xff\xfePAR1", "latin1");
    await world.put({ key: path.slice(1), body: stored });
    const { body, isBase64Encoded } = await invoke(toEvent(path));
    expect([isBase64Encoded, Buffer.from(body, "base64").equals(stored)]).toEqual([true, true]);
  });

  it("counts by the sender of the request, and believes X-Forwarded-For as TRUST_PROXY says", async () => {
    const { invoke } = await open({ perMinute: 1 });
    const spoofed = (forwardedFor: string) =>
      invoke(toEvent(LIST, { headers: { "x-forwarded-for": forwardedFor } }));
    expect((await spoofed("198.51.100.1")).statusCode).toBe(200);
    const second = await spoofed("198.51.100.2");
    expect(second.statusCode).toBe(429);
    expect(readError(second)).toBe("rate_limited");
    expect(Number(second.headers["retry-after"])).toBeGreaterThan(0);
    expect((await invoke(toEvent(LIST, { sourceIp: "203.0.113.8" }))).statusCode).toBe(200);
    expect((await invoke(toEvent(LIST, { sourceIp: "2001:db8::1" }))).statusCode).toBe(200);
    expect((await invoke(toEvent(LIST, { sourceIp: "2001:db8::2" }))).statusCode).toBe(429);
  });

  it.each([
    { headers: { host: "evil.example/../?#@" } },
    { headers: { host: "", "x-forwarded-host": "a b", "x-forwarded-proto": "gopher" } },
    { headers: { "content-length": "17", "transfer-encoding": "chunked", expect: "100-continue" } },
    { method: "GET", body: "a body" },
    { sourceIp: "not an address" },
  ])("is not brought down by %j", async ({ body, ...options }) => {
    const { invoke } = await open();
    const result = await invoke({ ...toEvent(LIST, options), ...(body !== undefined && { body }) });
    expect(result.statusCode).toBe(200);
    expect(JSON.stringify(result.headers)).not.toMatch(/evil|gopher/);
  });

  it.each([
    { headers: { "bad name": "x" } },
    { headers: { "x-line": "a\r\nb" } },
    { headers: { "x-wide": "✓" } },
    { headers: { host: "example:99999" } },
    { method: "TRACE" },
    { method: "G E T" },
  ])("refuses what no Request can hold: %j", async (options) => {
    const { invoke } = await open();
    const result = await invoke(toEvent(LIST, options));
    expect(result).toMatchObject({ statusCode: 400, headers: { "cache-control": "no-store" } });
    expect(result.headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
    expect(readError(result)).toBe("bad_request");
  });

  it("refuses the method of another protocol", async () => {
    const { invoke } = await open();
    const result = await invoke(toEvent(LIST, { method: "PROPFIND" }));
    expect(result).toMatchObject({ statusCode: 405, headers: { allow: "GET, HEAD, OPTIONS" } });
    expect(readError(result)).toBe("method_not_allowed");
  });
});

// The answers: test/infra/cdn.test.ts.
it("a request for a document by its key is asked of the API, by no query but the key's, and no other changes", () => {
  const asked = withApiAddress(toEvent("/api/v1/mainnet/validators.json?network=nonsense&limit=0"));
  expect(asked).toMatchObject({ rawPath: LIST, rawQueryString: "network=mainnet" });
  for (const path of [
    "/api/v1/validators",
    "/api/v1/mainnet/index.json",
    "/feeds/mainnet/rug.json",
    "/",
    "",
  ]) {
    const event = toEvent(`${path}?network=testnet`);
    expect(withApiAddress(event)).toBe(event);
  }
});

describe("proxy/lambda.ts", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("says what is wrong with its settings, and serves the store that the environment names, under its limit", async () => {
    const directory = await mkdtemp(join(tmpdir(), "rugwatch-lambda-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const store = openFileStore(directory);
    for (const { key, body } of MAINNET)
      await store.put(key, body, { expect: "any", contentType: CONTENT_TYPE });
    vi.stubEnv("RUGWATCH_PUBLIC", `file:${directory}`);
    vi.stubEnv("RATE_LIMIT_PER_MINUTE", "none");
    for (let time = 0; time < 2; time++)
      await expect(handler(toEvent(LIST))).rejects.toThrow(/RATE_LIMIT_PER_MINUTE/);
    vi.stubEnv("RATE_LIMIT_PER_MINUTE", "2");
    const result = await handler(toEvent(`${LIST}?limit=1`));
    expect(result.statusCode).toBe(200);
    expect((JSON.parse(result.body) as { data: unknown[] }).data).toHaveLength(1);
    expect(result.headers).toMatchObject({
      "x-ratelimit-limit": "2",
      "x-ratelimit-remaining": "1",
    });
    await handler(toEvent(LIST));
    expect((await handler(toEvent(LIST))).statusCode).toBe(429);
  });
});
