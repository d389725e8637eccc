import { Duration } from "aws-cdk-lib";
import {
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseCustomHeader,
} from "aws-cdk-lib/aws-cloudfront";
import type { Construct } from "constructs";
import { RATE_LIMIT_HEADERS } from "../../generator/contract/openapi-headers.ts";
import {
  CORS_HEADERS,
  PREFLIGHT_HEADERS,
  RATE_WINDOW_SECONDS,
  SECURITY_HEADERS,
} from "../../generator/contract/response-headers.ts";
import { SITE_HEADERS } from "../../generator/contract/site-headers.ts";

interface HeadersPolicies {
  api: ResponseHeadersPolicy;
  site: ResponseHeadersPolicy;
}

/** The CDN ends TLS (RFC 6797 §7.2). Subdomains are not ours. */
const STRICT_TRANSPORT_SECURITY = {
  accessControlMaxAge: Duration.days(365),
  includeSubdomains: false,
  override: true,
};

const SAME_FOR_ALL: readonly string[] = ["X-RateLimit-Limit", "RateLimit-Policy"];
/** Cached answers go to other clients. */
const OF_ONE_CLIENT = RATE_LIMIT_HEADERS.filter((name) => !SAME_FOR_ALL.includes(name));

/** Adds the headers that CloudFront writes on answers of the bucket. */
export function addHeadersPolicies(
  scope: Construct,
  { rateLimitPerMinute }: { rateLimitPerMinute: number },
) {
  return {
    api: addApiPolicy(scope, rateLimitPerMinute),
    site: addSitePolicy(scope),
  } satisfies HeadersPolicies;
}

/**
 * A client's remaining limit goes, the limit itself is added: all answers carry the same headers.
 */
function addApiPolicy(scope: Construct, rateLimitPerMinute: number): ResponseHeadersPolicy {
  const ofEverybody = {
    "X-RateLimit-Limit": String(rateLimitPerMinute),
    "RateLimit-Policy": `"default";q=${rateLimitPerMinute};w=${RATE_WINDOW_SECONDS}`,
  };
  return new ResponseHeadersPolicy(scope, "ApiHeaders", {
    comment: "CORS, rate limit and security headers of the API",
    corsBehavior: {
      accessControlAllowOrigins: [CORS_HEADERS["access-control-allow-origin"]],
      accessControlExposeHeaders: toList(CORS_HEADERS["access-control-expose-headers"]),
      accessControlAllowMethods: toList(PREFLIGHT_HEADERS["access-control-allow-methods"]),
      accessControlAllowHeaders: toList(PREFLIGHT_HEADERS["access-control-allow-headers"]),
      accessControlMaxAge: Duration.seconds(Number(PREFLIGHT_HEADERS["access-control-max-age"])),
      accessControlAllowCredentials: false,
      originOverride: true,
    },
    securityHeadersBehavior: {
      contentSecurityPolicy: {
        contentSecurityPolicy: SECURITY_HEADERS["content-security-policy"],
        override: true,
      },
      contentTypeOptions: { override: true },
      strictTransportSecurity: STRICT_TRANSPORT_SECURITY,
    },
    customHeadersBehavior: {
      customHeaders: [
        ...Object.entries(ofEverybody).map(toCustomHeader),
        toCustomHeader([
          "Cross-Origin-Resource-Policy",
          SECURITY_HEADERS["cross-origin-resource-policy"],
        ]),
      ],
    },
    removeHeaders: OF_ONE_CLIENT,
  });
}

function addSitePolicy(scope: Construct): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(scope, "SiteHeaders", {
    comment: "Security headers of the site",
    securityHeadersBehavior: {
      contentSecurityPolicy: {
        contentSecurityPolicy: SITE_HEADERS["content-security-policy"],
        override: true,
      },
      contentTypeOptions: { override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
      strictTransportSecurity: STRICT_TRANSPORT_SECURITY,
    },
    customHeadersBehavior: {
      customHeaders: (
        [
          "cross-origin-opener-policy",
          "cross-origin-resource-policy",
          "permissions-policy",
        ] as const
      ).map((name) => toCustomHeader([name, SITE_HEADERS[name]])),
    },
    removeHeaders: OF_ONE_CLIENT,
  });
}

function toCustomHeader([header, value]: readonly [string, string]): ResponseCustomHeader {
  return { header, value, override: true };
}

function toList(header: string): string[] {
  return header.split(", ");
}
