import type { ClusterOptions } from "../cluster/options.ts";
import { startAnswers, type Answers } from "./answers.ts";
import { runAsGenerator, runCold } from "./cold-process.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";

const BUDGET = { megabytesPerSecond: 300, peakMegabytes: 256 };

const WAYS: readonly { name: string; refused: ClusterOptions["refusedStakeScans"] }[] = [
  { name: "whole", refused: [] },
  { name: "by page", refused: ["whole"] },
  { name: "by voter", refused: ["whole", "by page"] },
];

/** Server and reader have processes of their own. */
export async function bench(): Promise<string> {
  const lines: string[] = [];
  for (const { name, refused } of WAYS) {
    const cluster = { ...PLANNED_CLUSTER, startsAt: 0, refusedStakeScans: refused };
    const answers = await startAnswers({ cluster, at: 0 });
    try {
      lines.push(`${name}: ${await measureScan(answers)}`);
      if (refused?.length === 0)
        lines.push(`JSON.parse of the same bytes: ${await measureParse(answers)}`);
    } finally {
      await answers.close();
    }
  }
  return `${lines.join("; ")} (budget ${BUDGET.megabytesPerSecond} MB/s, peak ${BUDGET.peakMegabytes} MB)`;
}

async function measureScan(answers: Answers): Promise<string> {
  const [url = ""] = answers.rpcUrls;
  // The first run makes the answers.
  await runAsGenerator("test/bench/stake-scan-reader.ts", { args: [url] });
  const run = await runAsGenerator("test/bench/stake-scan-reader.ts", { args: [url] });
  const { bytes, calls } = await weighScan(answers);
  return `${toText(run, bytes)}, ${calls} calls`;
}

async function measureParse(answers: Answers): Promise<string> {
  const [request] = (await listScanRequests(answers)).map(({ body }) => body);
  const run = await runCold("test/bench/stake-scan-parser.ts", {
    args: [answers.rpcUrls[0] ?? "", request ?? ""],
  });
  return toText(run, (await weighScan(answers)).bytes);
}

function toText(
  { output, peakMegabytes }: { output: string; peakMegabytes: number },
  bytes: number,
): string {
  const megabytes = bytes / 1e6;
  return `${Math.round(megabytes / Number(output))} MB/s over ${Math.round(megabytes)} MB, peak ${Math.round(peakMegabytes)} MB`;
}

async function weighScan(answers: Answers): Promise<{ bytes: number; calls: number }> {
  const requests = await listScanRequests(answers);
  let bytes = 0;
  for (const { path, body } of requests) {
    const response = await fetch(answers.url + path, { method: "POST", body });
    bytes += Number(response.headers.get("content-length"));
    await response.body?.cancel();
  }
  return { bytes, calls: requests.length };
}

async function listScanRequests(answers: Answers) {
  const { requests } = await answers.asked();
  return requests.filter(({ body }) => body.includes("getProgramAccounts"));
}
