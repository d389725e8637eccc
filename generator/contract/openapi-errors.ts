import { ERROR_CODES, errorSchema, MESSAGES, type ErrorCode } from "./errors.ts";
import type { SchemaCollector } from "./json-schema.ts";
import { NETWORKS } from "./networks.ts";
import { RATE_LIMIT_HEADERS, toHeaders, type HeaderName } from "./openapi-headers.ts";

type Status = (typeof ERROR_CODES)[ErrorCode];

interface StatusRow {
  /** Begins the name in `components/responses`. */
  name: string;
  description: string;
  /** Headers beside those of the rate limit. */
  headers?: readonly HeaderName[];
}

/** Every status that an error may have. */
const STATUSES: Record<Status, StatusRow> = {
  400: {
    name: "BadRequest",
    description: "A parameter is invalid or given twice, or the request is malformed.",
  },
  404: {
    name: "NotFound",
    description: "Nothing exists under this path, key or epoch.",
    headers: ["Age", "X-Data-Stale"],
  },
  405: {
    name: "MethodNotAllowed",
    description: "The method is not GET, HEAD or OPTIONS.",
    headers: ["Allow"],
  },
  408: {
    name: "RequestTimeout",
    description: "The request did not arrive in time: its head within 10 s, all of it within 20 s.",
  },
  412: {
    name: "PreconditionFailed",
    description: "If-Match names no ETag of the answer, or it changed after If-Unmodified-Since.",
  },
  414: {
    name: "UriTooLong",
    description: "Path and query together are longer than 8192 characters.",
  },
  429: {
    name: "TooManyRequests",
    description:
      "The client sent more requests in this minute than its limit. Every answer counts, " +
      "also 304 and errors, but for preflights and what is no well-formed request.",
    headers: ["Retry-After"],
  },
  431: {
    name: "HeadersTooLarge",
    description: "The first line and the headers of the request have more than 16 KB.",
  },
  500: { name: "InternalError", description: "The service failed." },
  503: {
    name: "Unavailable",
    description: "The store does not answer, and the proxy holds no copy.",
    headers: ["Retry-After"],
  },
};

const ANYWHERE = [
  "bad_request",
  "method_not_allowed",
  "request_timeout",
  "precondition_failed",
  "uri_too_long",
  "headers_too_large",
  "internal_error",
] as const satisfies ErrorCode[];

const EXAMPLE_MESSAGES: Record<ErrorCode, string> = {
  ...MESSAGES,
  bad_request: "This is not a well-formed HTTP/1.1 request.",
  invalid_network: `network must be one of ${NETWORKS.join(", ")}, not "devnet".`,
  invalid_pubkey: 'votePubkey must be Base58 of exactly 32 bytes, 32 to 44 characters, not "abc".',
  invalid_parameter: 'limit must be a whole number from 1 to 100, not "101".',
  validator_not_found:
    "No validator of mainnet has the vote account 11111111111111111111111111111111.",
  location_not_found: "No location is known of 11111111111111111111111111111111 on mainnet.",
  wallet_not_found:
    "The wallet index of mainnet, read in epoch 1062, has no stake account or withdraw authority " +
    "11111111111111111111111111111111. Give one of these keys, not a vote account or an identity.",
  method_not_allowed: "This path takes GET, HEAD, OPTIONS.",
  precondition_failed: "If-Match names no ETag of this answer.",
  uri_too_long: "The request's target must have at most 8192 characters.",
  rate_limited: "More than 60 requests in a minute, 304 and errors included: try again in 12 s.",
  headers_too_large: "A request's first line and headers must have at most 16384 bytes.",
};

/**
 * Refers to the error responses of an operation by status: of its own codes and those that every
 * operation has.
 */
export function toErrorResponses(own: readonly ErrorCode[]): Record<string, unknown> {
  return Object.fromEntries(
    byStatus(own).map(({ status, codes }) => [
      status,
      { $ref: `#/components/responses/${toName(status, codes)}` },
    ]),
  );
}

/**
 * Describes every error response for `components/responses`. Operations with the same codes share
 * it.
 * @param operations the own codes of each
 */
export function toSharedResponses(
  schemas: SchemaCollector,
  operations: readonly (readonly ErrorCode[])[],
): Record<string, unknown> {
  return Object.fromEntries(
    operations
      .flatMap(byStatus)
      .map(({ status, codes }) => [toName(status, codes), toResponse(status, codes, schemas)]),
  );
}

function byStatus(own: readonly ErrorCode[]): { status: Status; codes: ErrorCode[] }[] {
  const codesByStatus = Object.groupBy([...own, ...ANYWHERE], (code) => ERROR_CODES[code]);
  return Object.entries(codesByStatus).map(([status, codes]) => ({
    status: Number(status) as Status,
    codes,
  }));
}

/** Names the codes where a status has several, in which operations differ. */
function toName(status: Status, codes: readonly ErrorCode[]): string {
  const { name } = STATUSES[status];
  const ofStatus = Object.values(ERROR_CODES).filter((each) => each === status);
  return ofStatus.length === 1 ? name : [name, ...codes].join(".");
}

/** Returns one example body for each error code, for `components/examples`. */
export function errorExamples(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(EXAMPLE_MESSAGES).map(([code, message]) => [
      code,
      { value: { error: { code, message } } },
    ]),
  );
}

function toResponse(
  status: Status,
  codes: readonly ErrorCode[],
  schemas: SchemaCollector,
): unknown {
  const { description, headers = [] } = STATUSES[status];
  const examples = Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
  );
  const content = { "application/json": { schema: schemas.add(errorSchema), examples } };
  const names = [...headers, "X-Request-Id", ...RATE_LIMIT_HEADERS] as const;
  return { description, headers: toHeaders(names, "error"), content };
}
