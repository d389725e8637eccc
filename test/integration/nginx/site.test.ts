import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { API_CATALOG_PATH, SITE_FILE_TYPES } from "../../../generator/contract/site-files.ts";
import { createSite } from "../../../proxy/site.ts";
import { toPubkey } from "../../proxy/fixtures.ts";
import { hasNginx, startEdge, type Edge } from "./_edge.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const PAGE = `<!doctype html><title>Rugwatch</title>${"<p>rug</p>".repeat(200)}`;
const SCRIPT = `console.log("${"rug".repeat(500)}")`;

describe.skipIf(!hasNginx)("the site through nginx", () => {
  let edge: Edge;
  beforeAll(async () => {
    const site = createSite(
      new Map([
        ["/index.html", bytes(PAGE)],
        ["/assets/index-1a2b.js", bytes(SCRIPT)],
        ["/client.d.ts", bytes(SCRIPT)],
        [API_CATALOG_PATH, bytes(SCRIPT)],
      ]),
    );
    edge = await startEdge({ site });
  });
  afterAll(async () => edge.close());

  it.each([
    ["/", PAGE, "public, max-age=60, stale-if-error=86400"],
    ["/validators?sort=name", PAGE, "public, max-age=60, stale-if-error=86400"],
    ["/assets/index-1a2b.js", SCRIPT, "public, max-age=31536000, immutable"],
  ])(
    "has %s from the cache the second time, with the headers that pages need",
    async (path, text, cacheControl) => {
      const alone = await edge.askProxy(path);
      for (const cache of ["MISS", "HIT"]) {
        const { status, headers, body } = await edge.ask(path);
        expect([status, headers["x-cache"], body.toString()]).toEqual([200, cache, text]);
        expect(headers["cache-control"]).toBe(cacheControl);
        expect(headers["content-security-policy"]).toBe(alone.headers["content-security-policy"]);
      }
    },
  );

  it.each([
    ["gzip", "gzip, deflate", gunzipSync],
    ["gzip", "br;q=0.5, gzip;q=0.9", gunzipSync],
  ] as const)("is sent in %s to who takes %s", async (coding, accepted, decompress) => {
    for (let time = 1; time <= 2; time += 1) {
      const { headers, body } = await edge.ask("/assets/index-1a2b.js", {
        headers: { "accept-encoding": accepted },
      });
      expect([headers["content-encoding"], headers.vary]).toEqual([coding, "Accept-Encoding"]);
      expect(decompress(body).toString()).toBe(SCRIPT);
    }
  });

  it.each([
    ["/client.d.ts", "gzip"],
    // Small, and of a type that nginx does not compress.
    [API_CATALOG_PATH, undefined],
  ])("has the media type of %s", async (path, coding) => {
    const { status, headers, body } = await edge.ask(path, {
      headers: { "accept-encoding": "gzip" },
    });
    expect([status, headers["content-type"], headers["content-encoding"]]).toEqual([
      200,
      SITE_FILE_TYPES[path],
      coding,
    ]);
    expect((coding === "gzip" ? gunzipSync(body) : body).toString()).toBe(SCRIPT);
  });

  it("has one page for all that is asked in its address", async () => {
    await edge.ask("/concentration");
    expect((await edge.ask("/concentration?by=city")).headers["x-cache"]).toBe("HIT");
  });

  it("has a page of each validator, by its network and nothing else that is asked", async () => {
    const address = `/validators/${toPubkey(1)}`;
    for (const [query, cache] of [
      ["", "MISS"],
      ["?sort=name", "HIT"],
      ["?x=y&network=mainnet", "MISS"],
      ["?network=mainnet&event=1", "HIT"],
    ] as const) {
      const { status, headers, body } = await edge.ask(address + query);
      expect([status, headers["x-cache"], headers["content-type"]]).toEqual([
        200,
        cache,
        "text/html; charset=utf-8",
      ]);
      expect(headers["content-security-policy"]).toContain("script-src 'self'");
      expect(body.toString()).toContain(`data-address="/pages/mainnet/${toPubkey(1)}.html"`);
    }
    expect((await edge.ask(`${address}?network=testnet`)).status).toBe(404);
  });

  it.each(["/nothing/here", `/validators/${toPubkey(99)}`])(
    "says 404 of %s, in a page",
    async (path) => {
      const { status, headers, body } = await edge.ask(path);
      expect([status, headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
      expect(body.toString()).toContain("There is no page here");
    },
  );

  it("has badges, which any page may show and nothing in which may run", async () => {
    for (const cache of ["MISS", "HIT"]) {
      const { status, headers } = await edge.ask(`/badges/mainnet/${toPubkey(1)}.svg`);
      expect([status, headers["x-cache"], headers["content-type"]]).toEqual([
        200,
        cache,
        "image/svg+xml",
      ]);
      expect(headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["cross-origin-resource-policy"]).toBe("cross-origin");
    }
    expect((await edge.ask(`/badges/mainnet/${toPubkey(99)}.svg`)).status).toBe(404);
  });

  it("costs nothing of the API's limit", async () => {
    const from = "127.7.7.7";
    for (let count = 0; count < 150; count += 1)
      expect((await edge.ask("/", { from })).status).toBe(200);
    expect((await edge.ask("/api/v1/events", { from })).status).toBe(200);
  });
});
