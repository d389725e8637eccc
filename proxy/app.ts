import { H3, type H3Event, type HTTPError } from "h3";
import type { SnapshotIndex } from "../generator/contract/snapshot-index.ts";
import { openApiDocument } from "../generator/contract/openapi.ts";
import { ENDPOINTS } from "../generator/contract/endpoints.ts";
import { toAnswer } from "./answers/answer.ts";
import { createVariants } from "./answers/compress.ts";
import { ApiError } from "./http/api-error.ts";
import { throwNotedRefusal } from "./http/early-refusal.ts";
import { createDocuments } from "./held/documents.ts";
import type { Limiter } from "./limits/limiter.ts";
import { createLiveEpoch, type ReadEpoch } from "./held/live-epoch.ts";
import { addHealth } from "./routes/health.ts";
import type { Log } from "./log/entry.ts";
import { HEALTH_PATHS } from "./operations/route-names.ts";
import { withStoreDeadline, type ObjectReader } from "./held/objects.ts";
import { createGate } from "./http/gate.ts";
import { createRateLimit } from "./http/rate-limit.ts";
import { createNegotiation, type Negotiation } from "./http/negotiation.ts";
import { ApiResponse, respondWithError } from "./http/respond.ts";
import { defineGet, notFound, toHandler, toRoutePath, type Route } from "./http/route.ts";
import { epochRoute } from "./routes/epoch.ts";
import { eventsRoute } from "./routes/events.ts";
import { rugsPerEpochRoute } from "./routes/rugs-per-epoch.ts";
import { searchRoute } from "./routes/search.ts";
import { staticRoutes } from "./routes/static.ts";
import { uptimeRoute } from "./routes/uptime.ts";
import { validatorsRoute } from "./routes/validators.ts";
import { createSnapshots } from "./held/snapshots.ts";
import type { OnPlace } from "./memory.ts";
import type { Site } from "./site/site.ts";
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
  /** Told of each snapshot that takes the place of the one before. */
  onSnapshot?: (index: SnapshotIndex) => void;
  /** Told of each place where something is remembered; see memory.ts. */
  onPlace?: OnPlace;
  /** Whether the process has been told to stop. */
  isStopping?: () => boolean;
  /** Answered before all else and outside of the limit; by default there is only the API. */
  site?: Site;
}

/** The proxy as a web handler: it knows no port and no environment. */
export function createApp(dependencies: Dependencies): H3 {
  const { objects, readEpoch, limiter, trustedProxies, now, log } = dependencies;
  const { onSnapshot = () => undefined, onPlace = () => undefined, isStopping = () => false } = dependencies;
  const reader = withStoreDeadline(objects);
  const snapshots = createSnapshots({ objects: reader, now, log, onSnapshot, onPlace });
  const documents = createDocuments({ objects: reader, snapshots, now, log, onPlace });
  const negotiation = createNegotiation(createVariants({ log, onPlace }));
  const liveEpoch = createLiveEpoch({ readEpoch, snapshots, now, log });

  const app = new H3({
    silent: true,
    // Else h3 refuses a malformed path before any middleware, and its answer would lack the rate limit headers.
    allowMalformedURL: true,
    onError: (error, event) => respondWithError(event, toCause(error), log),
  });
  const { site } = dependencies;
  if (site !== undefined) app.use((event) => answerPage(site, event));
  const gate = createGate({ limiter, trustedProxies });
  app.use(createRateLimit({ gate, unlimited: new Set(Object.values(HEALTH_PATHS)) }));
  app.use(throwNotedRefusal);

  const routes: Route[] = [
    validatorsRoute(snapshots),
    eventsRoute(snapshots),
    rugsPerEpochRoute(snapshots),
    searchRoute(snapshots),
    uptimeRoute(documents),
    epochRoute(liveEpoch),
    ...staticRoutes(documents),
  ];
  for (const route of routes) app.all(toRoutePath(route), toHandler(route, negotiation));
  addDescription(app, negotiation);
  addHealth(app, { snapshots, isStopping });
  return app;
}

/** Nothing, where it is no page that is asked for: then whoever comes next answers. */
function answerPage(site: Site, { req: { method, headers }, url: { pathname: path } }: H3Event): Response | undefined {
  const acceptEncoding = headers.get("accept-encoding");
  const reply = site.answer({ method, path, acceptEncoding, ifNoneMatch: headers.get("if-none-match") });
  return reply === null ? undefined : new ApiResponse(reply, null);
}

/** The description of the API, which belongs to no network. */
function addDescription(app: H3, negotiation: Negotiation): void {
  const { path, cache } = ENDPOINTS.openapi;
  const description = toAnswer(JSON.stringify(openApiDocument()), cache);
  const get = defineGet(
    () => Promise.resolve({ value: description, stale: false, ageSeconds: 0, freshUntil: Infinity }),
    negotiation,
  );
  app.all(path, get);
}

/** h3 wraps what was thrown, and throws its own 404 where no route fits. */
function toCause(error: HTTPError): unknown {
  if (error.cause instanceof ApiError) return error.cause;
  if (error.status === 404 && error.unhandled !== true) return notFound();
  return error.cause ?? error;
}
