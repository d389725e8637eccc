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

/** Stores of the generators that are killed, of those that are not, and of the rebuild from a copy of the journal. */
export type Sides = Record<"killed" | "calm" | "fresh", Side>;

/** A bucket of its own with the stores of all sides. */
export interface Site {
  /** The settings of a generator of one side. */
  environment(side: keyof Sides, endpoint: string): Record<string, string>;
  sides: Sides;
  /** Copies all there is into a directory, for who looks for the cause of a difference. */
  keep(directory: string): Promise<void>;
  /** Deletes the bucket and all that is in it. */
  remove(): Promise<void>;
}

/** @param endpoint of the S3 server; credentials are those of the SDK's own variables */
export async function createSite(endpoint: string): Promise<Site> {
  const bucket = `rugwatch-killed-${randomUUID().slice(0, 8)}`;
  const client = new S3Client({ endpoint, forcePathStyle: true, region: "us-east-1" });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const whole = openS3Store(`s3://${bucket}`, { endpoint });
  const open = (path: string) => openS3Store(`s3://${bucket}/${path}`, { endpoint });
  const openSide = (side: string) => ({ publicStore: open(`${side}/public`), stateStore: open(`${side}/state`) });
  return {
    environment: (side, address) => ({
      RUGWATCH_PUBLIC: `s3://${bucket}/${side}/public`,
      RUGWATCH_STATE: `s3://${bucket}/${side}/state`,
      AWS_ENDPOINT_URL_S3: address,
    }),
    sides: { killed: openSide("killed"), calm: openSide("calm"), fresh: openSide("fresh") },
    async keep(directory) {
      const kept = openFileStore(directory);
      for await (const { key } of whole.list("")) {
        const object = await whole.get(key);
        if (object !== null) await kept.put(key, object.body, { expect: "any", contentType: "" });
      }
    },
    async remove() {
      const heads = await Array.fromAsync(whole.list(""));
      await Promise.all(heads.map(({ key }) => whole.delete(key)));
      await client.send(new DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
    },
  };
}
