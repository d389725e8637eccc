import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";

/** Told by a process, for what it is made of belongs to the demo and the tests. */
const PROGRAM = join(import.meta.dirname, "../../test/infra/one-machine/simulated-cluster.ts");

const variablesSchema = z.record(z.string(), z.string());

/** A simulated mainnet behind real RPC and MEV servers. */
export interface SimulatedCluster {
  /** The settings of generator and proxy with which they watch it. */
  variables: Record<string, string>;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<SimulatedCluster> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const ended = once(child, "exit");
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as unknown[];
  if (typeof line !== "string") throw new Error("The simulated cluster does not start.");
  return {
    variables: variablesSchema.parse(JSON.parse(line)),
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
