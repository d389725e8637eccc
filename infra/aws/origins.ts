import { Duration } from "aws-cdk-lib";
import type { IOrigin } from "aws-cdk-lib/aws-cloudfront";
import { FunctionUrlOrigin, OriginGroup, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { FunctionUrl } from "aws-cdk-lib/aws-lambda";
import type { Bucket, IBucket } from "aws-cdk-lib/aws-s3";

/** Where CloudFront fetches from. */
export interface Origins {
  /** The proxy answers what the bucket lacks. */
  bucket: IOrigin;
  proxy: IOrigin;
}

/**
 * S3 answers 403 for a missing object to the CDN, which may not
 * list: `/` would list the bucket. 404 is for the day it may.
 */
const FAILOVER_STATUSES = [403, 404, 500, 502, 503, 504];

/** The proxy's own limit is 15 s. */
const PROXY_READ_TIMEOUT = Duration.seconds(20);

/** They take only requests that this distribution signs. */
export function toOrigins({
  bucket,
  proxyUrl,
}: {
  bucket: Bucket;
  proxyUrl: FunctionUrl;
}): Origins {
  const proxy = FunctionUrlOrigin.withOriginAccessControl(proxyUrl, {
    readTimeout: PROXY_READ_TIMEOUT,
  });
  // CDK's own types do not satisfy `exactOptionalPropertyTypes`.
  const objects = S3BucketOrigin.withOriginAccessControl(bucket as IBucket);
  return {
    bucket: new OriginGroup({
      primaryOrigin: objects,
      fallbackOrigin: proxy,
      fallbackStatusCodes: FAILOVER_STATUSES,
    }),
    proxy,
  };
}
