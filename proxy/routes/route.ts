import { getQuery, type EventHandler, type H3Event } from "h3";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import type { Network } from "../../generator/contract/networks.ts";
import type { Answer, Reading } from "../cache/answer.ts";
import type { Variants } from "../cache/variants.ts";
import { methodNotAllowed, notFound } from "../http/errors.ts";
import { respondWith, respondWithOptions } from "../http/reply.ts";
import { readNetwork, readNetworkInPath, type Query } from "./parameters.ts";

/** What a route gets to see of a request. Its network is checked, its other parameters are not. */
export interface ApiRequest {
  network: Network;
  names: Readonly<Record<string, string>>;
  query: Query;
}

/** One operation of the API. `answer` reads the path parameters, then the query, then looks for the data. */
export interface Route {
  operation: keyof typeof OPERATIONS;
  answer(request: ApiRequest): Promise<Reading<Answer>>;
}

export function toHandler(route: Route, variants: Variants): EventHandler {
  const isNetworkInPath = OPERATIONS[route.operation].path.includes("{network}");
  return defineGet((event) => {
    const query = getQuery(event);
    const names = event.context.params ?? {};
    const network = isNetworkInPath ? readNetworkInPath(names["network"]) : readNetwork(query);
    return route.answer({ network, names, query });
  }, variants);
}

export function defineGet(answer: (event: H3Event) => Promise<Reading<Answer>>, variants: Variants): EventHandler {
  return async (event) => {
    // To the router a slash at the end means nothing. But a document of two addresses stands in every cache twice.
    if (event.url.pathname.endsWith("/")) throw notFound();
    const { method } = event.req;
    if (method === "OPTIONS") return respondWithOptions(event);
    if (method !== "GET" && method !== "HEAD") throw methodNotAllowed();
    return respondWith(event, { reading: await answer(event), variants });
  };
}
