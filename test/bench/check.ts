import { fork } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createCluster } from "../cluster/cluster.ts";
import { startSimulator } from "../cluster/simulator.ts";
import type { CheckProcessor } from "./check-process.ts";
import { againstBudget, median } from "./measuring.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";

const PROCESSOR_MILLISECONDS_MAX = 120;
const BEGINS_AT = Date.UTC(2026, 10, 20, 10, 1);

export async function bench(): Promise<string> {
  const { checks, readings } = await runBesideCluster();
  return [
    `a check of ${PLANNED_CLUSTER.validators.toLocaleString("en")} validators that changes nothing takes ${againstBudget(Math.round(median(checks) * 10) / 10, PROCESSOR_MILLISECONDS_MAX, "ms of processor time")}`,
    `reading and parsing one of its three lists alone takes ${median(readings).toFixed(1)} ms`,
  ].join("; ");
}

/** The cluster's work is not measured: it stays in this process. */
async function runBesideCluster(): Promise<CheckProcessor> {
  const startsAt = BEGINS_AT - PLANNED_CLUSTER.epochMilliseconds / 2;
  const stakeAccounts = PLANNED_CLUSTER.validators * 6;
  let time = BEGINS_AT;
  const clusters = [createCluster({ ...PLANNED_CLUSTER, stakeAccounts, startsAt })];
  const simulator = await startSimulator({ clusters, now: () => time });
  try {
    const given = { rpcUrls: simulator.rpcUrls(PLANNED_CLUSTER.network), beginsAt: BEGINS_AT };
    const file = fileURLToPath(new URL("check-process.ts", import.meta.url));
    const child = fork(file, [JSON.stringify(given)], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    child.on("message", (now: number) => {
      time = now;
      child.send("heard");
    });
    const [output] = await Promise.all([text(child.stdout as Readable), once(child, "close")]);
    if (child.exitCode !== 0) throw new Error("check-process.ts failed");
    return JSON.parse(output) as CheckProcessor;
  } finally {
    await simulator.close();
  }
}
