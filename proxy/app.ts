import { getQuery, H3, type EventHandler, type H3Event, type HTTPError } from "h3";
import { MESSAGES } from "../generator/contract/errors.ts";
import { openApiDocument } from "../generator/contract/openapi.ts";
import { DEFAULT_NETWORK } from "../generator/contract/networks.ts";
import { OPERATIONS } from "../generator/contract/operations.ts";
import { always, toAnswer, toJson } from "./answer.ts";
import { createDocuments } from "./cache/documents.ts";
import { createLiveEpoch, type ReadEpoch } from "./cache/live-epoch.ts";
import { withDeadline } from "./cache/revalidate.ts";
import { createSnapshots, type Snapshots } from "./cache/snapshots.ts";
import { withStoreDeadline, type Context } from "./cache/store.ts";
import { createVariants, NO_VARIANTS, type Variants } from "./cache/variants.ts";
import { ApiError, notFound, upstreamUnavailable } from "./errors.ts";
import { uriTooLong } from "./http/refusals.ts";
import { ApiResponse, defineGet, toErrorReply } from "./http/reply.ts";
import { createRateLimit, type Gate } from "./limits/rate-limit.ts";
import type { Log } from "./log.ts";
import { HEALTH_PATHS } from "./monitoring/requests.ts";
import { changesRoute } from "./routes/changes.ts";
import { documentRoutes } from "./routes/documents.ts";
import { listRoutes } from "./routes/lists.ts";
import { createPages } from "./routes/pages.ts";
import { readNetwork, readNetworkInPath, type Route } from "./routes/parameters.ts";
import type { Site } from "./site.ts";

interface Dependencies extends Context {
  readEpoch: ReadEpoch;
  gate: Gate;
  isStopping?: () => boolean;
  /** Answers first, and outside the limit; null: the API and the pages of validators only. */
  site?: Site | null;
}

export function createApp(dependencies: Dependencies): H3 {
  const { readEpoch, gate, log, isStopping = () => false, site = null } = dependencies;
  const context = { ...dependencies, objects: withStoreDeadline(dependencies.objects) };
  const snapshots = createSnapshots(context);
  const documents = createDocuments(context, snapshots);
  const variants = createVariants(context);

  const app = new H3({
    silent: true,
    // Otherwise h3 refuses a malformed path before any
    // middleware, without the headers of the rate limit.
    allowMalformedURL: true,
    onError: (error, event) => new ApiResponse(event, toErrorReply(toApiError(error, event, log))),
  });
  app.use(createPages({ site, documents, snapshots, variants }));
  app.use(createRateLimit(gate, HEALTH_PATHS));
  app.use(assertShort);
  const liveEpoch = createLiveEpoch(context, snapshots, readEpoch);
  for (const route of [
    ...listRoutes(snapshots),
    epochRoute(liveEpoch),
    changesRoute(documents),
    ...documentRoutes(documents),
  ])
    app.all(
      OPERATIONS[route.operation].path.replaceAll(/\{(\w+)\}/g, ":$1"),
      toHandler(route, variants),
    );
  const noPage = () => Promise.reject(notFound());
  app.all("/validators/:votePubkey", defineGet(noPage, variants));
  addDescription(app, variants);
  addHealth(app, snapshots, log, isStopping);
  return app;
}

/**
 * For Lambda; node-server.ts refuses such a target earlier. Behind the limit, so that it counts.
 */
function assertShort({ req }: H3Event): void {
  if (req.context?.["isTooLong"] === true) throw uriTooLong();
}

function toHandler(route: Route, variants: Variants): EventHandler {
  return defineGet((event) => {
    const query = getQuery(event);
    const names = event.context.params ?? {};
    const network = "network" in names ? readNetworkInPath(names["network"]) : readNetwork(query);
    return route.answer({ network, names, query });
  }, variants);
}

function epochRoute(getLiveEpoch: ReturnType<typeof createLiveEpoch>): Route {
  return {
    operation: "epoch",
    async answer({ network }) {
      const cached = await getLiveEpoch(network);
      return {
        ...cached,
        value: toAnswer(toJson(cached.value, { network }), OPERATIONS.epoch.cache),
      };
    },
  };
}

function addDescription(app: H3, variants: Variants): void {
  const { path, cache } = OPERATIONS.openapi;
  const cached = Promise.resolve(
    always(toAnswer(JSON.stringify(openApiDocument()), cache), Infinity),
  );
  const answer = () => cached;
  app.all(path, defineGet(answer, variants));
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
  let isTold = false;
  const ready = async () => {
    if (isStopping()) throw upstreamUnavailable("This process is shutting down", RETRY_SECONDS);
    try {
      const cached = await withDeadline(
        snapshots.get(DEFAULT_NETWORK),
        READY_DEADLINE_MILLISECONDS,
      );
      const { stale, ageSeconds } = cached;
      const isEmpty = cached.value.index.snapshotAt === null && (await isEverythingMissing());
      if (isEmpty && !isTold) log({ level: "warn", message: NOTHING_PUBLISHED });
      isTold ||= isEmpty;
      return { ...toOk(isEmpty ? { message: NOTHING_PUBLISHED } : undefined), stale, ageSeconds };
    } catch (error) {
      throw upstreamUnavailable(
        `No snapshot of ${DEFAULT_NETWORK} is held yet`,
        RETRY_SECONDS,
        error,
      );
    }
  };
  const isEverythingMissing = () =>
    withDeadline(snapshots.isEmpty(), READY_DEADLINE_MILLISECONDS).catch(() => false);
  const [livePath, readyPath] = HEALTH_PATHS;
  const live = () => Promise.resolve(toOk());
  app.all(livePath, defineGet(live, NO_VARIANTS));
  app.all(readyPath, defineGet(ready, NO_VARIANTS));
}

/** An error that is no ApiError is our bug: the log gets it, the client learns nothing of it. */
function toApiError(error: HTTPError, { req, url }: H3Event, log: Log): ApiError {
  // h3 wraps errors, and throws its own 404 where no route fits.
  if (error.cause instanceof ApiError) return error.cause;
  if (error.status === 404 && error.unhandled !== true) return notFound();
  log({
    level: "error",
    message: `${req.method} ${url.pathname} failed`,
    error: error.cause ?? error,
  });
  return new ApiError("internal_error", MESSAGES.internal_error);
}
