import { parseArgs } from "node:util";
import {
  BucketAlreadyExists,
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  PutBucketPolicyCommand,
  S3Client,
} from "@aws-sdk/client-s3";

// node infra/buckets.ts --public BUCKET --state BUCKET --reader ACCESS_KEY
//
// Safe to repeat. The AWS SDK's variables name server and credentials.

const USAGE = "Usage: node infra/buckets.ts --public BUCKET --state BUCKET --reader ACCESS_KEY\n";

const { values } = parseArgs({
  options: {
    public: { type: "string" },
    state: { type: "string" },
    reader: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const { public: publicBucket, state: stateBucket, reader } = values;

if (values.help === true) {
  process.stdout.write(USAGE);
} else if (publicBucket === undefined || stateBucket === undefined || reader === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  const client = new S3Client({ forcePathStyle: true });
  for (const bucket of [publicBucket, stateBucket]) await createIfAbsent(client, bucket);
  await client.send(
    new PutBucketPolicyCommand({
      Bucket: publicBucket,
      Policy: toReadPolicy(publicBucket, reader),
    }),
  );
  process.stderr.write(
    `The buckets ${publicBucket} and ${stateBucket} exist; ${reader} may read ${publicBucket}.\n`,
  );
}

async function createIfAbsent(client: S3Client, bucket: string): Promise<void> {
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  } catch (error) {
    if (!(error instanceof BucketAlreadyOwnedByYou || error instanceof BucketAlreadyExists))
      throw error;
  }
}

/** The proxy must list too, or a missing object is no 404. */
function toReadPolicy(bucket: string, reader: string): string {
  const rights = [
    { action: "s3:GetObject", resource: `arn:aws:s3:::${bucket}/*` },
    { action: "s3:ListBucket", resource: `arn:aws:s3:::${bucket}` },
  ];
  return JSON.stringify({
    Version: "2012-10-17",
    Statement: rights.map(({ action, resource }) => ({
      Effect: "Allow",
      Principal: { AWS: [reader] },
      Action: action,
      Resource: resource,
    })),
  });
}
