import type { CacheClass } from "../../generator/contract/cache.ts";
import { OPERATIONS, type Operation } from "../../generator/contract/operations.ts";
import type { Form, FORMS } from "../../generator/contract/forms.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";

/** How the CDN treats the paths that a pattern takes. */
export interface Route {
  /** As CloudFront reads it: `*` stands for any characters, slashes too, and `?` for one. Case matters. */
  pattern: string;
  /** `bucket`: what it misses, the proxy answers. `proxy`: no object holds the answer. */
  origin: "bucket" | "proxy";
  cache: CacheClass;
  /** Names of the query's parameters that tell answers apart; all others are dropped. Sorted. */
  parameters: readonly string[];
}

type Folder = (typeof FORMS)[Form]["folder"];

/**
 * What is in a folder of the bucket and has no route of its own: unknown paths too. Below `api/v1` a key is no address, so that
 * nobody gets an object by it. A folder without its row does not compile.
 */
const FOLDER_TREATMENTS = {
  "api/v1": { origin: "proxy", cache: "snapshot", parameters: ["network"] },
  feeds: { origin: "bucket", cache: "events", parameters: [] },
  exports: { origin: "bucket", cache: "snapshot", parameters: [] },
  badges: { origin: "bucket", cache: "events", parameters: [] },
  pages: { origin: "bucket", cache: "snapshot", parameters: [] },
} as const satisfies Record<Folder, Omit<Route, "pattern">>;

/**
 * The routes of the API, by its contract, in the order in which CloudFront tries them: the first that fits counts. An address
 * that is treated like all below a shorter one has none of its own, for a distribution may have only so many.
 */
export const API_ROUTES: readonly Route[] = toRoutes();

/** The route that CloudFront chooses for a path; undefined: none of the API's. */
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
  const names = parameters.map((parameter) => PARAMETERS[parameter]).filter((parameter) => parameter.in === "query");
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
