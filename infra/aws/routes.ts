import type { CacheClass } from "../../generator/contract/cache.ts";
import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import type { Form, FORMS } from "../../generator/contract/forms.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";

/** A pattern of paths, and what answers them. */
export interface Route {
  /** Case-sensitive; `*` matches slashes too. */
  pattern: string;
  /** `bucket`: the proxy answers what it lacks. */
  origin: "bucket" | "proxy";
  cache: CacheClass;
  /** In the cache key, sorted. */
  parameters: readonly string[];
}

type Folder = (typeof FORMS)[Form]["folder"];

/** `api/v1` goes to the proxy: an object's key is no address. */
const FOLDER_TREATMENTS = {
  "api/v1": { origin: "proxy", cache: "snapshot", parameters: ["network"] },
  feeds: { origin: "bucket", cache: "events", parameters: [] },
  exports: { origin: "bucket", cache: "snapshot", parameters: [] },
  badges: { origin: "bucket", cache: "events", parameters: [] },
  pages: { origin: "bucket", cache: "snapshot", parameters: [] },
} as const satisfies Record<Folder, Omit<Route, "pattern">>;

/**
 * The first match counts. Leaves out routes treated like
 * their folder: a distribution may have only so many.
 */
export const API_ROUTES: readonly Route[] = toRoutes();

/** Returns the first route that fits a path, as CloudFront does; undefined: the default one. */
export function findRoute(path: string): Route | undefined {
  return API_ROUTES.find(({ pattern }) => isTaken(pattern, path));
}

function toRoutes(): Route[] {
  const folders = Object.entries(FOLDER_TREATMENTS).map(([folder, how]): Route => ({
    pattern: `/${folder}/*`,
    ...how,
  }));
  const own = Object.entries(OPERATIONS).map(([key, endpoint]) => toRoute(key, endpoint));
  const countSegments = ({ pattern }: Route) => pattern.split("/").length;
  const longestFirst = own.toSorted((one, other) => countSegments(other) - countSegments(one));
  const routes = [...longestFirst, ...folders];
  return routes.filter((route, place) => {
    const next = routes.slice(place + 1).find(({ pattern }) => isTaken(pattern, route.pattern));
    return next === undefined || toTreatment(next) !== toTreatment(route);
  });
}

function toRoute(key: string, { path, cache, parameters }: Operation): Route {
  const names = parameters
    .map((parameter) => PARAMETERS[parameter])
    .filter((parameter) => parameter.in === "query");
  const isObject = key in OBJECTS && names.every(({ name }) => name === PARAMETERS.network.name);
  return {
    pattern: path.replaceAll(/\{\w+\}/g, "*"),
    origin: isObject ? "bucket" : "proxy",
    cache,
    parameters: names.map(({ name }) => name).toSorted(),
  };
}

function toTreatment({ origin, cache, parameters }: Route): string {
  return [origin, cache, ...parameters].join(" ");
}

function isTaken(pattern: string, path: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(".", "\\."));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(path);
}
