import * as sdk from "@aws-sdk/client-s3";
import { randomUUID } from "node:crypto";
import { openS3Store } from "../../../generator/store/s3.ts";

/**
 * Address of a real S3 server to try things on, such as `http://127.0.0.1:7070`; credentials by the SDK's own variables.
 * Undefined: there is none.
 */
export const REAL_S3_ENDPOINT: string | undefined = process.env["RUGWATCH_TEST_S3"] || undefined;

/** A bucket of one's own there, and how to be rid of it and all that is in it. */
export async function makeBucket(endpoint: string): Promise<{ bucket: string; remove: () => Promise<void> }> {
  const bucket = `rugwatch-test-${randomUUID()}`;
  const client = new sdk.S3Client({ endpoint, forcePathStyle: true, region: process.env["AWS_REGION"] ?? "us-east-1" });
  await client.send(new sdk.CreateBucketCommand({ Bucket: bucket }));
  return {
    bucket,
    async remove() {
      const store = openS3Store(`s3://${bucket}`, { endpoint });
      const heads = await Array.fromAsync(store.list(""));
      await Promise.all(heads.map(({ key }) => store.delete(key)));
      await client.send(new sdk.DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
    },
  };
}
