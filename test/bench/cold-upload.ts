import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { link, mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { CreateBucketCommand, DeleteBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { openFileStore } from "../../generator/store/files.ts";
import { openS3Store } from "../../generator/store/s3.ts";
import { runCold } from "./cold-process.ts";
import type { ColdUploadOptions } from "./cold-upload-publish.ts";
import { withDirectory } from "./measuring.ts";
import { PLANNED_EPOCHS } from "./planning-size.ts";
import { prepareState } from "./prepared-state.ts";

const run = promisify(execFile);

const DOCUMENTS = 6_000;
/** Concurrent puts: `publish`'s own number, then alternatives. */
const CONCURRENCIES = [16, 32, 48];
const [CONCURRENCY = 16] = CONCURRENCIES;
/** The fastest counts. */
const RUNS = 2;
const PUT_PREFIX = "public";

/**
 * Our `publish` into an empty bucket against other programs, with equal concurrency. Needs an S3 server: `.ci/with-s3
 * npm run bench -- cold-upload`.
 */
export async function benchColdUpload(): Promise<string> {
  const endpoint = process.env["RUGWATCH_TEST_S3"] ?? "";
  if (endpoint === "") return "not measured without an S3 server. Run .ci/with-s3 npm run bench -- cold-upload.";
  return withDirectory(async (directory) => {
    const { folder, bytes } = await makeFolder(directory);
    const timeInto = createBuckets(endpoint);
    const ours: string[] = [];
    for (const concurrency of CONCURRENCIES) {
      const seconds = await timeInto((bucket) => publishCold({ endpoint, bucket, folder, concurrency }));
      ours.push(`${seconds} s with ${concurrency} at a time`);
    }
    const theirs = [
      await timeOther("rclone copy", () =>
        timeInto((bucket) => copyWithRclone({ endpoint, bucket, folder, directory })),
      ),
      await timeOther("aws s3 sync", () => timeInto((bucket) => syncWithAws({ endpoint, bucket, folder, directory }))),
    ];
    const size = `${DOCUMENTS.toLocaleString("en")} documents, ${Math.round(bytes / 1e6)} MB`;
    return [`${size}; publish: ${ours.join(", ")}`, ...theirs].join("; ");
  });
}

/** A sample of a grown service's documents, evenly by key. */
async function makeFolder(directory: string): Promise<{ folder: string; bytes: number }> {
  const { directories } = await prepareState(join(directory, "prepared"), { epochs: PLANNED_EPOCHS });
  const heads = await Array.fromAsync(openFileStore(directories.public).list("api/"));
  const documents = heads.filter(({ key }) => !key.endsWith("/status.json"));
  if (documents.length < DOCUMENTS) throw new Error(`there are only ${documents.length} documents`);
  const folder = join(directory, "folder");
  let bytes = 0;
  for (let index = 0; index < DOCUMENTS; index += 1) {
    const key = documents[Math.floor((index * documents.length) / DOCUMENTS)]?.key ?? "";
    const copy = join(folder, key);
    await mkdir(dirname(copy), { recursive: true });
    await link(join(directories.public, key), copy);
    bytes += (await stat(copy)).size;
  }
  return { folder, bytes };
}

/** Times work on an empty bucket, in seconds, and removes the bucket. */
function createBuckets(endpoint: string) {
  const client = new S3Client({ endpoint, forcePathStyle: true, region: "us-east-1" });
  return async (work: (bucket: string) => Promise<number>): Promise<number> => {
    const seconds: number[] = [];
    for (let times = 0; times < RUNS; times += 1) {
      const bucket = `rugwatch-bench-${randomUUID().slice(0, 8)}`;
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      seconds.push(await work(bucket));
      await empty(endpoint, bucket);
      await client.send(new DeleteBucketCommand({ Bucket: bucket }));
    }
    return Math.round(Math.min(...seconds) * 100) / 100;
  };
}

/** @throws {Error} unless every document arrived */
async function empty(endpoint: string, bucket: string): Promise<void> {
  const store = openS3Store(`s3://${bucket}`, { endpoint });
  const heads = await Array.fromAsync(store.list(""));
  const documents = heads.filter(({ key }) => key.startsWith(`${PUT_PREFIX}/api/`) && !key.endsWith("/status.json"));
  if (documents.length !== DOCUMENTS) throw new Error(`only ${documents.length} documents came to ${bucket}`);
  await Promise.all(heads.map(({ key }) => store.delete(key)));
}

interface Upload {
  endpoint: string;
  bucket: string;
  folder: string;
}

async function publishCold({ endpoint, bucket, ...given }: Upload & { concurrency: number }): Promise<number> {
  const options: ColdUploadOptions = {
    ...given,
    publicStore: `s3://${bucket}/${PUT_PREFIX}`,
    stateStore: `s3://${bucket}/state`,
  };
  const env = { AWS_ENDPOINT_URL_S3: endpoint };
  const { seconds } = await runCold("test/bench/cold-upload-publish.ts", { args: [JSON.stringify(options)], env });
  return seconds;
}

type OtherUpload = Upload & { directory: string };

function copyWithRclone({ endpoint, bucket, folder, directory }: OtherUpload): Promise<number> {
  const flags = [
    "--transfers",
    String(CONCURRENCY),
    "--s3-no-check-bucket",
    "--config",
    join(directory, "rclone.conf"),
  ];
  return timeCommand("rclone", ["copy", folder, `bench:${bucket}/${PUT_PREFIX}`, ...flags], {
    RCLONE_CONFIG_BENCH_TYPE: "s3",
    RCLONE_CONFIG_BENCH_PROVIDER: "Other",
    RCLONE_CONFIG_BENCH_ENV_AUTH: "true",
    RCLONE_CONFIG_BENCH_ENDPOINT: endpoint,
    RCLONE_CONFIG_BENCH_REGION: process.env["AWS_REGION"] ?? "us-east-1",
    // rclone 1.60 fails when it is set.
    AWS_CA_BUNDLE: "",
  });
}

async function syncWithAws({ endpoint, bucket, folder, directory }: OtherUpload): Promise<number> {
  const settings = join(directory, "aws.conf");
  await writeFile(settings, `[default]\ns3 =\n  max_concurrent_requests = ${CONCURRENCY}\n`);
  return timeCommand("aws", ["s3", "sync", "--only-show-errors", folder, `s3://${bucket}/${PUT_PREFIX}`], {
    AWS_CONFIG_FILE: settings,
    AWS_ENDPOINT_URL_S3: endpoint,
  });
}

async function timeCommand(command: string, args: string[], env: Record<string, string>): Promise<number> {
  const beganAt = performance.now();
  await run(command, args, { env: { ...process.env, ...env } });
  return (performance.now() - beganAt) / 1000;
}

async function timeOther(name: string, time: () => Promise<number>): Promise<string> {
  try {
    return `${name}: ${await time()} s with ${CONCURRENCY} at a time`;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return `${name}: not installed`;
    throw error;
  }
}
