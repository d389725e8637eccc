import { CACHE_CLASSES, type CacheClass } from "./cache.ts";
import type { Endpoint } from "./endpoints.ts";
import { ERROR_CODES, errorSchema, type ErrorCode } from "./errors.ts";
import type { SchemaCollector } from "./json-schema.ts";

type Responses = Record<string, unknown>;

/** What each status tells, and which headers only it carries. */
const ERROR_STATUSES: Record<number, { description: string; headers?: readonly HeaderName[] }> = {
  400: { description: "A parameter is not one of its values." },
  404: { description: "There is no such thing." },
  429: { description: "More requests in this minute than the client has.", headers: ["Retry-After"] },
  503: { description: "Nothing to answer from just now.", headers: ["Retry-After"] },
};

const EXAMPLE_MESSAGES: Record<ErrorCode, string> = {
  bad_request: "This is not a well-formed HTTP/1.1 request.",
  invalid_network: 'network must be one of mainnet, testnet, alpenglow, not "devnet".',
  invalid_pubkey: 'votePubkey must be Base58 of exactly 32 bytes, 32 to 44 characters, not "abc".',
  invalid_parameter: 'limit must be a whole number from 1 to 100, not "101".',
  validator_not_found: "No validator of mainnet has the vote account 11111111111111111111111111111111.",
  location_not_found: "No location is known of 11111111111111111111111111111111 on mainnet.",
  not_found: "There is nothing at this path.",
  method_not_allowed: "This path takes GET, HEAD, OPTIONS.",
  request_timeout: "The request took too long to arrive.",
  precondition_failed: "No ETag in If-Match is the one of this answer.",
  uri_too_long: "The request's target must have at most 8192 characters.",
  rate_limited: "More than 60 requests in a minute: try again in 12 s.",
  headers_too_large: "The request must have at most 100 headers, in at most 16384 bytes.",
  internal_error: "Something went wrong on our side.",
  upstream_unavailable: "The data cannot be read at the moment.",
};

/** Headers of answers, for `components/headers`. */
export const headers = {
  "X-RateLimit-Limit": { description: "Requests a client has in a window.", schema: { type: "integer", minimum: 1 } },
  "X-RateLimit-Remaining": { description: "Requests left in this window.", schema: { type: "integer", minimum: 0 } },
  "X-RateLimit-Reset": { description: "Seconds until this window ends.", schema: { type: "integer", minimum: 0 } },
  "RateLimit-Policy": {
    description: "Requests (`q`) in a window of seconds (`w`), by draft-ietf-httpapi-ratelimit-headers-11.",
    schema: { type: "string", examples: ['"default";q=60;w=60'] },
  },
  RateLimit: {
    description: "Requests left (`r`) and seconds until the window ends (`t`), by the same draft.",
    schema: { type: "string", examples: ['"default";r=59;t=42'] },
  },
  "Retry-After": { description: "Seconds to wait before the next request.", schema: { type: "integer", minimum: 1 } },
  Allow: { description: "With 405: the methods of the path.", schema: { type: "string" } },
  "X-Data-Stale": {
    description: "`true` while the store does not answer and this is what was read before; else absent.",
    schema: { type: "boolean" },
  },
  Age: {
    description:
      "Seconds since the store last said so, where that is longer ago than 15 s, and the time in caches on the way.",
    schema: { type: "integer", minimum: 0 },
  },
  ETag: { description: "Names this very answer; send it back in If-None-Match.", schema: { type: "string" } },
} as const;

type HeaderName = keyof typeof headers;

const RATE_LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
] as const;

/** 200 with the document, and 304 for a client that has it. */
export function toSuccessResponses({ document, cache }: Endpoint, schemas: SchemaCollector): Responses {
  const shared = toHeaders(["ETag", "Age", "X-Data-Stale", ...RATE_LIMIT_HEADERS], cache);
  return {
    200: {
      description: "The document.",
      headers: shared,
      content: { "application/json": { schema: schemas.add(document) } },
    },
    304: {
      description: "The document is still the one whose ETag the request gave in If-None-Match.",
      headers: shared,
    },
  };
}

/** One response for each status of the endpoint's error codes, with an example of each code. */
export function toErrorResponses({ errors }: Endpoint, schemas: SchemaCollector): Responses {
  const codesByStatus = Object.groupBy(errors, (code) => ERROR_CODES[code]);
  return Object.fromEntries(
    Object.entries(codesByStatus).map(([status, codes]) => {
      const { description, headers = [] } = describeStatus(Number(status));
      const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
      const content = { "application/json": { schema: schemas.add(errorSchema), examples } };
      return [status, { description, headers: toHeaders([...headers, ...RATE_LIMIT_HEADERS], "error"), content }];
    }),
  );
}

/**
 * What every path answers to a request that is not GET, or that cannot be read as a request at all, for
 * `components/responses`. The connection may be closed after it; it counts against the limit only if it could be read.
 */
export function toRefusalResponse(schemas: SchemaCollector): Responses {
  const codes = [
    "bad_request",
    "method_not_allowed",
    "request_timeout",
    "precondition_failed",
    "uri_too_long",
    "headers_too_large",
  ] as const;
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    description: "The request itself is refused: its method, its length, its form, or an If-Match that does not hold.",
    headers: toHeaders(["Allow"], "error"),
    content: { "application/json": { schema: schemas.add(errorSchema), examples } },
  };
}

/** An error body for each code, for `components/examples`. */
export function errorExamples(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(EXAMPLE_MESSAGES).map(([code, message]) => [code, { value: { error: { code, message } } }]),
  );
}

function describeStatus(status: number) {
  const described = ERROR_STATUSES[status];
  if (described === undefined)
    throw new Error(`An endpoint lists an error of status ${status}, which is not described.`);
  return described;
}

function toHeaders(names: readonly HeaderName[], cache: CacheClass): Record<string, unknown> {
  return {
    "Cache-Control": { schema: { type: "string" }, example: CACHE_CLASSES[cache] },
    ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  };
}
