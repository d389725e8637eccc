import { buildEdgeFunction } from "../../../infra/edge/build.ts";
import type { EdgeResponse, ViewerRequest } from "../../../infra/edge/function/event.ts";
import { openHandler } from "../../../infra/edge/sandbox.ts";

/** What the edge function made of a request: an answer, or what it is passed on as. */
export type EdgeAnswer = { response: EdgeResponse } | { uri: string; query: string };

export type EdgeFunction = (target: string, method?: string) => EdgeAnswer;

/** The function as it is deployed, in an engine that has no more than CloudFront's. */
export async function openEdgeFunction(): Promise<EdgeFunction> {
  const handler = openHandler(await buildEdgeFunction());
  return (target, method = "GET") => {
    const answer = handler({ request: toViewerRequest(target, method) });
    if ("statusCode" in answer) return { response: answer };
    return { uri: answer.uri, query: answer.querystring as string };
  };
}

/** A request as CloudFront hands it over: nothing decoded. It has taken the query apart as well, which nobody reads here. */
export function toViewerRequest(target: string, method: string): ViewerRequest {
  const mark = target.indexOf("?");
  const query = mark === -1 ? undefined : target.slice(mark + 1);
  return {
    method,
    uri: mark === -1 ? target : target.slice(0, mark),
    querystring: { taken: { value: "apart" } },
    rawQueryString: () => query,
  };
}
