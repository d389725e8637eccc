import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import type { ClusterOptions } from "../../../infra/demo/cluster/options.ts";
import type { ClusterAddresses } from "./simulated-cluster.ts";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));
const CLUSTER = fileURLToPath(new URL("simulated-cluster.ts", import.meta.url));
/** Shared, because many processes compile the same code. */
const COMPILED = join(tmpdir(), "rugwatch-killed-runs");
/** Kept for when a process fails. */
const OUTPUT_CHARACTERS = 20_000;
/** After a request to stop. */
const STOP_MILLISECONDS = 20_000;

/** A process of `generator/main.ts`. */
export interface Generator {
  /** Its exit status, or null when it was killed. */
  ended: Promise<number | null>;
  /** SIGKILL. */
  kill(): void;
  /** SIGINT, then SIGKILL if needed. */
  stop(): Promise<number | null>;
  /** The newest of both outputs. */
  output(): string;
}

/** Starts processes and always ends them, each by its id. */
export interface Processes {
  startCluster(options: ClusterOptions): Promise<ClusterAddresses>;
  startGenerator(args: string[], env: Record<string, string>): Generator;
  endAll(): Promise<void>;
}

export function createProcesses(): Processes {
  const running = new Set<ChildProcess>();

  function start(args: string[], options: { env?: Record<string, string>; keepsInput: boolean }): ChildProcess {
    const child = spawn(process.execPath, args, {
      cwd: PROJECT,
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...options.env },
      stdio: [options.keepsInput ? "pipe" : "ignore", "pipe", options.keepsInput ? "inherit" : "pipe"],
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    return child;
  }

  return {
    async startCluster(options) {
      const child = start([CLUSTER, JSON.stringify(options)], { keepsInput: true });
      const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
      const { value } = (await lines.next()) as { value?: string };
      if (value === undefined) throw new Error("the simulated cluster ended before it was ready");
      return JSON.parse(value) as ClusterAddresses;
    },

    startGenerator(args, env) {
      const child = start(["generator/main.ts", ...args], { env, keepsInput: false });
      let output = "";
      for (const stream of [child.stdout!, child.stderr!]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output = (output + text).slice(-OUTPUT_CHARACTERS);
        });
      }
      const ended = once(child, "close").then(([code]) => code as number | null);
      return {
        ended,
        kill: () => void child.kill("SIGKILL"),
        async stop() {
          child.kill("SIGINT");
          const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MILLISECONDS);
          const code = await ended;
          clearTimeout(timer);
          return code;
        },
        output: () => output,
      };
    },

    async endAll() {
      const ended = [...running].map((child) => once(child, "exit"));
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(ended);
    },
  };
}
