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
 * What a client is told went wrong. Thrown from any depth and answered once, in respond.ts; any other error is a bug. Without
 * a stack: it would tell nothing (the cause has its own), and a third of the time that a refusal takes.
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
}

/** The HTTP status of an error. */
export function getStatus(error: ApiError): number {
  return ERROR_CODES[error.code];
}

/** The body of an error. */
export function toErrorBody({ code, message }: ApiError): ErrorBody {
  return { error: { code, message } };
}

/** Nothing can be answered just now: `why`, and when it is worth asking again. */
export function upstreamUnavailable(why: string, retryAfterSeconds: number, cause?: unknown): ApiError {
  return unavailable(`${why}: try again in ${retryAfterSeconds} s.`, retryAfterSeconds, cause);
}

/** The store does not answer, or holds what cannot be read, and no older data is held. */
export function dataUnreadable(cause: unknown): ApiError {
  return unavailable(MESSAGES.upstream_unavailable, DATA_RETRY_SECONDS, cause);
}

function unavailable(message: string, retryAfterSeconds: number, cause: unknown): ApiError {
  const headers = { "retry-after": String(retryAfterSeconds) };
  return new ApiError({ code: "upstream_unavailable", message, headers, cause });
}
