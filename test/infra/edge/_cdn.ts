import type { LambdaEvent } from "../../../proxy/http/lambda-handler.ts";
import { toLambdaHandler } from "../../../proxy/http/lambda-handler.ts";
import { withApiAddress } from "../../../proxy/http/lambda-handler.ts";
import { createSite } from "../../../proxy/site.ts";
import { createWorld } from "../../proxy/_setup.ts";
import { makePublished } from "../../proxy/fuzz/published.ts";
import { openEdgeFunction } from "./_function.ts";

/** What is compared of an answer. */
export interface Answer {
  status: number;
  body: string;
}

/** Whether the origin of a path is the bucket, and the proxy where that has nothing, or the proxy alone. */
export type Origin = "bucket" | "proxy";

/** The same network behind a CDN and without one. */
export interface TwoWays {
  /** Edge function, then bucket, then the proxy as a function of AWS Lambda. */
  askCdn(method: string, target: string, origin: Origin): Promise<Answer>;
  /** The proxy with the site, and nothing before it. */
  askProxy(method: string, target: string): Promise<Answer>;
}

const SITE = new Map(
  ["/index.html", "/icon.svg", "/assets/index-1a2b.js"].map((path) => [path, Buffer.from(`the file ${path}`)]),
);
const ENOUGH = 1_000_000;

export async function openTwoWays(): Promise<TwoWays> {
  const published = makePublished();
  const options = { perMinute: ENOUGH, trusted: { by: "nothing" } } as const;
  const { app } = await createWorld(published, { ...options, site: createSite(SITE) });
  const behind = await createWorld(published, options);
  const lambda = toLambdaHandler((request) => behind.app.fetch(request));
  const edge = await openEdgeFunction();
  const bucket = new Map<string, Uint8Array>([
    ...SITE,
    ...published.map(({ key, body }): [string, Uint8Array] => [`/${key}`, body]),
  ]);

  return {
    async askCdn(method, target, origin) {
      const decided = edge(target, method);
      if ("response" in decided)
        return { status: decided.response.statusCode, body: decided.response.body?.data ?? "" };
      const object = bucket.get(decided.uri);
      // The site has no other origin.
      if (object !== undefined && (origin === "bucket" || SITE.has(decided.uri)))
        return { status: 200, body: method === "HEAD" ? "" : Buffer.from(object).toString() };
      const result = await lambda(withApiAddress(toEvent(method, decided.uri, decided.query)), {});
      const body = result.isBase64Encoded === true ? Buffer.from(result.body, "base64").toString() : result.body;
      return { status: result.statusCode, body };
    },
    async askProxy(method, target) {
      const response = await app.fetch(new Request(`http://localhost${target}`, { method }));
      return { status: response.status, body: await response.text() };
    },
  };
}

function toEvent(method: string, rawPath: string, rawQueryString: string): LambdaEvent {
  const requestContext = { http: { method, sourceIp: "203.0.113.7" } };
  return { rawPath, rawQueryString, headers: { host: "abc123.lambda-url.eu-central-1.on.aws" }, requestContext };
}
