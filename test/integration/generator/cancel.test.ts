import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Network } from "../../../generator/contract/networks.ts";
import { findStep, findWorkflow } from "../../infra/workflows/workflows.ts";
import { openServer } from "../../rpc/open-server.ts";
import { makeDirectory } from "../../store/directory.ts";
import { startSmallSimulator } from "./small-simulator.ts";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * GitHub sends SIGINT to its process, SIGTERM after this time, and kills all 2.5 s later.
 * https://docs.github.com/en/actions/reference/workflow-cancellation-reference
 */
const INTERRUPTED_MILLISECONDS = 7_500;

const { run } = findStep(findWorkflow("generate.yml").jobs["generate"], "generate");

let directory = "";
beforeEach(async () => {
  const made = await makeDirectory();
  directory = made.directory;
  return made.remove;
});

/** As the runner does: the step's lines as a shell script. */
async function start(network: Network, rpcUrls: string): Promise<ChildProcess> {
  const script = join(directory, "step.sh");
  await writeFile(script, run);
  const step = spawn("bash", ["-e", script], {
    cwd: PROJECT,
    env: {
      PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
      RUNNER_TEMP: directory,
      COMMAND: "run --for 50m",
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
  onTestFinished(() => endAll(step));
  return step;
}

function endAll({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
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

const readReport = async () =>
  JSON.parse(await readFile(join(directory, "generate.out"), "utf8")) as object;

describe("a run of generate.yml that is cancelled", () => {
  it("ends before it is killed, with its report", async () => {
    const simulator = await startSmallSimulator();
    onTestFinished(() => simulator.close());
    const running = await start("mainnet", simulator.rpcUrls("mainnet").join(","));
    const said = createInterface({ input: running.stderr! });
    const [line] = (await once(said, "line")) as [string];
    expect(line).toMatch(/^snapshot mainnet · /);

    const { status, milliseconds } = await cancel(running);
    expect(status).toBe(0);
    expect(milliseconds).toBeLessThan(INTERRUPTED_MILLISECONDS);
    expect(await readReport()).toMatchObject({
      command: "run",
      network: "mainnet",
      accepted: true,
    });
  });

  // Mainnet's genesis hash is pinned; alpenglow's is the first request.
  it.each(["mainnet", "alpenglow"] as const)(
    "ends before it is killed while no endpoint of %s answers",
    async (network) => {
      const asked = Promise.withResolvers<undefined>();
      const silent = await openServer(() => asked.resolve(undefined));
      const running = await start(network, silent.url);
      await asked.promise;
      const { milliseconds } = await cancel(running);
      expect(milliseconds).toBeLessThan(INTERRUPTED_MILLISECONDS);
    },
  );
});
