import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { findUnknown } from "./runtime.ts";
import { openHandler } from "./sandbox.ts";
import { makeTable, type EdgeTable } from "./table.ts";

// node infra/edge/build.ts: writes infra/dist/edge.js, the source of the CloudFront function.

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html#limits-functions */
export const FUNCTION_MAX_BYTES = 10_240;

const ENTRY = join(import.meta.dirname, "function/handler.ts");
const OUTPUT = join(import.meta.dirname, "../dist/edge.js");

/** As the API promises it. */
const RATE_LIMIT_PER_MINUTE = 60;

/**
 * The whole source of the CloudFront function for viewer requests, runtime 2.0. Its errors tell of the limit, requests a minute
 * for each client.
 *
 * @throws {Error} if CloudFront would refuse it, or could not run it
 */
export async function buildEdgeFunction({ rateLimitPerMinute = RATE_LIMIT_PER_MINUTE } = {}): Promise<string> {
  const script = await bundle(makeTable({ rateLimitPerMinute }));
  assertRunnable(script);
  return script;
}

/** @throws {Error} if a script is longer than CloudFront takes, has what its runtime lacks, or does not answer there */
export function assertRunnable(script: string): void {
  const bytes = Buffer.byteLength(script);
  if (bytes > FUNCTION_MAX_BYTES)
    throw new Error(`The edge function has ${bytes} bytes. CloudFront takes at most ${FUNCTION_MAX_BYTES}.`);
  const unknown = findUnknown(script);
  if (unknown.length > 0)
    throw new Error(`The edge function uses what runtime 2.0 of CloudFront Functions lacks:\n${unknown.join("\n")}`);
  const request = { method: "GET", uri: "/", querystring: {}, rawQueryString: () => undefined };
  const answer = openHandler(script)({ request });
  if (!("uri" in answer) || answer.uri !== "/index.html")
    throw new Error(`The edge function answers GET / with ${JSON.stringify(answer)} instead of the site.`);
}

async function bundle(table: EdgeTable): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    define: { EDGE_TABLE: JSON.stringify(table) },
    build: {
      write: false,
      minify: "oxc",
      target: "es2015",
      lib: { entry: ENTRY, name: "edge", formats: ["iife"] },
      rolldownOptions: { output: { comments: false } },
    },
  });
  const output = Array.isArray(result) ? result[0] : result;
  if (output === undefined || !("output" in output)) throw new Error("Vite gave no bundle of the edge function.");
  return `${output.output[0].code.trim()}\nfunction handler(event) {\n  return edge(event);\n}\n`;
}

if (import.meta.main) {
  const script = await buildEdgeFunction();
  await mkdir(join(OUTPUT, ".."), { recursive: true });
  await writeFile(OUTPUT, script);
  process.stdout.write(`${OUTPUT}: ${Buffer.byteLength(script)} bytes of ${FUNCTION_MAX_BYTES}\n`);
}
