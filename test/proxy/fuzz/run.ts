import { Agent, request as send } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { createFaultFinder, type FuzzAnswer } from "./described.ts";
import { makeRequests, type FuzzRequest } from "./requests.ts";

interface FuzzOptions {
  /** Of a live proxy without a limit, over the objects of fixtures.ts. */
  url: string;
  requests: number;
  seed: number;
  /** Told after every 10,000 requests. */
  onProgress?: (done: number) => void;
}

interface FuzzReport {
  /** Answers by status. */
  statuses: Record<number, number>;
  /** What was wrong, with the request. At most 20 are told. */
  faults: string[];
}

const IN_FLIGHT = 32;
const FAULTS_MAX = 20;
const PROGRESS_EVERY = 10_000;
const ANSWER_MILLISECONDS = 10_000;

/** Sends made-up requests over kept connections and checks every answer. */
export async function fuzz({ url, requests, seed, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  const description = await ask(agent, url, {
    method: "GET",
    target: "/api/v1/openapi.json",
    headers: {},
  });
  const findFaults = createFaultFinder(
    JSON.parse(description.body.toString()) as Parameters<typeof createFaultFinder>[0],
  );
  const report: FuzzReport = { statuses: {}, faults: [] };
  const made = fc.sample(makeRequests(), { numRuns: requests, seed }).entries();
  const worker = async () => {
    for (const [index, request] of made) {
      const answer = await ask(agent, url, request).catch((error: unknown) => String(error));
      const found = typeof answer === "string" ? [answer] : findFaults(request, answer);
      if (typeof answer !== "string")
        report.statuses[answer.status] = (report.statuses[answer.status] ?? 0) + 1;
      if (found.length > 0 && report.faults.length < FAULTS_MAX)
        report.faults.push(`${JSON.stringify(request)}: ${found.join("; ")}`);
      if ((index + 1) % PROGRESS_EVERY === 0) onProgress?.(index + 1);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  agent.destroy();
  return report;
}

function ask(
  agent: Agent,
  url: string,
  { method, target, headers }: FuzzRequest,
): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MILLISECONDS);
    const request = send(
      { agent, hostname, port, method, path: target, headers, signal },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
        response.on("end", () => {
          const sent = Buffer.concat(chunks);
          const coding = sent.length === 0 ? undefined : response.headers["content-encoding"];
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            sent,
            body: unpack(sent, coding),
          });
        });
      },
    );
    request.on("error", reject).end();
  });
}

function unpack(sent: Buffer, coding: string | undefined): Buffer {
  switch (coding) {
    case undefined:
      return sent;
    case "gzip":
      return gunzipSync(sent);
    case "br":
      return brotliDecompressSync(sent);
    default:
      throw new Error(`Content-Encoding ${coding}`);
  }
}
