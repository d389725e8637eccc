import {
  DATA_RETRY_SECONDS,
  ERROR_CODES,
  MESSAGES,
  type ErrorCode,
} from "../generator/contract/errors.ts";
import type { Header } from "./answer.ts";

type ApiErrorOptions = ErrorOptions & {
  headers?: readonly Header[];
  /** Name of the parameter that is wrong. */
  param?: string;
};

/** An error for the client. Thrown anywhere, answered in app.ts; any other error is a bug. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly headers: readonly Header[];
  readonly param: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    { headers = [], param, cause }: ApiErrorOptions = {},
  ) {
    // A stack takes a third of a refusal's time and tells nothing: the cause has its own.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.headers = headers;
    this.param = param;
  }

  get status(): number {
    return ERROR_CODES[this.code];
  }
}

/** The store or the cluster does not answer. @param retryAfterSeconds whole seconds */
export function upstreamUnavailable(
  why: string,
  retryAfterSeconds: number,
  cause?: unknown,
): ApiError {
  return new ApiError("upstream_unavailable", `${why}: try again in ${retryAfterSeconds} s.`, {
    headers: [toRetryAfter(retryAfterSeconds)],
    cause,
  });
}

/** The store failed and nothing is held. The cause is for the log only. */
export function dataUnreadable(cause: unknown): ApiError {
  const headers = [toRetryAfter(DATA_RETRY_SECONDS)];
  return new ApiError("upstream_unavailable", MESSAGES.upstream_unavailable, { headers, cause });
}

/** @param seconds whole */
export const toRetryAfter = (seconds: number): Header => ["retry-after", String(seconds)];

/** Value of `Allow`. */
export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";
const allow: ApiErrorOptions = { headers: [["allow", ALLOWED_METHODS]] };

/** Not HTTP/1.1, or not as RFC 9112 has it. */
export const malformedRequest = () =>
  new ApiError("bad_request", "This is not a well-formed HTTP/1.1 request.");
/** No operation has this path. */
export const notFound = () => new ApiError("not_found", MESSAGES.not_found);
/** All operations are read only. */
export const methodNotAllowed = () =>
  new ApiError("method_not_allowed", `This path takes ${ALLOWED_METHODS}.`, allow);
