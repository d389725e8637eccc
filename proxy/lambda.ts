import { isUtf8 } from "node:buffer";
import type { ServerRequest } from "srvx";
import { toApiAddress } from "../generator/contract/addresses.ts";
import { openStore } from "../generator/store/open.ts";
import { createApp } from "./app.ts";
import { createClusters } from "./cache/live-epoch.ts";
import { TARGET_MAX_CHARACTERS } from "./http/refusals.ts";
import { createGate, openLimiter } from "./limits/rate-limit.ts";
import { createLog, createRedaction } from "./log.ts";
import { getSecrets, readSettings } from "./settings.ts";
import { createSite } from "./site.ts";

let opened: Promise<Fetch> | undefined;

export const handler = toLambdaHandler(async (request) => {
  opened ??= openApp();
  // After a failure the next request tries again.
  opened.catch(() => (opened = undefined));
  return (await opened)(request);
});

async function openApp(): Promise<Fetch> {
  // eslint-disable-next-line no-restricted-properties -- the composition root is where the clock comes from
  const now = () => Date.now();
  const settings = readSettings();
  const { logLevel: level, publicStore, rpcUrls, trustedProxies } = settings;
  const write = (line: string) => void process.stderr.write(line);
  const log = createLog({ write, now, level, redact: createRedaction(getSecrets(settings)) });
  const { readEpoch } = createClusters(rpcUrls, now);
  const gate = createGate(
    await openLimiter(settings, () => performance.now(), log),
    trustedProxies,
  );
  // The CDN has the files from the bucket, and asks here
  // for what is missing: that gets the site's 404 page.
  const site = createSite(new Map());
  const app = createApp({ objects: openStore(publicStore), readEpoch, gate, now, log, site });
  return (request) => app.fetch(request);
}

/** An HTTP event of payload version 2.0. */
export interface LambdaEvent {
  rawPath: string;
  rawQueryString: string;
  headers: Readonly<Record<string, string>>;
  requestContext: { http: { method: string; sourceIp: string } };
}

type Fetch = (request: Request) => Response | Promise<Response>;

export function toLambdaHandler(fetch: Fetch) {
  return async (event: LambdaEvent) => {
    const response = await fetch(toRequest(event));
    const body = Buffer.from(await response.arrayBuffer());
    const isBase64Encoded = !isUtf8(body);
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: body.toString(isBase64Encoded ? "base64" : "utf8"),
      isBase64Encoded,
    };
  };
}

const FETCH_METHODS = /^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Without what makes `new Request` throw: the client would get a bare 502. */
function toRequest(event: LambdaEvent): ServerRequest {
  const { rawPath, rawQueryString, headers, requestContext } = withApiAddress(event);
  const { method, sourceIp: ip } = requestContext.http;
  const target = rawPath + (rawQueryString && `?${rawQueryString}`);
  const request = new Request(`https://proxy/${target.replace(/^\//, "")}`, {
    // Fetch has no TRACE or CONNECT. The app refuses them like POST.
    method: FETCH_METHODS.test(method) ? method : "POST",
    headers: Object.entries(headers).filter(
      ([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value),
    ),
  });
  return Object.assign(request, {
    ip,
    context: { isTooLong: target.length > TARGET_MAX_CHARACTERS },
  });
}

/**
 * Turns the key of a document or page back into its address: the edge
 * (infra/aws/edge-function.ts) asks here for keys that the bucket lacks.
 */
export function withApiAddress(event: LambdaEvent): LambdaEvent {
  const address = toApiAddress(event.rawPath.slice(1));
  if (address === null) return event;
  return { ...event, rawPath: address.path, rawQueryString: `network=${address.network}` };
}
