import { observe } from "../../generator/service/observing.ts";
import { publishLedger } from "../../generator/service/publishing.ts";
import { reportOn } from "../../generator/service/for-each-network.ts";
import { openContext } from "../../generator/service/context.ts";
import { readSettings } from "../../generator/settings/settings.ts";
import { spentSince } from "./measuring.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";

export interface CheckProcessor {
  checks: number[];
  readings: number[];
}

// Watches a simulated cluster in another process like
// `generate run`: a snapshot, then checks that change nothing.

const STEP_MILLISECONDS = 10_000;
const WARM_UP = 20;
const MEASURED = 40;

const { rpcUrls, beginsAt } = JSON.parse(process.argv[2] ?? "") as {
  rpcUrls: string[];
  beginsAt: number;
};
const { network } = PLANNED_CLUSTER;
let time = beginsAt;

const settings = readSettings({ MAINNET_RPC_URLS: rpcUrls.join(","), MAINNET_MEV_URL: "none" });
const context = await openContext({
  network,
  settings: { ...settings, publicStore: "memory:", stateStore: "memory:" },
  clock: { now: () => time, timer: () => performance.now(), sleepUntil: () => Promise.resolve() },
  locations: null,
  newSeries: false,
});

await tellTime(time);
await look("snapshot");
const measured: CheckProcessor = { checks: [], readings: [] };
for (let count = 0; count < WARM_UP + MEASURED; count += 1) {
  time += STEP_MILLISECONDS;
  await tellTime(time);
  const check = await measure(() => look("check"));
  const reading = await measure(readOnly);
  // A simulated validator that stops or resumes voting makes another kind of check.
  if (count < WARM_UP || !check.result) continue;
  measured.checks.push(check.milliseconds);
  measured.readings.push(reading.milliseconds);
}
if (measured.checks.length < MEASURED / 2) throw new Error("too few checks changed nothing");
await context.close();
process.stdout.write(JSON.stringify(measured));
process.disconnect();

/** Whether nothing changed. @throws {Error} when it was refused */
async function look(kind: "snapshot" | "check"): Promise<boolean> {
  const report = await reportOn(context, kind, async (own) => {
    await observe(context, kind, own);
    await publishLedger(context, own, { audit: kind === "snapshot", isFolded: true });
  });
  if (report.accepted !== true || report.skipped !== null)
    throw new Error(`the ${kind} is not the one to measure: ${JSON.stringify(report)}`);
  return report.documents.written === 0;
}

async function readOnly(): Promise<void> {
  const params = [{ commitment: "finalized" }];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getVoteAccounts", params });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(rpcUrls[0] ?? "", { method: "POST", body, headers });
  JSON.parse(await answer.text());
}

async function measure<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; milliseconds: number }> {
  const before = process.cpuUsage();
  const result = await work();
  return { result, milliseconds: spentSince(before) };
}

/** Sets the clock of the cluster beside it. */
function tellTime(time: number): Promise<void> {
  return new Promise((resolve) => {
    process.once("message", () => resolve());
    process.send?.(time);
  });
}
