import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { ERROR_CODES, type ErrorBody, type ErrorCode } from "../../generator/contract/errors.ts";
import { FOLDERS } from "../../generator/contract/forms.ts";
import {
  CORS_HEADERS,
  PREFLIGHT_HEADERS,
  RATE_WINDOW_SECONDS,
  SECURITY_HEADERS,
} from "../../generator/contract/response-headers.ts";

/** Room for the site's files. */
const ANYTHING_PER_API_REQUEST = 10;

const ALLOWED_METHODS = PREFLIGHT_HEADERS["access-control-allow-methods"];

interface Refusal {
  code: ErrorCode;
  message: string;
  /** AWS allows ten. */
  headers: Record<string, string>;
}

/**
 * Runs before cache and edge function: counts cache hits, and refuses methods that a
 * distribution with fail-over must allow. Counts roughly and late; each proxy counts
 * exactly. Samples would hold addresses. No headers policy applies to refusals.
 */
export function addFirewall(
  scope: Construct,
  { rateLimitPerMinute }: { rateLimitPerMinute: number },
): CfnWebACL {
  const limit = { "X-RateLimit-Limit": String(rateLimitPerMinute) };
  const notAllowed: Refusal = {
    code: "method_not_allowed",
    message: `Only ${ALLOWED_METHODS} are allowed here.`,
    headers: { Allow: ALLOWED_METHODS, ...limit },
  };
  const tooMany: Refusal = {
    code: "rate_limited",
    message: `More than ${rateLimitPerMinute} requests in a minute, 304 and errors included: try again in ${RATE_WINDOW_SECONDS} s.`,
    headers: {
      "Retry-After": String(RATE_WINDOW_SECONDS),
      ...limit,
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": String(RATE_WINDOW_SECONDS),
    },
  };
  const rules = [
    toRule("methods", {
      statement: { notStatement: { statement: isAllowedMethod() } },
      refusal: notAllowed,
    }),
    toRule("api-rate", { statement: isOverRate(rateLimitPerMinute, isOfApi()), refusal: tooMany }),
    toRule("rate", {
      statement: isOverRate(rateLimitPerMinute * ANYTHING_PER_API_REQUEST),
      refusal: tooMany,
    }),
  ];
  return new CfnWebACL(scope, "Firewall", {
    scope: "CLOUDFRONT",
    defaultAction: { allow: {} },
    customResponseBodies: Object.fromEntries([notAllowed, tooMany].map(toResponseBody)),
    visibilityConfig: toVisibility("rugwatch"),
    rules: rules.map((rule, priority) => ({ ...rule, priority })),
  });
}

function toRule(
  name: string,
  { statement, refusal }: { statement: CfnWebACL.StatementProperty; refusal: Refusal },
) {
  const headers = {
    ...refusal.headers,
    "Cache-Control": CACHE_CLASSES.error,
    ...CORS_HEADERS,
    ...SECURITY_HEADERS,
  };
  const customResponse = {
    responseCode: ERROR_CODES[refusal.code],
    customResponseBodyKey: refusal.code,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
  return {
    name,
    statement,
    action: { block: { customResponse } },
    visibilityConfig: toVisibility(name),
  };
}

function toResponseBody({
  code,
  message,
}: Refusal): [string, CfnWebACL.CustomResponseBodyProperty] {
  const body: ErrorBody = { error: { code, message } };
  return [code, { contentType: "APPLICATION_JSON", content: JSON.stringify(body) }];
}

function isAllowedMethod(): CfnWebACL.StatementProperty {
  const statements = ALLOWED_METHODS.split(", ").map((method): CfnWebACL.StatementProperty => ({
    byteMatchStatement: {
      fieldToMatch: { method: {} },
      positionalConstraint: "EXACTLY",
      searchString: method,
      textTransformations: [{ priority: 0, type: "NONE" }],
    },
  }));
  return { orStatement: { statements } };
}

/** Counts each IPv6 address alone (README). */
function isOverRate(
  limit: number,
  scopeDownStatement?: CfnWebACL.StatementProperty,
): CfnWebACL.StatementProperty {
  const statement = { aggregateKeyType: "IP", limit, evaluationWindowSec: RATE_WINDOW_SECONDS };
  return {
    rateBasedStatement: {
      ...statement,
      ...(scopeDownStatement !== undefined && { scopeDownStatement }),
    },
  };
}

/**
 * Decodes like CloudFront, and turns backslashes like edge and proxy: `/%61pi` and `/api\v1` count.
 */
function isOfApi(): CfnWebACL.StatementProperty {
  return {
    regexMatchStatement: {
      fieldToMatch: { uriPath: {} },
      regexString: `^/(?:${FOLDERS.join("|")})/`,
      textTransformations: [
        { priority: 0, type: "URL_DECODE" },
        { priority: 1, type: "NORMALIZE_PATH_WIN" },
      ],
    },
  };
}

function toVisibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
