import { H3, type H3Event, type HTTPError } from "h3";
import { OPERATIONS } from "../generator/contract/operations.ts";
import { MESSAGES } from "../generator/contract/errors.ts";
import { openApiDocument } from "../generator/contract/openapi.ts";
import type { SnapshotIndex } from "../generator/contract/snapshot-index.ts";
import { toAnswer, toJson } from "./cache/answer.ts";
import { createDocuments } from "./cache/documents.ts";
import { createLiveEpoch, type LiveEpoch, type ReadEpoch } from "./cache/live-epoch.ts";
import type { OnPlace } from "./cache/memory.ts";
import { createSnapshots } from "./cache/snapshots.ts";
import { withStoreDeadline, type ObjectReader } from "./cache/store.ts";
import { createVariants, type Variants } from "./cache/variants.ts";
import { ApiError, notFound } from "./http/api-error.ts";
import { uriTooLong } from "./http/refusal.ts";
import { ApiResponse, respondWith, toErrorReply } from "./http/reply.ts";
import { createRateLimit, type Gate } from "./limits/rate-limit.ts";
import type { Log } from "./operations/log.ts";
import { HEALTH_PATHS } from "./operations/requests.ts";
import { documentRoutes } from "./routes/documents.ts";
import { addHealth } from "./routes/health.ts";
import { listRoutes } from "./routes/lists.ts";
import { defineGet, toHandler, toRoutePath, type Route } from "./routes/route.ts";
import { searchRoute } from "./routes/search.ts";
import type { Site } from "./site.ts";

/** All that the proxy needs of the world. */
export interface Dependencies {
  objects: ObjectReader;
  readEpoch: ReadEpoch;
  /** Counts each request of the API. */
  gate: Gate;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Log;
  /** Told of each snapshot that takes the place of the one before. */
  onSnapshot?: ((index: SnapshotIndex) => void) | undefined;
  /** Told of each cache. */
  onPlace?: OnPlace | undefined;
  /** Whether the process has been told to stop. */
  isStopping?: () => boolean;
  /** Answered before all else and outside of the limit; null: there is only the API. */
  site?: Site | null;
}

/** The proxy as a web handler: it knows no port and no environment. */
export function createApp(dependencies: Dependencies): H3 {
  const { readEpoch, gate, now, log, onSnapshot, onPlace, isStopping = () => false, site = null } = dependencies;
  const objects = withStoreDeadline(dependencies.objects);
  const snapshots = createSnapshots({ objects, now, log, onSnapshot, onPlace });
  const documents = createDocuments({ objects, snapshots, now, log, onPlace });
  const variants = createVariants({ log, onPlace });

  const app = new H3({
    silent: true,
    // Else h3 refuses a malformed path before any middleware, and its answer would lack the rate limit headers.
    allowMalformedURL: true,
    onError: (error, event) => respondWithError(event, toCause(error), log),
  });
  if (site !== null) app.use((event) => answerPage(site, event));
  app.use(createRateLimit(gate, new Set(Object.values(HEALTH_PATHS))));
  app.use(assertShort);
  const routes: Route[] = [
    ...listRoutes(snapshots),
    searchRoute(snapshots),
    epochRoute(createLiveEpoch({ readEpoch, snapshots, now, log })),
    ...documentRoutes(documents),
  ];
  for (const route of routes) app.all(toRoutePath(route), toHandler(route, variants));
  addDescription(app, variants);
  addHealth(app, { snapshots, isStopping });
  return app;
}

/** Nothing, where it is no page that is asked for: then whoever comes next answers. */
function answerPage(site: Site, event: H3Event): Response | undefined {
  const { method } = event.req;
  const page = method === "GET" || method === "HEAD" ? site.find(event.url.pathname) : null;
  return page === null ? undefined : respondWith(event, page);
}

/** Behind the limit, which counts it like any request. Node's server refuses such a target before. */
function assertShort({ req }: H3Event): void {
  if (req.context?.["isTooLong"] === true) throw uriTooLong();
}

/** Endpoint 12: progress of the running epoch. */
function epochRoute(liveEpoch: LiveEpoch): Route {
  return {
    endpoint: "epoch",
    async answer({ network }) {
      const reading = await liveEpoch.get(network);
      return { ...reading, value: toAnswer(toJson(reading.value, { network }), OPERATIONS.epoch.cache) };
    },
  };
}

/** The description of the API, which belongs to no network. */
function addDescription(app: H3, variants: Variants): void {
  const { path, cache } = OPERATIONS.openapi;
  const value = toAnswer(JSON.stringify(openApiDocument()), cache);
  const answer = () => Promise.resolve({ value, stale: false, ageSeconds: 0, freshUntil: Infinity });
  app.all(path, defineGet(answer, variants));
}

/** Any error, in the envelope. What is not an ApiError is a bug of ours: it is logged, and the client learns nothing of it. */
function respondWithError(event: H3Event, thrown: unknown, log: Log): Response {
  if (thrown instanceof ApiError) return new ApiResponse(event, toErrorReply(thrown));
  log({ level: "error", message: `${event.req.method} ${event.url.pathname} failed`, error: thrown });
  const error = new ApiError({ code: "internal_error", message: MESSAGES.internal_error });
  return new ApiResponse(event, toErrorReply(error));
}

/** h3 wraps what was thrown, and throws its own 404 where no route fits. */
function toCause(error: HTTPError): unknown {
  if (error.cause instanceof ApiError) return error.cause;
  if (error.status === 404 && error.unhandled !== true) return notFound();
  return error.cause ?? error;
}
