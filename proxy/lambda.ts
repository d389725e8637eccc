import type { ServerRequest } from "srvx";
import { handleLambdaEvent, type AwsLambdaEvent } from "srvx/aws-lambda";
import { toApiAddress } from "../generator/contract/addresses.ts";
import { openStore } from "../generator/store/open.ts";
import { createApp } from "./app.ts";
import { createClusters } from "./cache/live-epoch.ts";
import { TARGET_MAX_CHARACTERS } from "./http/errors.ts";
import { createGate, openLimiter } from "./limits/rate-limit.ts";
import { createLog, createRedaction } from "./operations/log.ts";
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
  const gate = createGate(await openLimiter({ ...settings, now: () => performance.now(), log }), trustedProxies);
  // The CDN has the files from the bucket, and asks here for what is missing: that gets the site's 404 page.
  const site = createSite(new Map());
  const app = createApp({ objects: openStore(publicStore), readEpoch, gate, now, log, site });
  return (request) => app.fetch(request);
}

export interface LambdaEvent {
  rawPath: string;
  rawQueryString: string;
  headers: Readonly<Record<string, string>>;
  requestContext: { http: { method: string; sourceIp: string } };
}

export interface LambdaResult {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded?: boolean;
}

type Fetch = (request: Request) => Response | Promise<Response>;

export function toLambdaHandler(fetch: Fetch) {
  return async (event: LambdaEvent, context: object): Promise<LambdaResult> => {
    let type: string | undefined;
    const target = event.rawPath + (event.rawQueryString && `?${event.rawQueryString}`);
    const send = async (request: ServerRequest) => {
      request.context = { isTooLong: target.length > TARGET_MAX_CHARACTERS };
      const response = await fetch(request);
      type = response.headers.get("content-type") ?? undefined;
      // The adapter would send compressed JSON as text; without a type it sends base64.
      if (response.headers.has("content-encoding")) response.headers.delete("content-type");
      return response;
    };
    const sent = await handleLambdaEvent(send, toRequestEvent(withApiAddress(event)), context as never);
    const result = sent as LambdaResult;
    return type === undefined ? result : { ...result, headers: { ...result.headers, "content-type": type } };
  };
}

const FETCH_METHODS = /^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Without what makes `new Request` throw: the client would get a bare 502. */
function toRequestEvent({ rawPath, rawQueryString, headers, requestContext }: LambdaEvent): AwsLambdaEvent {
  const { method, sourceIp } = requestContext.http;
  const readable = Object.entries(headers).filter(
    // The adapter makes a URL of the host, which may be malformed. The app does not need it.
    ([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value) && name.toLowerCase() !== "host",
  );
  return {
    version: "2.0",
    rawPath,
    rawQueryString,
    headers: Object.fromEntries(readable),
    // Fetch has no TRACE or CONNECT. The app refuses them like POST.
    requestContext: { http: { method: FETCH_METHODS.test(method) ? method : "POST", sourceIp } },
    // No body: Fetch refuses a GET with one.
    isBase64Encoded: false,
  };
}

/**
 * Turns the key of a document or page back into its address: the edge (infra/edge/) makes keys of addresses, and asks here for keys
 * that the bucket does not have.
 */
export function withApiAddress(event: LambdaEvent): LambdaEvent {
  const address = toApiAddress(event.rawPath.slice(1));
  if (address === null) return event;
  return { ...event, rawPath: address.path, rawQueryString: `network=${address.network}` };
}
