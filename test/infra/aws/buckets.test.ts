import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import { findProperties, synthesise } from "./_setup.ts";

let template: Template;

beforeAll(async () => {
  template = await synthesise();
});

describe("both buckets", () => {
  it("are nobody's but ours, and stay when the stack goes", () => {
    const buckets = Object.values(template.findResources("AWS::S3::Bucket"));
    expect(buckets).toHaveLength(2);
    for (const bucket of buckets)
      expect(bucket).toMatchObject({
        DeletionPolicy: "Retain",
        UpdateReplacePolicy: "Retain",
        Properties: {
          PublicAccessBlockConfiguration: {
            BlockPublicAcls: true,
            BlockPublicPolicy: true,
            IgnorePublicAcls: true,
            RestrictPublicBuckets: true,
          },
          OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
          BucketEncryption: expect.anything() as unknown,
        },
      });
  });

  it("answer over TLS alone", () => {
    const policies = template.findResources("AWS::S3::BucketPolicy", {
      Properties: {
        PolicyDocument: {
          Statement: Match.arrayWith([
            Match.objectLike({
              Effect: "Deny",
              Action: "s3:*",
              Principal: { AWS: "*" },
              Condition: { Bool: { "aws:SecureTransport": "false" } },
            }),
          ]),
        },
      },
    });
    expect(Object.keys(policies)).toHaveLength(2);
  });
});

describe("the state", () => {
  it("keeps every version of the journal, and those of what is made of it for two weeks", () => {
    const state = findProperties(template, "AWS::S3::Bucket", { VersioningConfiguration: { Status: "Enabled" } });
    const { Rules } = state["LifecycleConfiguration"] as { Rules: LifecycleRule[] };
    const expiring = Rules.filter(({ NoncurrentVersionExpiration }) => NoncurrentVersionExpiration !== undefined);
    expect(expiring.map(({ Prefix }) => Prefix).toSorted()).toEqual([
      "checkpoints/",
      "lease/",
      "manifest/",
      "quarantine/",
      "rebuild/",
    ]);
    for (const rule of expiring) expect(rule.NoncurrentVersionExpiration).toEqual({ NoncurrentDays: 14 });
    for (const rule of Rules) expect(rule).not.toHaveProperty("ExpirationInDays");
  });

  it("can be read by no CDN", () => {
    const readers = listBucketReaders("State");
    expect(readers).toEqual([]);
  });
});

describe("the public bucket", () => {
  it("lets the distribution read objects, and list none", () => {
    expect(listBucketReaders("Public")).toEqual(["s3:GetObject"]);
  });
});

interface LifecycleRule {
  Prefix?: string;
  NoncurrentVersionExpiration?: unknown;
}

/** What CloudFront may do with a bucket, which it may only for this distribution. */
function listBucketReaders(bucket: string): string[] {
  const policies = Object.values(template.findResources("AWS::S3::BucketPolicy"))
    .map(({ Properties }) => Properties as { Bucket: { Ref: string }; PolicyDocument: { Statement: unknown[] } })
    .filter(({ Bucket }) => Bucket.Ref.startsWith(bucket));
  const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement as ReaderStatement[]);
  return statements
    .filter(({ Effect }) => Effect === "Allow")
    .map(({ Action, Principal, Condition }) => {
      expect(Principal).toEqual({ Service: "cloudfront.amazonaws.com" });
      expect(JSON.stringify(Condition)).toMatch(/SourceArn.*distribution.*Cdn/);
      return Action;
    });
}

interface ReaderStatement {
  Effect: string;
  Action: string;
  Principal: unknown;
  Condition: unknown;
}
