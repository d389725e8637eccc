import { fork } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createCluster } from "../cluster/cluster.ts";
import { startSimulator } from "../cluster/simulator.ts";
import type { ClusterOptions } from "../cluster/options.ts";
import { makeDirectory } from "../store/directory.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";

export async function withDirectory<Result>(
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const { directory, remove } = await makeDirectory();
  try {
    return await work(directory);
  } finally {
    await remove();
  }
}

export function againstBudget(figure: number, most: number, unit: string): string {
  return `${figure.toLocaleString("en")} ${unit} (budget ${most.toLocaleString("en")}: ${figure <= most ? "kept" : "missed"})`;
}

export function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

export function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

/** Processor milliseconds. */
export function spentSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The cluster's work is not measured: it stays in this
 * process. The program gets `rpcUrls` and `beginsAt`.
 */
export async function runBesideCluster(
  program: string,
  options: object,
  {
    beginsAt,
    ...cluster
  }: Pick<ClusterOptions, "startsAt" | "transactionSlots"> & { beginsAt: number },
): Promise<unknown> {
  let time = beginsAt;
  const stakeAccounts = PLANNED_CLUSTER.validators * 6;
  const clusters = [createCluster({ ...PLANNED_CLUSTER, stakeAccounts, ...cluster })];
  const simulator = await startSimulator({ clusters, now: () => time });
  try {
    const given = { ...options, rpcUrls: simulator.rpcUrls(PLANNED_CLUSTER.network), beginsAt };
    const file = fileURLToPath(new URL(program, import.meta.url));
    const child = fork(file, [JSON.stringify(given)], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    child.on("message", (now: number) => {
      time = now;
      child.send("heard");
    });
    const [output] = await Promise.all([text(child.stdout as Readable), once(child, "close")]);
    if (child.exitCode !== 0) throw new Error(`${program} failed`);
    return JSON.parse(output);
  } finally {
    await simulator.close();
  }
}

/** Sets the cluster's clock from such a program. */
export function tellTime(time: number): Promise<void> {
  return new Promise((resolve) => {
    process.once("message", () => resolve());
    process.send?.(time);
  });
}
