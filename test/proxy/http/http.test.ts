import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { OPERATIONS } from "../../../generator/contract/operations.ts";
import { CACHE_CLASSES } from "../../../generator/contract/cache.ts";
import { CONTENT_TYPE } from "../../../generator/contract/objects.ts";
import { NETWORKS } from "../../../generator/contract/networks.ts";
import { describeProxy, readError } from "../_setup.ts";
import { LATEST_EPOCH, toPubkey } from "../fixtures.ts";

/** Every endpoint of the contract under an address that has an answer on mainnet, and the type of that; the epoch's needs a cluster. */
const ADDRESSES = Object.values(OPERATIONS).map(({ path, ...endpoint }) => {
  const address = path
    .replace("{votePubkey}", toPubkey(1))
    .replace("{epoch}", String(path.startsWith("/exports/") ? LATEST_EPOCH - 1 : LATEST_EPOCH))
    .replace("{network}", "mainnet")
    .replace("{feed}", "rug")
    .replace(/search$/, "search?q=validator");
  return [address, "contentType" in endpoint ? endpoint.contentType : CONTENT_TYPE] as const;
});
const PATHS = ADDRESSES.map(([path]) => path);
const EXPOSED = ["ETag", "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

function readLimits(response: Response): (string | null)[] {
  return ["limit", "remaining", "reset"].map((name) => response.headers.get(`x-ratelimit-${name}`));
}

describeProxy("every endpoint", (open) => {
  it.each(ADDRESSES)("answers GET %s as %s, with ETag, cache time, CORS and limits", async (path, contentType) => {
    const { request } = await open();
    const response = await request(path);
    const body = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(contentType);
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
    expect(response.headers.get("etag")).toBe(`"${createHash("sha256").update(body).digest("base64url")}"`);
    expect(Object.values(CACHE_CLASSES)).toContain(response.headers.get("cache-control"));
    expect(response.headers.get("cache-control")).not.toBe("no-store");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")?.split(", ")).toEqual(expect.arrayContaining(EXPOSED));
    expect(readLimits(response)).toEqual(["100000", "99999", "60"]);
  });

  it.each(PATHS)("answers HEAD %s with the headers of GET and no body", async (path) => {
    const { request } = await open();
    const get = await request(path);
    const head = await request(path, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    for (const name of ["etag", "cache-control", "content-type", "content-length"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it.each(PATHS)("answers GET and HEAD %s with 304 to a client that has it", async (path) => {
    const { request } = await open();
    const etag = (await request(path)).headers.get("etag")!;
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      for (const method of ["GET", "HEAD"]) {
        const response = await request(path, { method, headers: { "if-none-match": held } });
        expect(response.status).toBe(304);
        expect(await response.text()).toBe("");
        expect(response.headers.get("etag")).toBe(etag);
        expect(response.headers.get("cache-control")).toContain("max-age");
        expect(response.headers.get("access-control-allow-origin")).toBe("*");
        expect(readLimits(response)).not.toContain(null);
      }
    }
    const stranger = await request(path, { headers: { "if-none-match": '"other", W/"another"' } });
    expect(stranger.status).toBe(200);
  });

  it.each(PATHS)("answers OPTIONS %s, a preflight or not", async (path) => {
    const { request } = await open();
    const preflight = { origin: "https://page.example", "access-control-request-method": "GET" };
    for (const headers of [{}, preflight]) {
      const response = await request(path, { method: "OPTIONS", headers });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe("");
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
      expect(response.headers.get("access-control-allow-headers")).toBe("*");
      expect(readLimits(response)).not.toContain(null);
    }
  });

  it.each(PATHS)("answers POST, PUT, PATCH and DELETE %s with 405", async (path) => {
    const { request } = await open();
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const response = await request(path, { method, body: "{}" });
      await readError(response, 405, "method_not_allowed");
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(readLimits(response)).not.toContain(null);
    }
  });

  it.each(PATHS.filter((path) => path.includes("/mainnet/")))("refuses an unknown network in %s", async (path) => {
    const { request } = await open();
    for (const network of ["devnet", "MAINNET", "mainnet%20", "__proto__"])
      await readError(await request(path.replace("mainnet", network)), 400, "invalid_network");
  });

  const ASKED = PATHS.filter((path) => !path.includes("/mainnet/") && !path.endsWith("openapi.json"));
  it.each(ASKED)("refuses an unknown network at %s", async (path) => {
    const { request } = await open();
    const separator = path.includes("?") ? "&" : "?";
    for (const network of ["devnet", "MAINNET", "", "mainnet%20", "__proto__"]) {
      const message = await readError(await request(`${path}${separator}network=${network}`), 400, "invalid_network");
      expect(message).toMatch(/^network must be one of mainnet, testnet, alpenglow, not "/);
    }
    await readError(await request(`${path}${separator}network=mainnet&network=mainnet`), 400, "invalid_network");
  });

  it.each(PATHS)("takes %s with a slash behind it for another path", async (path) => {
    const { request } = await open();
    await readError(await request(path.replace(/(?=\?|$)/, "/")), 404, "not_found");
  });
});

describeProxy("requests that fit nothing", (open) => {
  it.each([
    "/",
    "/api",
    "/api/v1",
    "/api/v2/validators",
    "/API/v1/validators",
    "/api/v1/validator",
    "/api/v1/validators/a/b",
    "/api/v1//validators",
    "//api/v1/validators",
    "/api/v1/epochs/1",
    "/api/v1/mainnet/index.json",
    "/api/v1/index",
    "/favicon.ico",
    "/%ZZ",
    "/api/v1/%ff",
    "/*",
  ])("answers %s with 404, for any method", async (path) => {
    const { request } = await open();
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const response = await request(path, { method });
      expect(await readError(response, 404, "not_found")).not.toContain("localhost");
      expect(readLimits(response)).not.toContain(null);
    }
  });

  it("checks path, method, network, path parameters and query in this order", async () => {
    const { request } = await open();
    const wrong = "/api/v1/validators/nobody/uptime?network=devnet&days=0";
    await readError(await request(wrong.replace("uptime", "nothing"), { method: "POST" }), 404, "not_found");
    await readError(await request(wrong, { method: "POST" }), 405, "method_not_allowed");
    await readError(await request(wrong), 400, "invalid_network");
    await readError(await request(wrong.replace("devnet", "testnet")), 400, "invalid_pubkey");
    const known = wrong.replace("devnet", "testnet").replace("nobody", toPubkey(99));
    await readError(await request(known), 400, "invalid_parameter");
    expect((await request(known.replace("days=0", "days=1"))).status).toBe(200);
  });

  it("reads a key that a client escaped without need", async () => {
    const { request } = await open();
    const key = toPubkey(1);
    const escaped = `%${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
    expect((await request(`/api/v1/validators/${escaped}`)).status).toBe(200);
  });
});

describeProxy("health", (open) => {
  it("is live and ready without a rate limit", async () => {
    const { request } = await open({ perMinute: 1 });
    for (let time = 0; time < 3; time++) {
      for (const path of ["/healthz", "/readyz"]) {
        const response = await request(path);
        expect(response.status).toBe(200);
        expect(response.headers.get("cache-control")).toBe("no-store");
        expect(await response.json()).toEqual({ data: { status: "ok" }, meta: {} });
      }
    }
  });

  it("is live but not ready before the store has answered once", async () => {
    const { world, request } = await open();
    world.storeDown = true;
    expect((await request("/healthz")).status).toBe(200);
    await readError(await request("/readyz"), 503, "upstream_unavailable");
    world.storeDown = false;
    world.now += 2_000;
    expect((await request("/readyz")).status).toBe(200);
  });
});

describeProxy("GET /api/v1/openapi.json", (open) => {
  it("describes every endpoint", async () => {
    const { request } = await open();
    const document = (await (await request("/api/v1/openapi.json")).json()) as { openapi: string; paths: object };
    expect(document.openapi).toMatch(/^3\.1/);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(["/api/v1/validators", "/api/v1/epoch"]));
  });

  it("is the same for all networks", async () => {
    const { request } = await open();
    const etags = await Promise.all(
      NETWORKS.map(async (network) => (await request(`/api/v1/openapi.json?network=${network}`)).headers.get("etag")),
    );
    expect(new Set(etags).size).toBe(1);
  });
});
