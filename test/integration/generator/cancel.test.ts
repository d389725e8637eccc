import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Network } from "../../../generator/contract/networks.ts";
import type { Simulator } from "../../../infra/demo/cluster/simulator.ts";
import { findStep, findWorkflow } from "../../infra/workflows/workflows.ts";
import { startSmallSimulator } from "./small-simulator.ts";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * GitHub sends SIGINT to its process, SIGTERM after this time, and kills all 2.5 s later.
 * https://docs.github.com/en/actions/reference/workflow-cancellation-reference
 */
const INTERRUPTED_MILLISECONDS = 7_500;

const { run } = findStep(findWorkflow("generate.yml").jobs["generate"], "generate");

let directory = "";
let simulator: Simulator | null = null;
let silent: Server | null = null;
let step: ChildProcess | null = null;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "rugwatch-cancel-"));
});
afterEach(async () => {
  endAll(step);
  silent?.closeAllConnections();
  silent?.close();
  await simulator?.close();
  [simulator, silent, step] = [null, null, null];
  await rm(directory, { recursive: true });
});

/** As the runner does: the step's lines as a shell script. */
async function start(network: Network, rpcUrls: string): Promise<ChildProcess> {
  const script = join(directory, "step.sh");
  await writeFile(script, run);
  step = spawn("bash", ["-e", script], {
    cwd: PROJECT,
    env: {
      PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
      RUNNER_TEMP: directory,
      COMMAND: "run --for 25m",
      NETWORK: network,
      [`${network.toUpperCase()}_RPC_URLS`]: rpcUrls,
      MAINNET_MEV_URL: "none",
      RUGWATCH_PUBLIC: `file:${join(directory, "public")}`,
      RUGWATCH_STATE: `file:${join(directory, "state")}`,
    },
    stdio: ["ignore", "inherit", "pipe"],
    // Its own group, so that its children can be ended.
    detached: true,
  });
  return step;
}

function endAll(running: ChildProcess | null): void {
  try {
    if (running?.pid !== undefined) process.kill(-running.pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Signals the process alone, as GitHub does; returns exit status and time. */
async function cancel(running: ChildProcess): Promise<{ status: unknown; milliseconds: number }> {
  const ended = once(running, "exit");
  const before = performance.now();
  running.kill("SIGINT");
  const [status] = (await ended) as unknown[];
  return { status, milliseconds: performance.now() - before };
}

const readReport = async () => JSON.parse(await readFile(join(directory, "generate.out"), "utf8")) as object;

describe("a run of generate.yml that is cancelled", () => {
  it("ends before it is killed, with its report", async () => {
    simulator = await startSmallSimulator();
    const running = await start("mainnet", simulator.rpcUrls("mainnet").join(","));
    const said = createInterface({ input: running.stderr! });
    const [line] = (await once(said, "line")) as [string];
    expect(line).toMatch(/^snapshot mainnet · /);

    const { status, milliseconds } = await cancel(running);
    expect(status).toBe(0);
    expect(milliseconds).toBeLessThan(INTERRUPTED_MILLISECONDS);
    expect(await readReport()).toMatchObject({ command: "run", network: "mainnet", accepted: true });
  });

  // Mainnet's genesis hash is pinned; alpenglow's is the first request.
  it.each(["mainnet", "alpenglow"] as const)(
    "ends before it is killed while no endpoint of %s answers",
    async (network) => {
      const asked = Promise.withResolvers<undefined>();
      silent = createServer(() => asked.resolve(undefined)).listen(0, "127.0.0.1");
      await once(silent, "listening");
      const running = await start(network, `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
      await asked.promise;
      const { milliseconds } = await cancel(running);
      expect(milliseconds).toBeLessThan(INTERRUPTED_MILLISECONDS);
    },
  );
});
