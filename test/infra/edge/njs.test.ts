import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildEdgeFunction } from "../../../infra/edge/build.ts";
import { makeRequests } from "../../proxy/fuzz/requests.ts";
import { openEdgeFunction, toViewerRequest } from "./_function.ts";
import { EDGE_CASES } from "./cases.ts";

/** nginx's JavaScript engine, which has the features that CloudFront lists for its runtime; Debian has it as `njs`. */
const hasNjs = spawnSync("njs", ["-v"]).status === 0;
const REQUESTS = 3_000;
const RUN_MILLISECONDS_MAX = 100_000;

interface Asked {
  method: string;
  uri: string;
  query?: string;
}

/** Runs in njs, behind the source of the edge function: it names what it finds there, and prints an answer a line. */
const ASK = `
function ask(asked) {
  var request = { method: asked.method, uri: asked.uri, querystring: {}, rawQueryString: function () { return asked.query; } };
  var answer = handler({ request: request });
  return answer.statusCode ? { response: answer } : { uri: answer.uri, query: answer.querystring };
}
asked.forEach(function (one) { console.log(JSON.stringify(ask(one))); });
`;

async function askNjs(asked: readonly Asked[]): Promise<unknown[]> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-njs-"));
  const script = join(directory, "edge.js");
  await writeFile(script, `${await buildEdgeFunction()}\nvar asked = ${JSON.stringify(asked)};\n${ASK}`);
  try {
    const options = { timeout: RUN_MILLISECONDS_MAX, maxBuffer: Infinity };
    const { stdout } = await promisify(execFile)("njs", [script], options);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe.skipIf(!hasNjs)("the edge function in njs", () => {
  it("answers the table and made-up requests as it does here", async () => {
    const edge = await openEdgeFunction();
    const made = fc.sample(makeRequests(), { numRuns: REQUESTS, seed: 1 });
    const requests = [...EDGE_CASES, ...made.filter(({ target }) => target.startsWith("/"))];
    const asked = requests.map(({ method, target }) => {
      const request = toViewerRequest(target, method);
      const query = request.rawQueryString();
      return { method, uri: request.uri, ...(query !== undefined && { query }) };
    });
    expect(await askNjs(asked)).toEqual(requests.map(({ method, target }) => edge(target, method)));
  });
});
