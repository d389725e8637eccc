import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { findRoute } from "../../infra/aws/routes.ts";
import { toLambdaHandler, withApiAddress } from "../../proxy/lambda.ts";
import { createSite } from "../../proxy/site.ts";
import { createWorld } from "../proxy/_setup.ts";
import { toPubkey } from "../proxy/fixtures.ts";
import { HOSTILE_PATHS } from "../proxy/fuzz/hostile.ts";
import { makePublished } from "../proxy/fuzz/published.ts";
import { makeRequests } from "../proxy/fuzz/requests.ts";
import { FOR_OPERATORS, isAsked, PATHS, rewrite, VOTE } from "./_edge.ts";
import { SOAK } from "../soak/soak.ts";

const SITE = new Map(
  ["/index.html", "/icon.svg", "/assets/index-1a2b.js"].map((path) => [path, Buffer.from(path)]),
);

describe("the CDN with the proxy behind it", () => {
  type Ask = (method: string, target: string) => Promise<{ status: number; body: string }>;
  let askCdn: Ask;
  let askProxy: Ask;

  beforeAll(async () => {
    const published = makePublished();
    const options = { perMinute: 1_000_000, trusted: { by: "nothing" } } as const;
    const { app } = await createWorld(published, { ...options, site: createSite(SITE) });
    const behind = await createWorld(published, { ...options, site: createSite(new Map()) });
    const lambda = toLambdaHandler((request) => behind.app.fetch(request));
    const bucket = new Map([
      ...SITE,
      ...published.map(({ key, body }) => [`/${key}`, body] as const),
    ]);

    // As infra/aws/distribution.ts has it: a behaviour by the path
    // that was asked for, then the function, then the origins.
    askCdn = async (method, target) => {
      const route = findRoute(target.replace(/\?.*/s, ""));
      const [uri = "", query = ""] = rewrite(target).split(/\?(.*)/s);
      const object = route?.origin === "proxy" ? undefined : bucket.get(toBucketPath(uri));
      if (object !== undefined && (method === "GET" || method === "HEAD"))
        return { status: 200, body: method === "HEAD" ? "" : Buffer.from(object).toString() };
      const names = route?.parameters ?? [];
      const kept = query.split("&").filter((pair) => names.includes(pair.replace(/=.*/s, "")));
      const requestContext = { http: { method, sourceIp: "203.0.113.7" } };
      const event = { rawPath: uri, rawQueryString: kept.join("&"), headers: {}, requestContext };
      const { statusCode, body, isBase64Encoded } = await lambda(withApiAddress(event));
      return {
        status: statusCode,
        body: isBase64Encoded ? Buffer.from(body, "base64").toString() : body,
      };
    };
    askProxy = async (method, target) => {
      const response = await app.fetch(new Request(`http://localhost${target}`, { method }));
      // The CDN drops what the proxy would call ignored.
      const body = (await response.text()).replace(/,"ignored":\[.*?\](?=\}\}$)/, "");
      return { status: response.status, body };
    };
  });

  async function expectSame(method: string, target: string): Promise<number> {
    const [cdn, proxy] = await Promise.all([askCdn(method, target), askProxy(method, target)]);
    // Dots in a path: the URL parser of this test makes another path of them, CloudFront does not.
    const isMended =
      new URL(`http://localhost${target}`).pathname !== target.replace(/[?#].*/s, "");
    if (isMended && cdn.status === 404 && proxy.status === 200) return 404;
    expect(cdn, `${method} ${target}`).toEqual(proxy);
    return cdn.status;
  }

  it.each(PATHS)("answers $path as the proxy alone", async ({ path }) => {
    const networks = ["testnet", "devnet", "mainnet&network=mainnet", "%74estnet"].map(
      (name) => `?network=${name}`,
    );
    const queries = [
      "?%6eetwork=testnet",
      "?Network=testnet",
      "?limit=0&days=0&q=a",
      "?page=2&limit=3&x=y&q=ab",
    ];
    for (const more of ["", ...networks, ...queries, "/", ".json", "%20", "/x"])
      await expectSame("GET", path + more);
    for (const method of ["HEAD", "OPTIONS"]) await expectSame(method, path);
    const escaped = path.replace(
      /^\/(\w)/,
      (_, first: string) => `/%${first.charCodeAt(0).toString(16)}`,
    );
    for (const other of [escaped, path.replace("/v1", "/v1/."), path.toUpperCase()])
      await expectSame("GET", other);
  });

  it.each([
    ...HOSTILE_PATHS.filter(isAsked),
    ...[
      "/api/v1/mainnet/validators.json",
      "/api/v1/mainnet/status.json?x=1",
      "/api/v1/%6dainnet/index.json",
    ],
    ...[
      "/api/v1/./mainnet/status.json",
      "/api/v1/x/../mainnet/index.json?network=devnet",
      "/api\\v1\\mainnet\\index.json",
    ],
    ...[
      `/api/v1/validators/${"z".repeat(44)}`,
      `/api/v1/validators/${toPubkey(99)}`,
      "/api/v1/epochs/99999999/events",
    ],
  ])("answers the hostile path %s as the proxy alone", async (target) => {
    await expectSame("GET", target);
    await expectSame("OPTIONS", target);
  });

  it.each([
    [`/validators/${VOTE}`, 200],
    [`/validators/${VOTE}?x=y&network=mainnet`, 200],
    [`/validators/${VOTE}?network=alpenglow`, 404],
    [`/validators/${toPubkey(99)}`, 404],
    ["/validators/nobody", 404],
    ["/nothing/here", 404],
    ["/concentration?by=city", 200],
  ])("answers the page %s with %i, as the proxy alone", async (target, status) => {
    expect(await expectSame("GET", target)).toBe(status);
    expect(await expectSame("HEAD", target)).toBe(status);
  });

  it("answers made-up requests as the proxy alone", async () => {
    const statuses = new Set<number>();
    const requests = makeRequests().filter(({ target }) => isAsked(target));
    // Other methods the firewall refuses.
    const methods = fc.constantFrom("GET", "HEAD", "OPTIONS");
    const property = fc.asyncProperty(requests, methods, async ({ target }, method) => {
      statuses.add(await expectSame(method, target));
    });
    await fc.assert(property, { numRuns: 400 * SOAK });
    expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 400, 404]));
  });

  it.each(FOR_OPERATORS)(
    "does not answer what whoever runs the proxy asks it: %s",
    async (path) => {
      expect([(await askCdn("GET", path)).status, (await askProxy("GET", path)).status]).toEqual([
        404, 200,
      ]);
    },
  );
});

/** S3 undoes escapes, and knows no dots. */
function toBucketPath(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return "(S3 refuses it)";
  }
}
