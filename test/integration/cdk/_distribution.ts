import type { Template } from "aws-cdk-lib/assertions";
import { findProperties, follow, type Properties } from "./_setup.ts";

interface Behavior {
  PathPattern?: string;
  TargetOriginId: string;
  CachePolicyId: unknown;
  ResponseHeadersPolicyId: unknown;
  OriginRequestPolicyId: unknown;
  AllowedMethods: string[];
  FunctionAssociations: { EventType: string; FunctionARN: unknown }[];
  Compress: boolean;
  ViewerProtocolPolicy: string;
}

export interface Config {
  CacheBehaviors: Behavior[];
  DefaultCacheBehavior: Behavior;
  Origins: {
    Id: string;
    DomainName: unknown;
    OriginAccessControlId: unknown;
    S3OriginConfig?: unknown;
  }[];
  OriginGroups: {
    Items: {
      Id: string;
      FailoverCriteria: { StatusCodes: { Items: number[] } };
      Members: { Items: { OriginId: string }[] };
    }[];
  };
  CustomErrorResponses: {
    ErrorCode: number;
    ErrorCachingMinTTL: number;
    ResponsePagePath?: string;
  }[];
}

interface CachePolicyConfig {
  DefaultTTL: number;
  ParametersInCacheKeyAndForwardedToOrigin: {
    QueryStringsConfig: { QueryStringBehavior: string; QueryStrings?: string[] };
  };
}

export function readDistribution(template: Template) {
  const config = findProperties(template, "AWS::CloudFront::Distribution")[
    "DistributionConfig"
  ] as Config;
  const toOrigin = (id: string) => config.Origins.find(({ Id }) => Id === id);

  function find(path: string): Behavior {
    return (
      config.CacheBehaviors.find(({ PathPattern = "" }) => fits(PathPattern, path)) ??
      config.DefaultCacheBehavior
    );
  }

  function toCachePolicy({ CachePolicyId }: Behavior): CachePolicyConfig {
    return follow(template, CachePolicyId)["CachePolicyConfig"] as CachePolicyConfig;
  }

  return {
    config,
    behaviors: [...config.CacheBehaviors, config.DefaultCacheBehavior],
    find,
    toOrigin,
    toCachePolicy,

    /** Origin, default cache seconds, and the parameters in the cache key. */
    toTreatment(path: string): string {
      const behavior = find(path);
      const { DefaultTTL, ParametersInCacheKeyAndForwardedToOrigin: key } = toCachePolicy(behavior);
      const { QueryStringBehavior, QueryStrings = [] } = key.QueryStringsConfig;
      const names = QueryStringBehavior === "none" ? "path" : QueryStrings.join(" ");
      const isGroup = config.OriginGroups.Items.some(({ Id }) => Id === behavior.TargetOriginId);
      const isProxy = JSON.stringify(toOrigin(behavior.TargetOriginId)?.DomainName ?? "").includes(
        "FunctionUrl",
      );
      return `${isGroup ? "bucket" : isProxy ? "proxy" : "?"}, ${DefaultTTL} s, by ${names}`;
    },

    toHeadersPolicy(path: string): Properties {
      return follow(template, find(path).ResponseHeadersPolicyId)[
        "ResponseHeadersPolicyConfig"
      ] as Properties;
    },
  };
}

/** `*` matches any characters, also none and slashes; `?` one. Case-sensitive. */
function fits(pattern: string, path: string): boolean {
  const parts = pattern.replaceAll(
    /[.*+?^${}()|[\]\\]/g,
    (sign) => ({ "*": ".*", "?": "." })[sign] ?? `\\${sign}`,
  );
  return new RegExp(`^${parts}$`, "s").test(path);
}
