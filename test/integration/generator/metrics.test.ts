import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Simulator } from "../../cluster/simulator.ts";
import { findFreePort } from "../../free-port.ts";
import { makeDirectory } from "../../store/directory.ts";
import { startSmallSimulator } from "./small-simulator.ts";

let simulator: Simulator;
let stores: { directory: string; remove: () => Promise<void> };
beforeAll(async () => {
  simulator = await startSmallSimulator();
  stores = await makeDirectory();
});
afterAll(() => Promise.all([simulator.close(), stores.remove()]));

function start(variables: Record<string, string>) {
  const child = spawn(process.execPath, ["generator/main.ts", "run"], {
    env: {
      PATH: process.env["PATH"],
      RUGWATCH_PUBLIC: `file:${stores.directory}/public`,
      RUGWATCH_STATE: `file:${stores.directory}/state`,
      MAINNET_RPC_URLS: simulator.rpcUrls("mainnet").join(","),
      MAINNET_MEV_URL: "none",
      ...variables,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stderr });
  reader.on("line", (line) => lines.push(line));
  return {
    lines,
    until: (pattern: RegExp) =>
      expect
        .poll(() => lines.find((line) => pattern.test(line)), { timeout: 60_000 })
        .toBeDefined(),
    async stop(signal?: NodeJS.Signals) {
      if (signal !== undefined) child.kill(signal);
      const [status] = (await once(child, "close")) as [number | null];
      return { status, lines };
    },
  };
}

describe("generate run", () => {
  it("shows metrics and health on METRICS_PORT, and closes it when it is stopped", async () => {
    const run = start({ METRICS_PORT: "0" });
    await run.until(/^snapshot mainnet · /);
    const url = /^metrics on (http\S+), health on (http\S+)$/.exec(run.lines[0] ?? "");
    const [metrics, health] = await Promise.all(url!.slice(1).map((one) => fetch(one)));
    expect(await metrics?.text()).toContain(
      'rugwatch_observations_total{network="mainnet",kind="snapshot",outcome="accepted"} 1\n',
    );
    expect([health?.status, await health?.text()]).toEqual([
      200,
      expect.stringMatching(/^mainnet: .* \d+ s ago\n$/),
    ]);
    expect((await run.stop("SIGTERM")).status).toBe(0);
    await expect(fetch(url![1]!)).rejects.toThrow();
  });

  it("says nothing of what is well with LOG_LEVEL=warn", async () => {
    const port = await findFreePort();
    const run = start({ LOG_LEVEL: "warn", METRICS_PORT: String(port) });
    const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const isTold = async () =>
      (await read().catch(() => "")).includes('kind="snapshot",outcome="accepted"} 1\n');
    await expect.poll(isTold, { timeout: 60_000 }).toBe(true);
    expect((await run.stop("SIGTERM")).lines).toEqual([]);
  });

  it("refuses a port that is taken before it observes, and says what to set", async () => {
    const taken = new URL(simulator.rpcUrls("mainnet")[0]!).port;
    const { status, lines } = await start({ METRICS_PORT: taken }).stop();
    expect([status, lines]).toEqual([
      1,
      [expect.stringContaining("set METRICS_PORT to another one")],
    ]);
  });
});
