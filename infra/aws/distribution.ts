import { Duration } from "aws-cdk-lib";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  CachedMethods,
  Distribution,
  Function,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
  type BehaviorOptions,
  type DistributionProps,
} from "aws-cdk-lib/aws-cloudfront";
import type { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import type { Construct } from "constructs";
import { SITE_ASSETS_FOLDER } from "../../generator/contract/site-headers.ts";
import { addSiteCachePolicies, createCachePolicies } from "./cache-policies.ts";
import { addHeadersPolicies } from "./headers-policies.ts";
import type { Origins } from "./origins.ts";
import { API_ROUTES } from "./routes.ts";
import type { Settings } from "./settings.ts";

interface DistributionOptions {
  origins: Origins;
  firewall: CfnWebACL;
  /** Source code of the edge function. */
  edgeFunction: string;
  settings: Pick<Settings, "domain" | "rateLimitPerMinute">;
}

/**
 * Kept for a moment whatever their Cache-Control says. 429 concerns one client.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
 */
const ERROR_STATUSES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];
const ERRORS_KEPT = Duration.seconds(10);

/** Access logs would hold readers' addresses. */
export function addDistribution(scope: Construct, options: DistributionOptions): Distribution {
  const { firewall, settings } = options;
  return new Distribution(scope, "Cdn", {
    comment: "Rugwatch: site, API, feeds, exports",
    ...addBehaviors(scope, options),
    ...toNames(scope, settings.domain),
    httpVersion: HttpVersion.HTTP2_AND_3,
    errorResponses: ERROR_STATUSES.map((httpStatus) => ({ httpStatus, ttl: ERRORS_KEPT })),
    webAclId: firewall.attrArn,
  });
}

/** The site's patterns match everything, so they come last. */
function addBehaviors(scope: Construct, { origins, edgeFunction, settings }: DistributionOptions) {
  const headers = addHeadersPolicies(scope, settings);
  const toCachePolicy = createCachePolicies(scope);
  const siteCache = addSiteCachePolicies(scope);
  const shared = {
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
    cachedMethods: CachedMethods.CACHE_GET_HEAD,
    compress: true,
    originRequestPolicy: addViewerAddressPolicy(scope),
    functionAssociations: [
      {
        function: addEdgeFunction(scope, edgeFunction),
        eventType: FunctionEventType.VIEWER_REQUEST,
      },
    ],
  };
  const toSiteBehavior = (kind: keyof typeof siteCache): BehaviorOptions => ({
    ...shared,
    origin: origins.bucket,
    cachePolicy: siteCache[kind],
    responseHeadersPolicy: headers.site,
  });
  const api = API_ROUTES.map((route): [string, BehaviorOptions] => [
    route.pattern,
    {
      ...shared,
      origin: origins[route.origin],
      cachePolicy: toCachePolicy(route),
      responseHeadersPolicy: headers.api,
    },
  ]);
  return {
    defaultBehavior: toSiteBehavior("page"),
    additionalBehaviors: Object.fromEntries([
      ...api,
      [`/${SITE_ASSETS_FOLDER}/*`, toSiteBehavior("asset")],
    ]),
  } satisfies Partial<DistributionProps>;
}

function addEdgeFunction(scope: Construct, source: string): Function {
  return new Function(scope, "Edge", {
    comment: "Rugwatch: rewrites addresses into object keys",
    code: FunctionCode.fromInline(source),
    runtime: FunctionRuntime.JS_2_0,
  });
}

/** The proxy counts by it; no cache key holds it. CloudFront overwrites a viewer's own. */
function addViewerAddressPolicy(scope: Construct): OriginRequestPolicy {
  return new OriginRequestPolicy(scope, "ViewerAddress", {
    comment: "Passes the viewer's address to the proxy",
    headerBehavior: OriginRequestHeaderBehavior.allowList("CloudFront-Viewer-Address"),
  });
}

function toNames(scope: Construct, domain: Settings["domain"]): Partial<DistributionProps> {
  if (domain === null) return {};
  return {
    domainNames: [domain.name],
    certificate: Certificate.fromCertificateArn(scope, "Certificate", domain.certificateArn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
  };
}
