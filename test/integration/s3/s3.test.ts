import * as sdk from "@aws-sdk/client-s3";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openS3Store } from "../../../generator/store/s3.ts";
import { describeStore } from "../../store/contract.ts";
import { isPresent } from "../../required.ts";

const endpoint = process.env["RUGWATCH_TEST_S3"] ?? "";

describe.skipIf(!isPresent("an S3 server", endpoint !== ""))(
  "a real S3 server, which RUGWATCH_TEST_S3 names",
  () => {
    const bucket = `rugwatch-test-${randomUUID()}`;
    const region = process.env["AWS_REGION"] ?? "us-east-1";
    const bytes = (text: string) => new TextEncoder().encode(text);
    const options = { expect: "any", contentType: "text/plain" } as const;
    let client: sdk.S3Client;
    let stores = 0;

    beforeAll(async () => {
      client = new sdk.S3Client({ endpoint, forcePathStyle: true, region });
      await client.send(new sdk.CreateBucketCommand({ Bucket: bucket }));
    });
    afterAll(async () => {
      const store = openS3Store(`s3://${bucket}`, { endpoint });
      const heads = await Array.fromAsync(store.list(""));
      await Promise.all(heads.map(({ key }) => store.delete(key)));
      await client.send(new sdk.DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
    });

    /** A prefix each, as the server makes one bucket only. */
    const open = () => openS3Store(`s3://${bucket}/${++stores}`, { endpoint });

    async function expectAllToFail(
      store: ReturnType<typeof openS3Store>,
      reason: string | RegExp,
    ): Promise<void> {
      await expect(store.get("a")).rejects.toThrow(reason);
      await expect(store.head("a")).rejects.toThrow(reason);
      await expect(store.put("a", bytes(""), options)).rejects.toThrow(reason);
      await expect(Array.fromAsync(store.list(""))).rejects.toThrow(reason);
    }

    describeStore("real S3", () =>
      Promise.resolve({ store: open(), dispose: () => Promise.resolve() }),
    );

    test("keeps two stores of one bucket apart", async () => {
      const [one, other] = [open(), open()];
      await one.put("a", bytes("one"), options);
      expect(await other.get("a")).toBeNull();
      expect(await Array.fromAsync(other.list(""))).toEqual([]);
    });

    test("says which bucket is missing, whatever is asked", async () => {
      await expectAllToFail(
        openS3Store("s3://rugwatch-no-such-bucket", { endpoint }),
        "no such bucket",
      );
    });

    // 403 InvalidAccessKeyId in AWS, 404 XAdminUserNotFound in versitygw: not a missing object.
    test("refuses other credentials, which is an error of every operation", async () => {
      const credentials = { accessKeyId: "nobody", secretAccessKey: "at-all" };
      await expectAllToFail(
        openS3Store(`s3://${bucket}`, { endpoint, credentials }),
        /HTTP 40[34]/,
      );
    });
  },
);
