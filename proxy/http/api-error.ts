import {
  DATA_RETRY_SECONDS,
  ERROR_CODES,
  MESSAGES,
  type ErrorBody,
  type ErrorCode,
} from "../../generator/contract/errors.ts";

interface ApiErrorOptions {
  code: ErrorCode;
  message: string;
  /** Sent with the answer, for example Allow or Retry-After. */
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/**
 * What a client is told went wrong. Thrown from any depth and answered once, in app.ts; any other error is a bug. Without a
 * stack: it would tell nothing (the cause has its own), and is a third of the time that a refusal takes.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ code, message, headers = {}, cause }: ApiErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.headers = headers;
  }

  /** Of HTTP. */
  get status(): number {
    return ERROR_CODES[this.code];
  }

  get body(): ErrorBody {
    return { error: { code: this.code, message: this.message } };
  }
}

/** Nothing can be answered just now: `why`, and when it is worth asking again. */
export function upstreamUnavailable(why: string, retryAfterSeconds: number, cause?: unknown): ApiError {
  const headers = { "retry-after": String(retryAfterSeconds) };
  const message = `${why}: try again in ${retryAfterSeconds} s.`;
  return new ApiError({ code: "upstream_unavailable", message, headers, cause });
}

/** The store does not answer, or holds what cannot be read, and no older data is held. */
export function dataUnreadable(cause: unknown): ApiError {
  const headers = { "retry-after": String(DATA_RETRY_SECONDS) };
  return new ApiError({ code: "upstream_unavailable", message: MESSAGES.upstream_unavailable, headers, cause });
}

/** Nothing lies at this path. */
export function notFound(): ApiError {
  return new ApiError({ code: "not_found", message: MESSAGES.not_found });
}

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

export function methodNotAllowed(): ApiError {
  const message = `This path takes ${ALLOWED_METHODS}.`;
  return new ApiError({ code: "method_not_allowed", message, headers: { allow: ALLOWED_METHODS } });
}
