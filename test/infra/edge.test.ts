import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { Linter } from "eslint";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { toObjectKey, type ObjectKind } from "../../generator/contract/objects.ts";
import { findRoute } from "../../infra/aws/routes.ts";
import { buildEdgeFunction } from "../../infra/edge/build.ts";
import { toLambdaHandler, withApiAddress } from "../../proxy/lambda.ts";
import { createSite } from "../../proxy/site.ts";
import { createWorld } from "../proxy/_setup.ts";
import { LATEST_EPOCH, toPubkey } from "../proxy/fixtures.ts";
import { HOSTILE_PATHS } from "../proxy/fuzz/hostile.ts";
import { makePublished } from "../proxy/fuzz/published.ts";
import { makeRequests } from "../proxy/fuzz/requests.ts";

const script = buildEdgeFunction();
const VOTE = toPubkey(1);
const NAMED = { votePubkey: VOTE, epoch: LATEST_EPOCH - 1, feed: "rug" };
const NAMES: Record<string, string | number> = { ...NAMED, network: "mainnet" };
const PATHS = Object.entries(OPERATIONS).map(([key, { path }]) => ({
  key,
  path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(NAMES[name])),
}));

interface Request {
  uri: string;
  querystring: unknown;
}

const handler = runInNewContext(`"use strict"; ${script}; handler`) as (event: object) => Request;

/** What the edge makes of a target, which CloudFront hands over as it was sent. */
function rewrite(target: string): string {
  const mark = target.indexOf("?");
  const query = mark === -1 ? undefined : target.slice(mark + 1);
  const request = { uri: mark === -1 ? target : target.slice(0, mark), querystring: {}, rawQueryString: () => query };
  const { uri, querystring } = handler({ request });
  return querystring === "" ? uri : `${uri}?${String(querystring)}`;
}

describe("the edge function", () => {
  it.each(PATHS)(
    "turns $path into its object's key where that is another, and leaves the rest of $key",
    ({ key, path }) => {
      const isObject = findRoute(path)?.origin === "bucket";
      for (const [query, network] of [
        ["", "mainnet"],
        ["?", "mainnet"],
        ["?network=testnet", "testnet"],
        ["?n%65twork=alpengl%6fw", "alpenglow"],
      ] as const) {
        const rewritten = rewrite(path + query);
        if (!isObject || !path.startsWith("/api/")) expect(rewritten.split("?")[0]).toBe(path);
        else expect(rewritten).toBe(`/${toObjectKey(network, key as ObjectKind, NAMED as never)}`);
      }
      const others = ["network=devnet", "network=", "network=testnet&network=mainnet", "page=2&network=testnet", "x"];
      for (const query of others) expect(rewrite(`${path}?${query}`)).toBe(`${path}?${query}`);
    },
  );

  it.each([
    ["/", "/index.html"],
    ["/api", "/index.html"],
    ["/validators?network=testnet&sort=name", "/index.html"],
    [`/validators/${VOTE}`, `/pages/mainnet/${VOTE}.html`],
    [`/validators/${VOTE}?sort=name&network=testnet`, `/pages/testnet/${VOTE}.html`],
    [`/validators/${VOTE}?network=devnet`, `/pages/mainnet/${VOTE}.html`],
    [`/validators/${VOTE}/`, `/validators/${VOTE}/`],
    ["/nothing/here", "/nothing/here"],
    ["/assets/index-1a2b.js?x", "/assets/index-1a2b.js?x"],
    ["/favicon.ico", "/favicon.ico"],
    ["/API/v1/validators", "/API/v1/validators"],
    ["/feeds", "/feeds"],
    ["/metrics", "/metrics"],
    ["/api/v1/validators/abc", "/api/v1/validators/abc"],
    [`/api/v1/validators/${"1".repeat(45)}`, `/api/v1/validators/${"1".repeat(45)}`],
    ["/api/v1/epochs/01/events", "/api/v1/epochs/01/events"],
    ["/api/v1/epochs/9007199254740993/events", "/api/v1/epochs/9007199254740993/events"],
    // Nobody gets an object by its key, nor what whoever runs the proxy asks it.
    ["/api/v1/mainnet/index.json", "/api/v1/mainnet/index.json/"],
    [`/pages/mainnet/${VOTE}.html`, `/pages/mainnet/${VOTE}.html/`],
    ["/healthz", "/healthz/"],
  ])("makes of %s: %s", (target, rewritten) => {
    expect(rewrite(target)).toBe(rewritten);
  });

  it("is small, and written in what CloudFront's runtime knows whole", () => {
    expect(Buffer.byteLength(script)).toBeLessThan(4_096);
    const messages = new Linter().verify(script, {
      languageOptions: { ecmaVersion: 5, sourceType: "script" },
      rules: { "no-undef": "error" },
    });
    expect(messages.map(({ message }) => message)).toEqual([]);
  });
});

/** nginx's JavaScript engine, which has the features that CloudFront lists for its runtime; Debian has it as `njs`. */
const hasNjs = spawnSync("njs", ["-v"]).status === 0;

