import { toLambdaHandler as toEventHandler } from "srvx/aws-lambda";
import { toApiAddress } from "../generator/contract/addresses.ts";
import { openStore } from "../generator/store/open.ts";
import { createApp } from "./app.ts";
import { createClusters } from "./cache/live-epoch.ts";
import { malformedRequest } from "./errors.ts";
import { getRequestId, toIdHeader } from "./http/request-id.ts";
import { toErrorContent } from "./http/respond.ts";
import { openLimiter } from "./limits/open-limiter.ts";
import { createLog, createRedaction } from "./log.ts";
import { getSecrets, readSettings } from "./settings.ts";
import { createSite } from "./site.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

let opened: Promise<Fetch> | undefined;

/** The function that AWS Lambda calls, with HTTP events of payload version 2.0. */
export const handler = toLambdaHandler(async (request) => {
  opened ??= openApp();
  // After a failure the next request tries again.
  opened.catch(() => (opened = undefined));
  return (await opened)(request);
});

async function openApp(): Promise<Fetch> {
  // eslint-disable-next-line no-restricted-properties -- the composition root is where the clock comes from
  const now = () => Date.now();
  const steadyNow = () => performance.now();
  const settings = readSettings();
  const { logLevel: level, publicStore, rpcUrls, trustedProxies } = settings;
  const write = (line: string) => void process.stderr.write(line);
  const log = createLog({ write, now, level, redact: createRedaction(getSecrets(settings)) });
  const app = createApp({
    objects: openStore(publicStore),
    clusters: createClusters(rpcUrls, now),
    limiter: await openLimiter(settings, steadyNow, log),
    trustedProxies,
    now,
    steadyNow,
    log,
    // Lambda freezes the process between requests: what it reads then fails when it thaws.
    readsBehind: false,
    // The CDN has the files from the bucket, and asks here
    // for what is missing: that gets the site's 404 page.
    site: createSite(new Map()),
  });
  return (request) => app.fetch(request);
}

/** What is read of an HTTP event of payload version 2.0. */
export interface LambdaEvent {
  rawPath: string;
  rawQueryString: string;
  headers: Readonly<Record<string, string>>;
  requestContext: { http: { method: string; sourceIp: string } };
  body?: string | undefined;
}

interface LambdaResult {
  statusCode: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  isBase64Encoded?: boolean;
}

/** Makes an event handler of a fetch handler. */
export function toLambdaHandler(fetch: Fetch): (event: LambdaEvent) => Promise<LambdaResult> {
  // Its types name all that AWS sends and takes; it needs no more than ours.
  const handle = toEventHandler({ fetch }) as unknown as (
    event: LambdaEvent,
  ) => Promise<LambdaResult>;
  return async (event) => {
    try {
      // A Request with GET cannot have a body, and none needs one.
      return await handle({ ...withApiAddress(event), body: undefined });
    } catch (error) {
      // The client would get a bare 502.
      if (error instanceof TypeError) return toMalformed(event);
      throw error;
    }
  };
}

const [headers, body] = toErrorContent(malformedRequest());

/** An event that Request cannot hold. */
function toMalformed(event: LambdaEvent): LambdaResult {
  const all = [...headers, toIdHeader(getRequestId(event))];
  return { statusCode: 400, headers: Object.fromEntries(all), body: body.toString() };
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
