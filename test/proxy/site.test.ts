import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request as httpRequest } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorld, start } from "./_setup.ts";
import { toPubkey } from "./fixtures.ts";
import { API_CATALOG_TYPE } from "../../generator/contract/site-files.ts";
import { createSite } from "../../proxy/site.ts";

const SCRIPT = `console.log("${"x".repeat(2_000)}");`;

/** A built site of a few files. */
async function build(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-site-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, "assets"));
  await mkdir(join(directory, ".well-known"));
  await writeFile(join(directory, ".well-known/api-catalog"), "{}");
  await writeFile(join(directory, "index.html"), "<!doctype html><title>Rugwatch</title>");
  await writeFile(join(directory, "icon.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
  await writeFile(join(directory, "client.d.ts"), "export interface paths {}");
  await writeFile(join(directory, "assets/index-1a2b.js"), SCRIPT);
  return directory;
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A server with the site, asked by paths that no URL parser has mended. */
async function open(environment: Record<string, string> = {}) {
  const { server } = await start({ SITE_DIR: await build(), ...environment });
  const { hostname, port } = new URL(server.url);
  return (
    path: string,
    { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const request = httpRequest({ hostname, port, path, method, headers }, (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("end", () => {
          const body = Buffer.concat(pieces).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      });
      request.on("error", reject).end();
    });
}

describe("the site", () => {
  it("has its own policy, and not the API's", async () => {
    const get = await open();
    const page = await get("/");
    expect(page.status).toBe(200);
    expect(page.body).toContain("<title>Rugwatch</title>");
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain("unsafe");
    expect(page.headers["access-control-allow-origin"]).toBeUndefined();
    expect(page.headers["referrer-policy"]).toBe("same-origin");
    expect(page.headers["cross-origin-opener-policy"]).toBe("same-origin");
    const api = await get("/api/v1/events");
    expect(api.headers["content-security-policy"]).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
  });

  it("lets assets be kept for a year, and pages be asked for again soon", async () => {
    const get = await open();
    const asset = await get("/assets/index-1a2b.js");
    expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(asset.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect((await get("/")).headers["cache-control"]).toContain("max-age=60");
    expect((await get("/icon.svg")).headers["content-type"]).toBe("image/svg+xml");
  });

  it.each([
    ["/client.d.ts", "text/plain; charset=utf-8"],
    ["/.well-known/api-catalog", API_CATALOG_TYPE],
  ])("has %s as %s", async (path, contentType) => {
    const get = await open();
    const { status, headers } = await get(path);
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      contentType,
      "public, max-age=60, stale-if-error=86400",
    ]);
  });

  it.each(["/validators", "/concentration?network=testnet", "/api"])(
    "answers %s with its one page",
    async (path) => {
      const get = await open();
      const { status, body } = await get(path);
      expect([status, body]).toEqual([200, expect.stringContaining("<title>Rugwatch</title>")]);
    },
  );

  it.each(["/nothing/here", "/validators/abc", `/validators/${toPubkey(1)}/`, "/%E0%A4%A"])(
    "says 404 of %s, in a page that becomes the site",
    async (path) => {
      const get = await open();
      for (const method of ["GET", "HEAD"]) {
        const { status, headers, body } = await get(path, { method });
        expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
          404,
          "text/html; charset=utf-8",
          "no-store",
        ]);
        expect(headers["content-security-policy"]).toContain("script-src 'self'");
        if (method === "GET")
          expect(body).toMatch(/<title>Not found[^]*src="\/app.js"[^]*There is no page here/);
        else expect(body).toBe("");
      }
    },
  );

  it.each([
    "/index.html",
    "/assets/missing.js",
    "/api/v1/nothing",
    "/api/",
    "/API/v1/events",
    "/feeds/x",
    "/exports",
    "/metrics",
    "/../package.json",
    "/assets/..%2f..%2fpackage.json",
    "/%2e%2e/%2e%2e/etc/passwd.txt",
  ])("leaves %s to the API, which says 404 in JSON", async (path) => {
    const get = await open();
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "not_found" } });
  });

  it("is outside of the limit, which the API keeps", async () => {
    const get = await open({ RATE_LIMIT_PER_MINUTE: "2" });
    for (let time = 0; time < 5; time++) expect((await get("/")).status).toBe(200);
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++) statuses.push((await get("/api/v1/events")).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it("is no page at all where SITE_DIR is not set", async () => {
    const get = await open({ SITE_DIR: "" });
    expect((await get("/")).status).toBe(404);
  });
});

describe("the page of a validator", () => {
  const ADDRESS = `/validators/${toPubkey(1)}`;
  const SITE = createSite(new Map());

  async function openPages(site: typeof SITE | null = SITE) {
    const { app, world } = await createWorld(undefined, { perMinute: 1, ...(site && { site }) });
    return { world, ask: (path: string) => app.fetch(new Request(`http://localhost${path}`)) };
  }

  it.each([ADDRESS, `${ADDRESS}?network=mainnet`, `${ADDRESS}?network=devnet&sort=name`])(
    "is what was published of it, under the site's policy: %s",
    async (path) => {
      const { ask } = await openPages();
      const { status, headers } = await ask(path);
      expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(headers.get("content-security-policy")).toContain("script-src 'self'");
      expect(headers.get("access-control-allow-origin")).toBeNull();
      const again = await ask(path);
      expect(await again.text()).toContain(`data-address="/pages/mainnet/${toPubkey(1)}.html"`);
      expect(again.headers.get("etag")).toBe(headers.get("etag"));
    },
  );

  it.each([
    `${ADDRESS}?network=testnet`,
    `/validators/${toPubkey(99)}`,
    `/validators/${"1".repeat(44)}`,
  ])(
    "is 404 of one that nobody knows there, and the store is not asked for it: %s",
    async (path) => {
      const { ask, world } = await openPages();
      const answer = await ask(path);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        404,
        "text/html; charset=utf-8",
      ]);
      expect(world.reads.filter((key) => !key.endsWith("/index.json"))).toEqual([]);
    },
  );

  it("says 503 while the store is down and nothing is held, and asks it for no key", async () => {
    const { ask, world } = await openPages();
    world.storeDown = true;
    const answer = await ask(ADDRESS);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
    ]);
    expect(await answer.text()).toContain("cannot be read at the moment");
    expect(world.reads.filter((key) => !key.endsWith("/index.json"))).toEqual([]);
  });

  it.each([SITE, null])(
    "is refused with 405 by other methods, which are not counted either",
    async (site) => {
      const { app } = await createWorld(undefined, { ...(site && { site }) });
      const ask = (method: string) =>
        app.fetch(new Request(`http://localhost${ADDRESS}`, { method }));
      const { status, headers } = await ask("POST");
      expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      expect(headers.get("x-ratelimit-limit")).toBeNull();
      expect((await ask("OPTIONS")).status).toBe(204);
    },
  );

  it("is there without the site too, whose own paths then are the API's", async () => {
    const { ask } = await openPages(null);
    expect((await ask(ADDRESS)).status).toBe(200);
    const { status, headers } = await ask(`/validators/${toPubkey(99)}`);
    expect([status, headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
  });
});
