import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CreateBucketCommand, DeleteBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, it, onTestFinished } from "vitest";
import { openS3Store } from "../../../generator/store/s3.ts";
import { isPresent } from "../../required.ts";
import { makeDirectory } from "../../store/directory.ts";

const RUNBOOK = join(import.meta.dirname, "../../../infra/RUNBOOK.md");
const endpoint = process.env["RUGWATCH_TEST_S3"] ?? "";
const hasRclone = isPresent("rclone", spawnSync("rclone", ["version"]).status === 0);
const hasServer = isPresent("an S3 server", endpoint !== "");

const KEYS = ["journal/mainnet/0001/0000000007.json.zst", "series/mainnet/0001.json"];

it.skipIf(!hasRclone || !hasServer)(
  "what the runbook puts back with compose, the S3 server gives out",
  async () => {
    const bucket = `rugwatch-restored-${randomUUID()}`;
    const client = new S3Client({ endpoint, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    const store = openS3Store(`s3://${bucket}`, { endpoint });
    const copy = await makeDirectory();
    onTestFinished(async () => {
      for (const key of KEYS) await store.delete(key);
      await client.send(new DeleteBucketCommand({ Bucket: bucket }));
      client.destroy();
      await copy.remove();
    });
    for (const key of KEYS) {
      mkdirSync(dirname(join(copy.directory, key)), { recursive: true });
      writeFileSync(join(copy.directory, key), key);
    }

    const { status, stderr } = spawnSync("rclone", readArguments(copy.directory, bucket), {
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        RCLONE_CONFIG: "/dev/null",
        RCLONE_S3_SECRET_ACCESS_KEY: process.env["AWS_SECRET_ACCESS_KEY"],
      },
    });
    expect([status, stderr]).toEqual([0, ""]);
    const heads = await Array.fromAsync(store.list(""));
    expect(heads.map(({ key }) => key).toSorted()).toEqual(KEYS);
    for (const key of KEYS) {
      const object = await store.get(key);
      expect(new TextDecoder().decode(object?.body)).toBe(key);
    }
  },
);

/** Those of the runbook's command, for the bucket here. */
function readArguments(directory: string, bucket: string): string[] {
  const line = /^docker run .* rclone\/rclone (copy .*)$/m.exec(readFileSync(RUNBOOK, "utf8"));
  const here: Record<string, string> = {
    "/copied": directory,
    ":s3:state": `:s3:${bucket}`,
    "http://store:7070": endpoint,
    generator: process.env["AWS_ACCESS_KEY_ID"] ?? "",
  };
  return (line?.[1] ?? "").split(" ").map((word) => here[word] ?? word);
}
