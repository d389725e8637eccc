import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openS3Store } from "../../../generator/store/s3.ts";
import { describeStore } from "../contract.ts";
import { makeBucket, REAL_S3_ENDPOINT } from "./real.ts";

if (REAL_S3_ENDPOINT === undefined) {
  test.skip("a real S3 server is tried where RUGWATCH_TEST_S3 names one", () => undefined);
} else {
  describeReal(REAL_S3_ENDPOINT);
}

function describeReal(endpoint: string): void {
  let bucket: string;
  let remove: () => Promise<void>;
  let stores = 0;
  beforeAll(async () => ({ bucket, remove } = await makeBucket(endpoint)));
  afterAll(() => remove());

  /** Each in a prefix of its own: the server makes one bucket only. */
  const open = () => openS3Store(`s3://${bucket}/${++stores}`, { endpoint });

  describeStore("real S3", () => Promise.resolve({ store: open(), dispose: () => Promise.resolve() }));

  describe("a real S3 server", () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const options = { expect: "any", contentType: "text/plain" } as const;

    test("keeps two stores of one bucket apart", async () => {
      const [one, other] = [open(), open()];
      await one.put("a", bytes("one"), options);
      expect(await other.get("a")).toBeNull();
      expect(await Array.fromAsync(other.list(""))).toEqual([]);
    });

    test("says which bucket is missing, whatever is asked", async () => {
      const store = openS3Store("s3://rugwatch-no-such-bucket", { endpoint });
      await expect(store.get("a")).rejects.toThrow("no such bucket");
      await expect(store.head("a")).rejects.toThrow("no such bucket");
      await expect(store.put("a", bytes(""), options)).rejects.toThrow("no such bucket");
      await expect(Array.fromAsync(store.list(""))).rejects.toThrow("no such bucket");
    });

    // 403 InvalidAccessKeyId in AWS, 404 XAdminUserNotFound in versitygw: in any case no missing object.
    test("refuses other credentials, which is an error of every operation", async () => {
      const credentials = { accessKeyId: "nobody", secretAccessKey: "at-all" };
      const store = openS3Store(`s3://${bucket}`, { endpoint, credentials });
      await expect(store.put("a", bytes(""), options)).rejects.toThrow(/HTTP 40[34]/);
      await expect(store.get("a")).rejects.toThrow(/HTTP 40[34]/);
      await expect(store.head("a")).rejects.toThrow(/HTTP 40[34]/);
      await expect(Array.fromAsync(store.list(""))).rejects.toThrow(/HTTP 40[34]/);
    });
  });
}
