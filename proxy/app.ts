import { H3, type HTTPError } from "h3";
import { DEFAULT_NETWORK } from "../generator/contract/networks.ts";
import { openApiDocument } from "../generator/contract/openapi.ts";
import { ENDPOINTS } from "../generator/contract/endpoints.ts";
import { toAnswer, type Answer } from "./answers/answer.ts";
import { ApiError } from "./http/api-error.ts";
import { createDocuments } from "./held/documents.ts";
import type { Limiter } from "./limits/limiter.ts";
import { createLiveEpoch, type ReadEpoch } from "./held/live-epoch.ts";
import type { Log } from "./operations/log.ts";
import { withStoreDeadline, type ObjectReader } from "./held/objects.ts";
import { createRateLimit } from "./limits/rate-limit.ts";
import { respondWithError } from "./http/respond.ts";
import { defineGet, notFound, toHandler, toRoutePath, type Route } from "./http/route.ts";
import { epochRoute } from "./routes/epoch.ts";
import { eventsRoute } from "./routes/events.ts";
import { rugsPerEpochRoute } from "./routes/rugs-per-epoch.ts";
import { searchRoute } from "./routes/search.ts";
import { staticRoutes } from "./routes/static.ts";
import { uptimeRoute } from "./routes/uptime.ts";
import { validatorsRoute } from "./routes/validators.ts";
import { createSnapshots, type Snapshots } from "./held/snapshots.ts";
import type { TrustedProxies } from "./limits/trusted-proxies.ts";

/** All that the proxy needs of the world. */
export interface Dependencies {
  objects: ObjectReader;
  readEpoch: ReadEpoch;
  limiter: Limiter;
  trustedProxies: TrustedProxies;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Log;
}

const HEALTH_PATHS = { live: "/healthz", ready: "/readyz" } as const;

/** The proxy as a web handler: it knows no port and no environment. */
export function createApp({ objects, readEpoch, limiter, trustedProxies, now, log }: Dependencies): H3 {
  const reader = withStoreDeadline(objects);
  const snapshots = createSnapshots({ objects: reader, now, log });
  const documents = createDocuments({ objects: reader, now, log });
  const liveEpoch = createLiveEpoch({ readEpoch, snapshots, now, log });

  const app = new H3({
    silent: true,
    // Else h3 refuses a malformed path before any middleware, and its answer would lack the rate limit headers.
    allowMalformedURL: true,
    onError: (error, event) => respondWithError(event, toCause(error), log),
  });
  app.use(createRateLimit({ limiter, trustedProxies, unlimited: new Set(Object.values(HEALTH_PATHS)) }));

  const routes: Route[] = [
    validatorsRoute(snapshots),
    eventsRoute(snapshots),
    rugsPerEpochRoute(snapshots),
    searchRoute(snapshots),
    uptimeRoute(documents),
    epochRoute(liveEpoch),
    ...staticRoutes(documents),
  ];
  for (const route of routes) app.all(toRoutePath(route), toHandler(route));
  addFixedPaths(app, snapshots);
  return app;
}

/** Paths that belong to no network. */
function addFixedPaths(app: H3, snapshots: Snapshots): void {
  const { path, cache } = ENDPOINTS.openapi;
  const description = toAnswer(JSON.stringify(openApiDocument()), cache);
  const healthy = toAnswer(JSON.stringify({ data: { status: "ok" }, meta: {} }), "error");
  const isStale = async () => (await snapshots.get(DEFAULT_NETWORK)).stale;
  const always = (value: Answer) => defineGet(() => Promise.resolve({ value, stale: false }));
  app.all(path, always(description));
  app.all(HEALTH_PATHS.live, always(healthy));
  const ready = defineGet(async () => ({ value: healthy, stale: await isStale() }));
  app.all(HEALTH_PATHS.ready, ready);
}

/** h3 wraps what was thrown, and throws its own 404 where no route fits. */
function toCause(error: HTTPError): unknown {
  if (error.cause instanceof ApiError) return error.cause;
  if (error.status === 404 && error.unhandled !== true) return notFound();
  return error.cause ?? error;
}
