import { runInNewContext } from "node:vm";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { buildEdgeFunction } from "../../infra/aws/edge-function.ts";
import { LATEST_EPOCH, toPubkey } from "../proxy/fixtures.ts";

/** The edge function as it is deployed. */
export const script = buildEdgeFunction();
export const VOTE = toPubkey(1);
export const NAMED = { votePubkey: VOTE, epoch: LATEST_EPOCH - 1, feed: "rug" };
const NAMES: Record<string, string | number> = { ...NAMED, network: "mainnet" };
/** A path of each operation. */
export const PATHS = Object.entries(OPERATIONS).map(([key, { path }]) => ({
  key,
  path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(NAMES[name])),
}));

interface Request {
  uri: string;
  querystring: unknown;
}

const handler = runInNewContext(`"use strict"; ${script}; handler`) as (event: object) => Request;

/** What the edge makes of a target, which CloudFront hands over as it was sent. */
export function rewrite(target: string): string {
  const mark = target.indexOf("?");
  const query = mark === -1 ? undefined : target.slice(mark + 1);
  const request = {
    uri: mark === -1 ? target : target.slice(0, mark),
    querystring: {},
    rawQueryString: () => query,
  };
  const { uri, querystring } = handler({ request });
  return querystring === "" ? uri : `${uri}?${String(querystring)}`;
}

export const FOR_OPERATORS = ["/healthz", "/readyz"];

/** Answered otherwise on purpose: the operator's, and the index by its own name. */
export function isAsked(target: string): boolean {
  const path = target.replace(/[?#].*/s, "");
  return (
    target.startsWith("/") &&
    !target.includes("#") &&
    ![...FOR_OPERATORS, "/index.html"].includes(path)
  );
}
