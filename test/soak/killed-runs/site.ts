import { randomUUID } from "node:crypto";
import { CreateBucketCommand, DeleteBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { openFileStore } from "../../../generator/store/files.ts";
import { openS3Store } from "../../../generator/store/s3.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";

/** The two stores of a generator. */
export interface Side {
  publicStore: ObjectStore;
  stateStore: ObjectStore;
}

/** A bucket with the stores of the killed generators and of a rebuild from a copy of their journal. */
export interface Site {
  killed: Side;
  fresh: Side;
  /** The settings of one side's generator. */
  environment(side: "killed" | "fresh"): Record<string, string>;
  /** Copies everything into a directory, to look for the cause of a difference. */
  keep(directory: string): Promise<void>;
  /** Deletes the bucket. */
  remove(): Promise<void>;
}

/** @param endpoint of the S3 server; credentials come from the SDK's variables */
export async function createSite(endpoint: string): Promise<Site> {
  const bucket = `rugwatch-killed-${randomUUID().slice(0, 8)}`;
  const client = new S3Client({ endpoint, forcePathStyle: true, region: "us-east-1" });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const open = (path = "") => openS3Store(`s3://${bucket}${path}`, { endpoint });
  const openSide = (side: string) => ({ publicStore: open(`/${side}/public`), stateStore: open(`/${side}/state`) });
  return {
    killed: openSide("killed"),
    fresh: openSide("fresh"),
    environment: (side) => ({
      RUGWATCH_PUBLIC: `s3://${bucket}/${side}/public`,
      RUGWATCH_STATE: `s3://${bucket}/${side}/state`,
      AWS_ENDPOINT_URL_S3: endpoint,
    }),
    async keep(directory) {
      const kept = openFileStore(directory);
      for await (const { key } of open().list("")) {
        const object = await open().get(key);
        if (object !== null) await kept.put(key, object.body, { expect: "any", contentType: "" });
      }
    },
    async remove() {
      const heads = await Array.fromAsync(open().list(""));
      await Promise.all(heads.map(({ key }) => open().delete(key)));
      await client.send(new DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
    },
  };
}
