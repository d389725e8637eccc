import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readServices } from "../../../infra/one-machine/compose-file.ts";
import { planHere, type Places } from "../../../infra/one-machine/here.ts";
import { findFreePorts } from "../../../infra/one-machine/ports.ts";
import { startProcess, waitUntilOpen, type Process } from "../../../infra/one-machine/processes.ts";

const PROJECT = join(import.meta.dirname, "../../..");
const TOOLS = join(PROJECT, ".data/tools/bin");
const versitygw = existsSync(TOOLS) ? readdirSync(TOOLS).findLast((name) => name.startsWith("versitygw-")) : undefined;
const SECRETS = { GENERATOR_SECRET: "g".repeat(64), PROXY_SECRET: "p".repeat(64), VALKEY_PASSWORD: "v".repeat(64) };
const KEY = "api/v1/mainnet/status.json";

// The store is not built for this: .ci/install-s3 takes two minutes.
describe.skipIf(versitygw === undefined)("the store of the compose file", () => {
  let directory: string;
  let store: Process;
  let endpoint: string;
  let runBuckets: () => Promise<unknown>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "rugwatch-store-"));
    const [port = 0] = await findFreePorts(1);
    endpoint = `http://127.0.0.1:${port}`;
    const own = new Map(["/objects", "/run/users"].map((path) => [path, join(directory, path)]));
    for (const path of own.values()) await mkdir(path, { recursive: true });
    await symlink(join(TOOLS, versitygw!), join(directory, "versitygw"));
    const services = readServices(await readFile(join(PROJECT, "infra/compose.yaml"), "utf8"), SECRETS);
    const places: Places = { ports: new Map([["store", port]]), directories: new Map([["store", own]]) };
    const PATH = `${directory}:${process.env["PATH"]}`;
    const plan = (name: string) => {
      const { environment, ...rest } = planHere(name, services, places);
      return { ...rest, environment: { ...environment, PATH }, name, directory: PROJECT, onLine: () => undefined };
    };
    store = await startProcess(plan("store"));
    await waitUntilOpen(port, AbortSignal.timeout(10_000));
    const { args, environment } = plan("buckets");
    runBuckets = () => promisify(execFile)(process.execPath, args, { cwd: PROJECT, env: environment });
    await runBuckets();
  });
  afterAll(async () => {
    await store.stop("SIGTERM", 5_000);
    await rm(directory, { recursive: true });
  });

  const open = (accessKeyId: string, secretAccessKey: string) =>
    new S3Client({
      endpoint,
      region: "us-east-1",
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
  const asGenerator = () => open("generator", SECRETS.GENERATOR_SECRET);
  const asProxy = () => open("proxy", SECRETS.PROXY_SECRET);
  const put = (client: S3Client, Bucket: string) => client.send(new PutObjectCommand({ Bucket, Key: KEY, Body: "{}" }));
  const get = (client: S3Client, Bucket: string, Key = KEY) => client.send(new GetObjectCommand({ Bucket, Key }));

  it("lets the generator write both buckets, and the proxy read what is public", async () => {
    for (const bucket of ["public", "state"]) await put(asGenerator(), bucket);
    const { Body } = await get(asProxy(), "public");
    expect(await Body?.transformToString()).toBe("{}");
    expect((await asProxy().send(new ListObjectsV2Command({ Bucket: "public" }))).KeyCount).toBe(1);
  });

  it("tells the proxy what is not there", async () => {
    await expect(get(asProxy(), "public", "api/v1/mainnet/none.json")).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  it("refuses the proxy to write, and to read the state, and strangers everything", async () => {
    const denied = { name: "AccessDenied" };
    await expect(put(asProxy(), "public")).rejects.toMatchObject(denied);
    await expect(get(asProxy(), "state")).rejects.toMatchObject(denied);
    await expect(asProxy().send(new ListObjectsV2Command({ Bucket: "state" }))).rejects.toMatchObject(denied);
    await expect(get(open("proxy", "another secret"), "public")).rejects.toMatchObject({
      name: "SignatureDoesNotMatch",
    });
    expect((await fetch(`${endpoint}/public/${KEY}`)).status).toBe(403);
  });

  it("may be set up again, and keeps what it has", async () => {
    await runBuckets();
    expect(await (await get(asProxy(), "public")).Body?.transformToString()).toBe("{}");
  });
});
