import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTENT_TYPE } from "../../../generator/contract/objects.ts";
import { openFileStore } from "../../../generator/store/files.ts";
import { buildLambda } from "../../../infra/aws/build-lambda.ts";
import { MAINNET, toPubkey } from "../../proxy/fixtures.ts";

interface Result {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

const RUNTIME = `
const [file, events] = process.argv.slice(-2);
const { handler } = await import(file);
const results = [];
for (const event of JSON.parse(events)) results.push(await handler(event));
process.stdout.write(JSON.stringify(results));
`;

async function invoke(
  file: string,
  options: { events: unknown[]; environment?: Record<string, string>; cwd: string },
) {
  const { events, environment = {}, cwd } = options;
  const flags = ["--input-type=module", "--eval", RUNTIME, file, JSON.stringify(events)];
  const { stdout } = await promisify(execFile)(process.execPath, flags, {
    cwd,
    env: environment,
    timeout: 100_000,
  });
  return stdout;
}

function toEvent(target: string, client: string) {
  const [rawPath = "", rawQueryString = ""] = target.split("?");
  return {
    version: "2.0",
    rawPath,
    rawQueryString,
    headers: { "cloudfront-viewer-address": `${client}:51234`, "x-forwarded-for": client },
    requestContext: { http: { method: "GET", sourceIp: "130.176.0.1" } },
    isBase64Encoded: false,
  };
}

describe("the bundles for AWS Lambda", () => {
  let directory: string;
  let bundles: Awaited<ReturnType<typeof buildLambda>>;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "rugwatch-lambda-"));
    bundles = await buildLambda(directory);
    return () => rm(directory, { recursive: true });
  });

  it("answer requests of the CDN out of the store, with no package beside them, and count by the viewer's address", async () => {
    const store = openFileStore(join(directory, "public"));
    for (const { key, body } of MAINNET)
      await store.put(key, body, { expect: "any", contentType: CONTENT_TYPE });
    const stdout = await invoke(join(bundles.proxy, "lambda.mjs"), {
      cwd: directory,
      environment: {
        RUGWATCH_PUBLIC: `file:${join(directory, "public")}`,
        TRUST_PROXY: "cloudfront:0.0.0.0/0,::/0",
        RATE_LIMIT_PER_MINUTE: "2",
      },
      events: [
        toEvent("/api/v1/validators?limit=1", "203.0.113.7"),
        toEvent("/api/v1/nothing", "203.0.113.7"),
        toEvent("/api/v1/validators?limit=1", "203.0.113.7"),
        // Rewritten by the edge; the bucket lacked these objects.
        toEvent("/api/v1/mainnet/validators.json", "2001:db8::1"),
        toEvent(`/api/v1/mainnet/validators/${toPubkey(99)}.json`, "2001:db8:1::1"),
      ],
    });
    const results = JSON.parse(stdout) as Result[];
    expect(results.map(({ statusCode }) => statusCode)).toEqual([200, 404, 429, 200, 404]);
    expect((JSON.parse(results[0]!.body) as { data: unknown[] }).data).toHaveLength(1);
    expect(JSON.parse(results[1]!.body)).toMatchObject({ error: { code: "not_found" } });
    expect(JSON.parse(results[4]!.body)).toMatchObject({ error: { code: "validator_not_found" } });
  });

  it("measure how old the data is that a site shows", async () => {
    const stdout = await invoke(join(bundles.freshness, "handler.mjs"), {
      cwd: directory,
      events: [{ siteUrl: "http://127.0.0.1:9", networks: ["mainnet"] }],
    });
    const [line = ""] = stdout.split("\n");
    expect(JSON.parse(line)).toMatchObject({ level: "error", network: "mainnet" });
  });
});