describe.skipIf(!hasNjs)("the edge function in njs", () => {
  it("rewrites as it does here", () => {
    const made = fc.sample(makeRequests(), { numRuns: 1_000, seed: 1 }).map(({ target }) => target);
    const targets = [...PATHS.map(({ path }) => path), ...made.filter(isAsked)].filter(({ length }) => length < 1_000);
    const directory = mkdtempSync(join(tmpdir(), "rugwatch-njs-"));
    const file = join(directory, "edge.js");
    writeFileSync(file, `${script}\nvar targets = ${JSON.stringify(targets)};\n${rewriteAll}`);
    const lines = execFileSync("njs", [file], { encoding: "utf8", maxBuffer: 1e8 }).trim().split("\n");
    rmSync(directory, { recursive: true });
    const expected = targets.map((target) => JSON.stringify(rewrite(target)));
    expect(lines.filter((line, place) => line !== expected[place])).toEqual([]);
  });
});

/** Runs in njs, behind the function. */
const rewriteAll = `targets.forEach(function (target) {
  var mark = target.indexOf("?");
  var query = mark === -1 ? undefined : target.slice(mark + 1);
  var uri = mark === -1 ? target : target.slice(0, mark);
  var request = handler({ request: { uri: uri, querystring: {}, rawQueryString: function () { return query; } } });
  console.log(JSON.stringify(request.querystring === "" ? request.uri : request.uri + "?" + request.querystring));
});`;

interface Answer {
  status: number;
  body: string;
}

const SITE = new Map(["/index.html", "/icon.svg", "/assets/index-1a2b.js"].map((path) => [path, Buffer.from(path)]));
const FOR_OPERATORS = ["/healthz", "/readyz"];

/** Answered otherwise on purpose: the operator's, and the index by its own name. */
function isAsked(target: string): boolean {
  const path = target.replace(/[?#].*/s, "");
  return target.startsWith("/") && !target.includes("#") && ![...FOR_OPERATORS, "/index.html"].includes(path);
}

describe("the CDN with the proxy behind it", () => {
  let askCdn: (method: string, target: string) => Promise<Answer>;
  let askProxy: (method: string, target: string) => Promise<Answer>;

  beforeAll(async () => {
    const published = makePublished();
    const options = { perMinute: 1_000_000, trusted: { by: "nothing" } } as const;
    const { app } = await createWorld(published, { ...options, site: createSite(SITE) });
    const behind = await createWorld(published, { ...options, site: createSite(new Map()) });
    const lambda = toLambdaHandler((request) => behind.app.fetch(request));
    const bucket = new Map([...SITE, ...published.map(({ key, body }) => [`/${key}`, body] as const)]);

    // As infra/aws/distribution.ts has it: a behaviour by the path that was asked for, then the function, then the origins.
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
      const { statusCode, body, isBase64Encoded } = await lambda(withApiAddress(event), {});
      return { status: statusCode, body: isBase64Encoded ? Buffer.from(body, "base64").toString() : body };
    };
    askProxy = async (method, target) => {
      const response = await app.fetch(new Request(`http://localhost${target}`, { method }));
      return { status: response.status, body: await response.text() };
    };
  });

  async function expectSame(method: string, target: string): Promise<number> {
    const [cdn, proxy] = await Promise.all([askCdn(method, target), askProxy(method, target)]);
    // Dots in a path: the URL parser of this test makes another path of them, CloudFront does not.
    const isMended = new URL(`http://localhost${target}`).pathname !== target.replace(/[?#].*/s, "");
    if (isMended && cdn.status === 404 && proxy.status === 200) return 404;
    expect(cdn, `${method} ${target}`).toEqual(proxy);
    return cdn.status;
  }

  it.each(PATHS)("answers $path as the proxy alone", async ({ path }) => {
    const queries = [
      "",
      "?network=testnet",
      "?network=devnet",
      "?network=mainnet&network=mainnet",
      "?limit=0&days=0&q=a",
    ];
    const others = [
      "?%6eetwork=testnet",
      "?network=%74estnet",
      "?Network=testnet",
      "?page=2&limit=3&x=y",
      "?limit=3&q=ab",
    ];
    for (const query of [...queries, ...others]) await expectSame("GET", path + query);
    for (const method of ["HEAD", "OPTIONS"]) await expectSame(method, path);
    for (const more of ["/", ".json", "%20", "/x"]) await expectSame("GET", path + more);
    await expectSame("GET", path.replace("/v1", "/v1/."));
    await expectSame(
      "GET",
      path.replace(/^\/(\w)/, (_, first: string) => `/%${first.charCodeAt(0).toString(16)}`),
    );
    await expectSame("GET", path.toUpperCase());
  });

  it.each([
    ...HOSTILE_PATHS.filter(isAsked),
    ...["/api/v1/mainnet/validators.json", "/api/v1/mainnet/status.json?x=1", "/api/v1/%6dainnet/index.json"],
    ...[
      "/api/v1/./mainnet/status.json",
      "/api/v1/x/../mainnet/index.json?network=devnet",
      "/api\\v1\\mainnet\\index.json",
    ],
    ...[`/api/v1/validators/${"z".repeat(44)}`, `/api/v1/validators/${toPubkey(99)}`, "/api/v1/epochs/99999999/events"],
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
    const property = fc.asyncProperty(
      requests,
      fc.constantFrom("GET", "HEAD", "OPTIONS"),
      async ({ target }, method) => {
        statuses.add(await expectSame(method, target));
      },
    );
    await fc.assert(property, { numRuns: 1_500 });
    // Else the requests are not what they are meant to be.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 400, 404]));
  });

  it.each(FOR_OPERATORS)("does not answer what whoever runs the proxy asks it: %s", async (path) => {
    expect([(await askCdn("GET", path)).status, (await askProxy("GET", path)).status]).toEqual([404, 200]);
  });
});

/** S3 undoes escapes, and knows no dots. */
function toBucketPath(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return "(S3 refuses it)";
  }
}
