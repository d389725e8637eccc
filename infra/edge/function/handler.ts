import type { EdgeResponse, ViewerEvent, ViewerRequest } from "./event.ts";
import { toSiteFile } from "./pages.ts";
import { findFault, isNeedless, toValue, type Given } from "./parameters.ts";
import { toPathname } from "./path.ts";
import { readPairs, toQuery, type Pair } from "./query.ts";
import { methodNotAllowed, notFound, preflight, refuse } from "./responses.ts";
import { findRoute, type Match } from "./routes.ts";
import { table } from "./table.ts";

/**
 * Decides about a viewer request, in the order in which the proxy does: path, method, network, path parameters, query. What is
 * wrong is answered here. What has an object becomes its key. The rest goes on with nothing in its query but what counts, so
 * that equal questions have one cache key. Whether there is what is asked for, bucket and proxy know.
 */
export default function answer(event: ViewerEvent): ViewerRequest | EdgeResponse {
  const request = event.request;
  const path = toPathname(request.uri);
  const match = findRoute(path);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (match === undefined) {
    const file = isRead ? toSiteFile(path) : undefined;
    return file === undefined ? notFound(request) : pass(request, file, "");
  }
  if (request.method === "OPTIONS") return preflight();
  if (!isRead) return methodNotAllowed(request);
  return answerRead(request, path, match);
}

function answerRead(request: ViewerRequest, path: string, match: Match): ViewerRequest | EdgeResponse {
  const inQuery = readQuery(match, request);
  const network = inQuery.filter(isNetwork);
  const others = inQuery.filter((given) => !isNetwork(given));
  const wrong = network.concat(readPath(match), others).find((given) => findFault(given) !== undefined);
  if (wrong !== undefined) return refuse(request, wrong.parameter.code, findFault(wrong) || "");

  if (match.isObject && others.every(isNeedless)) return pass(request, toObjectPath(path, network), "");
  return pass(request, path, toQuery(inQuery.filter((given) => !isNeedless(given)).map(toPair)));
}

function pass(request: ViewerRequest, uri: string, query: string): ViewerRequest {
  request.uri = uri;
  request.querystring = query;
  return request;
}

/** `/api/v1/validators` of testnet is `/api/v1/testnet/validators.json`. What is no document has its network in its path. */
function toObjectPath(path: string, network: Given[]): string {
  const folder = table.documents;
  if (!path.startsWith(folder)) return path;
  return folder + network.map(toValue).join("") + "/" + path.slice(folder.length) + ".json";
}

function readPath(match: Match): Given[] {
  return match.inPath.map((found) => ({
    parameter: table.parameters[found.key],
    pairs: [{ name: "", raw: found.text, text: found.text }],
  }));
}

function readQuery(match: Match, request: ViewerRequest): Given[] {
  const parameters = match.inQuery.map((key) => table.parameters[key]);
  // A query that nobody asks for is not worth the time to take it apart.
  if (parameters.length === 0) return [];
  const names = parameters.map((parameter) => parameter.name);
  const pairs = readPairs(request.rawQueryString(), names);
  return parameters.map((parameter) => ({
    parameter: parameter,
    pairs: pairs.filter((pair) => pair.name === parameter.name),
  }));
}

function isNetwork(given: Given): boolean {
  return given.parameter === table.parameters.network;
}

/** Of a parameter that is given. */
function toPair(given: Given): Pair {
  return given.pairs[0] || { name: given.parameter.name, raw: "", text: "" };
}
