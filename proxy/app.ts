import { getQuery, H3, type EventHandler, type H3Event, type HTTPError } from "h3";
import { MESSAGES } from "../generator/contract/errors.ts";
import { openApiDocument } from "../generator/contract/openapi.ts";
import { DEFAULT_NETWORK } from "../generator/contract/networks.ts";
import { OPERATIONS } from "../generator/contract/operations.ts";
import { toAnswer, toJson } from "./answer.ts";
import { always } from "./cache/cache.ts";
import { createDocuments } from "./cache/documents.ts";
import { createLiveEpoch, type Clusters, type LiveEpoch } from "./cache/live-epoch.ts";
import { createSnapshots, type Snapshots } from "./cache/snapshots.ts";
import { withStoreDeadline, type Context } from "./cache/store.ts";
import { withDeadline } from "./deadline.ts";
import { ApiError, notFound, upstreamUnavailable } from "./errors.ts";
import { getEventId } from "./http/request-id.ts";
import { defineGet, respondWithError } from "./http/respond.ts";
import type { TrustedProxies } from "./limits/client-address.ts";
import { createRateLimit, type Limiter } from "./limits/rate-limit.ts";
import type { Log } from "./log.ts";
import { HEALTH_PATHS, toRouteName } from "./monitoring/requests.ts";
import { changesRoute } from "./routes/changes.ts";
import { documentRoutes } from "./routes/documents.ts";
import { listRoutes } from "./routes/lists.ts";
import { addIgnored } from "./routes/ignored.ts";
import { createPages } from "./routes/pages.ts";
import { readNetwork, readNetworkInPath, type Route } from "./routes/parameters.ts";
import { watchFeedRoute } from "./routes/watch-feed.ts";
import type { Site } from "./site.ts";

interface Dependencies extends Context {
  clusters: Clusters;
  limiter: Limiter;
  trustedProxies: TrustedProxies;
  isStopping?: () => boolean;
  /** Answers first; null: the API and the pages of validators only. */
  site?: Site | null;
}

/** A request's way: the limit, the bound on its target, the site, its route. */
export function createApp(dependencies: Dependencies): H3 {
  const { clusters, limiter, trustedProxies, log } = dependencies;
  const { isStopping = () => false, site = null } = dependencies;
  const context = { ...dependencies, objects: withStoreDeadline(dependencies.objects) };
  const snapshots = createSnapshots(context);
  const documents = createDocuments(context, snapshots);

  const app = new H3({
    silent: true,
    // Otherwise h3 refuses a malformed path before any
    // middleware, without the headers of the rate limit.
    allowMalformedURL: true,
    onError: (error, event) => respondWithError(event, toApiError(error, event, log)),
  });
  app.use(createRateLimit(limiter, trustedProxies));
  app.use(assertShort);
  app.use(createPages({ site, documents }));
  for (const route of [
    ...listRoutes(snapshots),
    epochRoute(createLiveEpoch(context, snapshots, clusters)),
    changesRoute(documents),
    ...documentRoutes(documents, snapshots),
    watchFeedRoute(documents),
  ])
    app.all(OPERATIONS[route.operation].path.replaceAll(/\{(\w+)\}/g, ":$1"), toHandler(route));
  app.all(
    "/validators/:votePubkey",
    defineGet(() => Promise.reject(notFound())),
  );
  addDescription(app);
  addHealth(app, snapshots, log, isStopping);
  return app;
}

/** Four times what every browser and CDN carries. */
const TARGET_MAX_CHARACTERS = 8_192;

function assertShort({ url }: H3Event): void {
  if (url.pathname.length + url.search.length > TARGET_MAX_CHARACTERS)
    throw new ApiError(
      "uri_too_long",
      `The request's target must have at most ${TARGET_MAX_CHARACTERS} characters.`,
    );
}

function toHandler(route: Route): EventHandler {
  return defineGet(async (event) => {
    const query = getQuery(event);
    const names = event.context.params ?? {};
    const network = "network" in names ? readNetworkInPath(names["network"]) : readNetwork(query);
    const cached = await route.answer({ network, names, query });
    return { ...cached, value: addIgnored(cached.value, route.operation, Object.keys(query)) };
  });
}

function epochRoute(getLiveEpoch: LiveEpoch): Route {
  return {
    operation: "epoch",
    async answer({ network }) {
      const { value, ...age } = await getLiveEpoch(network);
      return { ...age, value: toAnswer(toJson(value, { network }), OPERATIONS.epoch.cache) };
    },
  };
}

function addDescription(app: H3): void {
  app.all(
    OPERATIONS.openapi.path,
    defineGet(() => (description ??= describe())),
  );
}

/** Made when it is first asked for: it takes longer than all the rest of a start. */
let description: ReturnType<typeof describe> | null = null;

function describe() {
  const text = JSON.stringify(openApiDocument());
  return Promise.resolve(always(toAnswer(text, OPERATIONS.openapi.cache)));
}

/** Load balancers give up on a check after two seconds or more, and the store may take five. */
const READY_DEADLINE_MILLISECONDS = 1_000;
const RETRY_SECONDS = 5;

const NOTHING_PUBLISHED =
  "nothing published yet for any network: run npm run generate -- snapshot, or set " +
  "RUGWATCH_PUBLIC to the generator's store";

/**
 * `/healthz`: the process answers. `/readyz`: a snapshot of
 * the default network is held, however old: better than none.
 */
function addHealth(app: H3, snapshots: Snapshots, log: Log, isStopping: () => boolean): void {
  const toOk = (more = {}) => always(toAnswer(toJson({ status: "ok", ...more }, {}), "error"));
  let isLogged = false;
  const ready = async () => {
    if (isStopping()) throw upstreamUnavailable("This process is shutting down", RETRY_SECONDS);
    try {
      const cached = await withDeadline(
        snapshots.get(DEFAULT_NETWORK),
        READY_DEADLINE_MILLISECONDS,
      );
      const { stale, ageSeconds } = cached;
      const isEmpty = cached.value.index.snapshotAt === null && (await isEverythingMissing());
      if (isEmpty && !isLogged) log({ level: "warn", message: NOTHING_PUBLISHED });
      isLogged ||= isEmpty;
      return { ...toOk(isEmpty ? { message: NOTHING_PUBLISHED } : undefined), stale, ageSeconds };
    } catch (error) {
      throw upstreamUnavailable(
        `No snapshot of ${DEFAULT_NETWORK} is cached yet`,
        RETRY_SECONDS,
        error,
      );
    }
  };
  const isEverythingMissing = () =>
    withDeadline(snapshots.isEmpty(), READY_DEADLINE_MILLISECONDS).catch(() => false);
  const [livePath, readyPath] = HEALTH_PATHS;
  const live = () => Promise.resolve(toOk());
  app.all(livePath, defineGet(live));
  app.all(readyPath, defineGet(ready));
}

/** An error that is no ApiError is our bug: the log gets it, the client learns nothing of it. */
function toApiError(error: HTTPError, event: H3Event, log: Log): ApiError {
  const { req, url } = event;
  // h3 wraps errors, and throws its own 404 where no route fits.
  if (error.cause instanceof ApiError) return error.cause;
  if (error.status === 404 && error.unhandled !== true) return notFound();
  log({
    level: "error",
    message: `${req.method} ${toRouteName(url.pathname)} failed`,
    error: error.cause ?? error,
    fields: { requestId: getEventId(event) },
  });
  return new ApiError("internal_error", MESSAGES.internal_error);
}
