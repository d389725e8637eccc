import type { H3Event } from "h3";
import type { ServerRequest } from "srvx";
import { ApiError } from "./api-error.ts";

const KEY = "refusal";

/** Notes what is wrong with a request before the app gets it, for where no server of ours stands before it (Lambda). */
export function noteRefusal(request: ServerRequest, refusal: ApiError): void {
  request.context = { ...request.context, [KEY]: refusal };
}

/** Middleware that refuses what was noted: behind the limit, which counts it like any request. Throws it. */
export function throwNotedRefusal({ req: { context } }: H3Event): void {
  const refusal = context?.[KEY];
  if (refusal instanceof ApiError) throw refusal;
}
