import { getQuery, type EventHandler, type H3Event } from "h3";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import type { Network } from "../../generator/contract/networks.ts";
import type { Answer, Reading } from "../cache/answer.ts";
import type { Variants } from "../cache/variants.ts";
import { methodNotAllowed, notFound } from "../http/api-error.ts";
import { respondWith, respondWithOptions } from "../http/reply.ts";
import { readNetwork, readNetworkInPath, type Query } from "./parameters.ts";

/** What a route gets to see of a request. Its network is checked, its other parameters are not. */
export interface ApiRequest {
  network: Network;
  /** Of the path. */
  names: Readonly<Record<string, string>>;
  query: Query;
}

/** One endpoint of the API. `answer` reads the path parameters, then the query, then looks for the data. */
export interface Route {
  endpoint: keyof typeof OPERATIONS;
  answer(request: ApiRequest): Promise<Reading<Answer>>;
}

/** The route's path as h3 writes it. */
export function toRoutePath({ endpoint }: Route): string {
  return OPERATIONS[endpoint].path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** The handler of a route: network first, then what the route itself checks. */
export function toHandler(route: Route, variants: Variants): EventHandler {
  const isNetworkInPath = OPERATIONS[route.endpoint].path.includes("{network}");
  return defineGet((event) => {
    const query = getQuery(event);
    const names = event.context.params ?? {};
    const network = isNetworkInPath ? readNetworkInPath(names["network"]) : readNetwork(query);
    return route.answer({ network, names, query });
  }, variants);
}

/** A handler for all methods of a path, of which GET, HEAD and OPTIONS are served. */
export function defineGet(answer: (event: H3Event) => Promise<Reading<Answer>>, variants: Variants): EventHandler {
  return async (event) => {
    // The router takes a path with a slash behind it for the same. It is not: one document has one address, or every
    // cache on the way would hold it twice.
    if (event.url.pathname.endsWith("/")) throw notFound();
    const { method } = event.req;
    if (method === "OPTIONS") return respondWithOptions(event);
    if (method !== "GET" && method !== "HEAD") throw methodNotAllowed();
    return respondWith(event, { reading: await answer(event), variants });
  };
}
