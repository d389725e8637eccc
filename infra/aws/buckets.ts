import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership, type BucketProps } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";

/**
 * Nobody but who is granted it here, over TLS. Kept when the stack goes: what was observed cannot be observed again. No access
 * logs: they would hold addresses, and the readers of these buckets are the CDN and our own roles.
 */
const PRIVATE: BucketProps = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  removalPolicy: RemovalPolicy.RETAIN,
};

/**
 * What of the state is made anew from the journal, and overwritten or thinned out all the time. The rest, the journal before all,
 * is in no rule: whatever is deleted there, by packing, by mistake or by a stolen key, stays as an older version. The loose
 * entries of days that were packed are most of it, some 20 GB a year of mainnet.
 */
const DERIVED_FOLDERS = ["checkpoints/", "rebuild/", "manifest/", "lease/", "quarantine/"];
const DERIVED_VERSIONS_KEPT = Duration.days(14);
const UPLOADS_ABANDONED_AFTER = Duration.days(7);

/** Journal, checkpoints, manifest and lease: never public, and no version of the journal ever goes. */
export function addStateBucket(scope: Construct): Bucket {
  return new Bucket(scope, "State", {
    ...PRIVATE,
    versioned: true,
    lifecycleRules: [
      ...DERIVED_FOLDERS.map((prefix) => ({
        id: `old-versions-of-${prefix.slice(0, -1)}`,
        prefix,
        noncurrentVersionExpiration: DERIVED_VERSIONS_KEPT,
        expiredObjectDeleteMarker: true,
      })),
      { id: "abandoned-uploads", abortIncompleteMultipartUploadAfter: UPLOADS_ABANDONED_AFTER },
    ],
  });
}

/**
 * What the CDN shows: documents, feeds, exports and the site. `generate rebuild` and the site's build make all of it anew, so it
 * has no versions, of which there would be thousands a day.
 */
export function addPublicBucket(scope: Construct): Bucket {
  return new Bucket(scope, "Public", {
    ...PRIVATE,
    lifecycleRules: [{ id: "abandoned-uploads", abortIncompleteMultipartUploadAfter: UPLOADS_ABANDONED_AFTER }],
  });
}
