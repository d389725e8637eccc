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

// The proxy as a function of AWS Lambda. Settings are read, and VALKEY_URL is connected to, with the first request.

let opened: Promise<Fetch> | undefined;

export const handler = toLambdaHandler(async (request) => {
  opened ??= openApp();
  // Of settings that cannot be used every request tells: none may be answered from the first one's failure.
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
  // Its files the CDN has from the bucket. What it asks here is not there: that is told in a page.
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
    // As it was sent: a URL is longer.
    const target = event.rawPath + (event.rawQueryString && `?${event.rawQueryString}`);
    const send = async (request: ServerRequest) => {
      request.context = { isTooLong: target.length > TARGET_MAX_CHARACTERS };
      const response = await fetch(request);
      type = response.headers.get("content-type") ?? undefined;
      // The adapter takes what is JSON for text, compressed or not. What has no type it hands over in base64.
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

/** The event without what a Fetch Request refuses by throwing: the invocation would fail, and the client get a bare 502. */
function toRequestEvent({ rawPath, rawQueryString, headers, requestContext }: LambdaEvent): AwsLambdaEvent {
  const { method, sourceIp } = requestContext.http;
  const readable = Object.entries(headers).filter(
    // The adapter makes a URL of the host, which not every one can stand in. The app answers the same whatever it is.
    ([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value) && name.toLowerCase() !== "host",
  );
  return {
    version: "2.0",
    rawPath,
    rawQueryString,
    headers: Object.fromEntries(readable),
    // Fetch knows no TRACE or CONNECT. The app refuses them as it refuses POST.
    requestContext: { http: { method: FETCH_METHODS.test(method) ? method : "POST", sourceIp } },
    // No request of this API has a body, and Fetch refuses a GET with one.
    isBase64Encoded: false,
  };
}

/**
 * The event as if the API had been asked, where it asks for the key of a document or page: the edge (infra/edge/) turns addresses into
 * keys, and what the bucket does not have it asks here. The network is the key's, and no other parameter counts.
 */
export function withApiAddress(event: LambdaEvent): LambdaEvent {
  const address = toApiAddress(event.rawPath.slice(1));
  if (address === null) return event;
  return { ...event, rawPath: address.path, rawQueryString: `network=${address.network}` };
}
