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
 * What is in a folder of the bucket and has no route of its own: unknown paths too, which the proxy answers with its 404. A
 * folder without its row does not compile.
 */
const FOLDER_TREATMENTS = {
  "api/v1": { origin: "bucket", cache: "snapshot", parameters: ["network"] },
  feeds: { origin: "bucket", cache: "events", parameters: [] },
  exports: { origin: "bucket", cache: "snapshot", parameters: [] },
} as const satisfies Record<Folder, Omit<Route, "pattern">>;

/**
 * The routes of the API, by its contract, in the order in which CloudFront tries them: the first that fits counts. An endpoint
 * that is treated like the rest of its folder has none of its own, for a distribution may have only so many.
 */
export const API_ROUTES: readonly Route[] = toRoutes();

function toRoutes(): Route[] {
  const folders = Object.entries(FOLDER_TREATMENTS).map(([folder, treatment]): Route => ({
    pattern: `/${folder}/*`,
    ...treatment,
  }));
  const isOfFolder = (route: Route) =>
    folders.some((folder) => route.pattern.startsWith(folder.pattern.slice(0, -1)) && isTreatedAs(route, folder));
  const own = Object.entries(OPERATIONS)
    .map(([key, endpoint]) => toRoute(key, endpoint))
    .filter((route) => !isOfFolder(route));
  return [...own, ...folders];
}

function toRoute(key: string, { path, cache, parameters }: Operation): Route {
  const names = parameters.map((parameter) => PARAMETERS[parameter]).filter((parameter) => parameter.in === "query");
  const isStatic = key in OBJECTS && names.every(({ name }) => name === PARAMETERS.network.name);
  return {
    pattern: path.replaceAll(/\{\w+\}/g, "*"),
    origin: isStatic ? "bucket" : "proxy",
    cache,
    parameters: names.map(({ name }) => name).toSorted(),
  };
}

function isTreatedAs(one: Route, other: Route): boolean {
  const toTreatment = ({ origin, cache, parameters }: Route) => [origin, cache, ...parameters].join(" ");
  return toTreatment(one) === toTreatment(other);
}
