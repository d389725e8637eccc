import { Duration } from "aws-cdk-lib";
import { CacheQueryStringBehavior, CachePolicy } from "aws-cdk-lib/aws-cloudfront";
import type { Construct } from "constructs";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { SITE_CACHE } from "../../generator/contract/site-headers.ts";
import type { Route } from "./routes.ts";

/** Gives the policy of a route; routes that are cached alike share one, for an account may have only 20. */
export type ToCachePolicy = (route: Pick<Route, "cache" | "parameters">) => CachePolicy;

interface PolicyOptions {
  comment: string;
  cacheControl: string;
  parameters: readonly string[];
}

export function createCachePolicies(scope: Construct): ToCachePolicy {
  const policies = new Map<string, CachePolicy>();
  return ({ cache, parameters }) => {
    const id = ["Cache", cache, ...parameters].map(capitalize).join("");
    const known = policies.get(id);
    if (known !== undefined) return known;
    const comment = `${cache} by ${parameters.join(", ") || "path"}`;
    const policy = addCachePolicy(scope, id, { comment, cacheControl: CACHE_CLASSES[cache], parameters });
    policies.set(id, policy);
    return policy;
  };
}

/** Of the site's files, which no query tells apart. */
export function addSiteCachePolicies(scope: Construct): Record<keyof typeof SITE_CACHE, CachePolicy> {
  const toPolicy = (kind: keyof typeof SITE_CACHE) =>
    addCachePolicy(scope, `CacheSite${capitalize(kind)}`, {
      comment: `${kind} of the site`,
      cacheControl: SITE_CACHE[kind],
      parameters: [],
    });
  return { asset: toPolicy("asset"), page: toPolicy("page") };
}

/**
 * How long an answer is kept, its own Cache-Control says. The least time is 0: any other would be kept to for `no-store` too
 * (https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CachePolicyConfig.html, MinTTL). The policy's other two are
 * for objects without the header, and a ceiling, which must not cut short how long the header lets old answers stand in for
 * errors. Without both codings in the key nothing is compressed; with a least time
 * of 0 it is, and kept (https://zenn.dev/team_delta/articles/75633b6993eb56 tried it), though older pages of AWS deny it.
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
      parameters.length === 0 ? CacheQueryStringBehavior.none() : CacheQueryStringBehavior.allowList(...parameters),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });
}

/** Seconds: how long a shared cache keeps it, and the longest time that any of its directives names. */
function readLifetimes(cacheControl: string): { usual: number; longest: number } {
  const directives = new Map(
    [...cacheControl.matchAll(/([\w-]+)=(\d+)/g)].map(([, name = "", seconds]) => [name, Number(seconds)]),
  );
  return {
    usual: directives.get("s-maxage") ?? directives.get("max-age") ?? 0,
    longest: Math.max(0, ...directives.values()),
  };
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
