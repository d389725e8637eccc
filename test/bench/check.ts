import { fork } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createCluster } from "../../infra/demo/cluster/cluster.ts";
import { startSimulator } from "../../infra/demo/cluster/simulator.ts";
import type { CheckProcessOptions, CheckProcessor } from "./check-process.ts";
import { againstBudget, PLANNED_CLUSTER } from "./planning-size.ts";

const PROCESSOR_MILLISECONDS_MAX = 50;
const PROGRAM = fileURLToPath(new URL("check-process.ts", import.meta.url));
const STARTS_AT = Date.UTC(2026, 10, 20, 10, 1);

/** The processor that a check takes which changes nothing, of the process that makes it alone; the median of forty. */
export async function benchCheck(): Promise<string> {
  const { checks, readings } = await measureChecks();
  return [
    `${againstBudget(Math.round(median(checks) * 10) / 10, PROCESSOR_MILLISECONDS_MAX, "ms of processor")} a check of ${PLANNED_CLUSTER.validators.toLocaleString("en")} validators that changes nothing`,
    `only reading its largest answer and JSON.parse: ${median(readings).toFixed(1)} ms`,
  ].join("; ");
}

/** The cluster is in this process, so that its own work is not measured. */
async function measureChecks(): Promise<CheckProcessor> {
  const startsAt = STARTS_AT - PLANNED_CLUSTER.epochMilliseconds / 2;
  const stakeAccounts = PLANNED_CLUSTER.validators * 6;
  const cluster = createCluster({ ...PLANNED_CLUSTER, stakeAccounts, startsAt });
  let time = STARTS_AT;
  const simulator = await startSimulator({ clusters: [cluster], now: () => time });
  try {
    const options: CheckProcessOptions = { rpcUrls: simulator.rpcUrls(PLANNED_CLUSTER.network), startsAt: STARTS_AT };
    const child = fork(PROGRAM, [JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
    child.on("message", (now: number) => {
      time = now;
      child.send("heard");
    });
    const [output] = await Promise.all([text(child.stdout as Readable), once(child, "close")]);
    if (child.exitCode !== 0) throw new Error("the checks failed");
    return JSON.parse(output) as CheckProcessor;
  } finally {
    await simulator.close();
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}
