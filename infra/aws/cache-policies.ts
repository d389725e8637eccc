import { Duration } from "aws-cdk-lib";
import { CacheQueryStringBehavior, CachePolicy } from "aws-cdk-lib/aws-cloudfront";
import type { Construct } from "constructs";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { SITE_CACHE } from "../../generator/contract/site-headers.ts";
import type { Route } from "./routes.ts";

/** An account may have 20 policies. */
type ToCachePolicy = (route: Pick<Route, "cache" | "parameters">) => CachePolicy;

interface PolicyOptions {
  comment: string;
  cacheControl: string;
  parameters: readonly string[];
}

/** Makes the cache policies of the API: what a key holds, and how long it is kept. */
export function createCachePolicies(scope: Construct): ToCachePolicy {
  const policies = new Map<string, CachePolicy>();
  return ({ cache, parameters }) => {
    const id = ["Cache", cache, ...parameters].map(capitalize).join("");
    const known = policies.get(id);
    if (known !== undefined) return known;
    const comment = `${cache} by ${parameters.join(", ") || "path"}`;
    const policy = addCachePolicy(scope, id, {
      comment,
      cacheControl: CACHE_CLASSES[cache],
      parameters,
    });
    policies.set(id, policy);
    return policy;
  };
}

/** Adds the cache policies of the site’s files and pages. */
export function addSiteCachePolicies(
  scope: Construct,
): Record<keyof typeof SITE_CACHE, CachePolicy> {
  const toPolicy = (kind: keyof typeof SITE_CACHE) =>
    addCachePolicy(scope, `CacheSite${capitalize(kind)}`, {
      comment: `${kind} of the site`,
      cacheControl: SITE_CACHE[kind],
      parameters: [],
    });
  return { asset: toPolicy("asset"), page: toPolicy("page") };
}

/**
 * An answer's own Cache-Control decides. CloudFront would apply a minTtl above 0 to `no-store` too
 * (https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CachePolicyConfig.html). maxTtl
 * must not shorten stale-if-error. Compression needs both codings in the key; minTtl 0 allows it
 * (https://zenn.dev/team_delta/articles/75633b6993eb56), though older AWS pages deny it.
 */
function addCachePolicy(
  scope: Construct,
  id: string,
  { comment, cacheControl, parameters }: PolicyOptions,
): CachePolicy {
  const { usual, longest } = readLifetimes(cacheControl);
  return new CachePolicy(scope, id, {
    comment,
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(usual),
    maxTtl: Duration.seconds(longest),
    queryStringBehavior:
      parameters.length === 0
        ? CacheQueryStringBehavior.none()
        : CacheQueryStringBehavior.allowList(...parameters),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });
}

/** In seconds: lifetime in shared caches, and the longest directive. */
function readLifetimes(cacheControl: string): { usual: number; longest: number } {
  const directives = new Map(
    [...cacheControl.matchAll(/([\w-]+)=(\d+)/g)].map(([, name = "", seconds]) => [
      name,
      Number(seconds),
    ]),
  );
  return {
    usual: directives.get("s-maxage") ?? directives.get("max-age") ?? 0,
    longest: Math.max(0, ...directives.values()),
  };
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
