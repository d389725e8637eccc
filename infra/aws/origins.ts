import { Duration } from "aws-cdk-lib";
import type { IOrigin } from "aws-cdk-lib/aws-cloudfront";
import { FunctionUrlOrigin, OriginGroup, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { FunctionUrl } from "aws-cdk-lib/aws-lambda";
import type { Bucket, IBucket } from "aws-cdk-lib/aws-s3";

/** Where the CDN gets what it does not hold. */
export interface Origins {
  /** The bucket, and the proxy for what it misses or cannot give. */
  bucket: IOrigin;
  proxy: IOrigin;
}

/**
 * 403 is how S3 says that an object is missing to whoever may not list the bucket, and the CDN may not: a listing would else be
 * one request for the bucket's root away. 404 is for the day on which somebody lets it. The others: the proxy reads the bucket by
 * a way of its own.
 */
const FAILOVER_STATUSES = [403, 404, 500, 502, 503, 504];

/** The proxy's own limit is 15 s. */
const PROXY_READ_TIMEOUT = Duration.seconds(20);

/** Both take requests of this one distribution only, which signs them (origin access control). */
export function toOrigins({ bucket, proxyUrl }: { bucket: Bucket; proxyUrl: FunctionUrl }): Origins {
  const proxy = FunctionUrlOrigin.withOriginAccessControl(proxyUrl, { readTimeout: PROXY_READ_TIMEOUT });
  // One by the words of CDK, whose types are not written for `exactOptionalPropertyTypes`.
  const objects = S3BucketOrigin.withOriginAccessControl(bucket as IBucket);
  return {
    bucket: new OriginGroup({ primaryOrigin: objects, fallbackOrigin: proxy, fallbackStatusCodes: FAILOVER_STATUSES }),
    proxy,
  };
}
