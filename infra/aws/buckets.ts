import { Duration, RemovalPolicy } from "aws-cdk-lib";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  ObjectOwnership,
  type BucketProps,
} from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";

/**
 * Buckets outlive the stack: nobody can repeat an observation. Access logs would hold addresses.
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
 * Remade from the journal all the time, or, as the outbox of alerts, of use for a day. No rule covers the journal: what packing, a
 * mistake or a stolen key deletes stays as an older version, some 20 GB a year of mainnet.
 */
const DERIVED_FOLDERS = [
  "checkpoints/",
  "rebuild/",
  "manifest/",
  "lease/",
  "quarantine/",
  "alerts/",
  "wallets/",
];
const DERIVED_VERSIONS_KEPT = Duration.days(14);
const UPLOADS_ABANDONED_AFTER = Duration.days(7);

/** Adds the bucket of the journal: private, versioned, and kept when the stack goes. */
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

/** Not versioned: it can be remade, and there would be thousands of versions a day. */
export function addPublicBucket(scope: Construct): Bucket {
  return new Bucket(scope, "Public", {
    ...PRIVATE,
    lifecycleRules: [
      { id: "abandoned-uploads", abortIncompleteMultipartUploadAfter: UPLOADS_ABANDONED_AFTER },
    ],
  });
}
