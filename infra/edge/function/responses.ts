import type { EdgeErrorCode, EdgeHeaders } from "../table.ts";
import type { EdgeResponse, ViewerRequest } from "./event.ts";
import { table } from "./table.ts";

/** An error in the envelope of the API, with these headers beside those of all errors. */
export function refuse(
  request: ViewerRequest,
  code: EdgeErrorCode,
  message: string,
  headers?: EdgeHeaders,
): EdgeResponse {
  const error = table.errors[code];
  const response: EdgeResponse = {
    statusCode: error.status,
    statusDescription: error.description,
    headers: Object.assign({}, table.headers, table.errorHeaders, headers || {}),
  };
  if (request.method !== "HEAD")
    response.body = { encoding: "text", data: JSON.stringify({ error: { code: code, message: message } }) };
  return response;
}

/** Nothing lies at this path. */
export function notFound(request: ViewerRequest): EdgeResponse {
  return refuse(request, "not_found", table.nothing);
}

export function methodNotAllowed(request: ViewerRequest): EdgeResponse {
  const message = "This path takes " + table.methods + ".";
  return refuse(request, "method_not_allowed", message, { allow: { value: table.methods } });
}

/** The answer to OPTIONS, a preflight or not. */
export function preflight(): EdgeResponse {
  const headers = Object.assign({}, table.headers, table.preflightHeaders);
  return { statusCode: 204, statusDescription: "No Content", headers: headers };
}
