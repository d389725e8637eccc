import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createCluster } from "../../infra/demo/cluster/cluster.ts";
import type { ClusterOptions } from "../../infra/demo/cluster/options.ts";
import { startSimulator } from "../../infra/demo/cluster/simulator.ts";
import { GENESIS_HASHES } from "../../generator/rpc/ranking.ts";
import { startServer, type TestServer } from "../rpc/rpc-server.ts";
import { makeDirectory } from "../store/directory.ts";

/** Nobody listens on port 1; two endpoints, so that each is soon given up. */
const UNREACHABLE = "http://127.0.0.1:1,http://127.0.0.1:1";

const servers: Pick<TestServer, "close">[] = [];
const directories: { remove: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await Promise.all(directories.splice(0).map(({ remove }) => remove()));
});

interface Ended {
  status: number;
  report: Record<string, unknown>;
  complaint: string;
}

/** `generate …` in a process of its own, as an operator's timer runs it. */
async function generate(args: string[], endpoints: string, made?: { directory: string }): Promise<Ended> {
  const { directory } = made ?? (await openDirectory());
  const env = {
    PATH: process.env["PATH"],
    RUGWATCH_PUBLIC: `file:${join(directory, "public")}`,
    RUGWATCH_STATE: `file:${join(directory, "state")}`,
    MAINNET_RPC_URLS: endpoints,
    MAINNET_MEV_URL: "none",
  };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ["generator/main.ts", ...args], { env, timeout: 200_000 }, (error, stdout, stderr) => {
      const status = error === null ? 0 : error.code;
      if (typeof status !== "number") {
        reject(new Error(`it did not end: ${stderr}`, { cause: error }));
        return;
      }
      const report = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Ended["report"];
      resolve({ status, report, complaint: stderr });
    });
  });
}

async function openDirectory() {
  const made = await makeDirectory();
  directories.push(made);
  return made;
}

/** The endpoints of a simulated cluster in the world's time. */
async function startCluster(options: Partial<ClusterOptions>): Promise<string> {
  const epochMilliseconds = 2 * 60 * 60_000;
  const startsAt = Date.now() - 2.4 * epochMilliseconds;
  const size = { seed: 11, validators: 12, stakeAccounts: 72, firstEpoch: 1060, slotsPerEpoch: 36_000 };
  const story = { network: "mainnet" as const, ...size, startsAt: Math.floor(startsAt), epochMilliseconds };
  const simulator = await startSimulator({ clusters: [createCluster({ ...story, ...options })], now: Date.now });
  servers.push(simulator);
  return simulator.rpcUrls("mainnet").join(",");
}

async function startBehind(): Promise<string> {
  const server = await startServer(({ body }, response) => {
    const behind = { error: { code: -32_005, message: "Node is behind by 200 slots" } };
    const answer = body?.method === "getGenesisHash" ? { result: GENESIS_HASHES.mainnet } : behind;
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer }));
  });
  servers.push(server);
  return server.url;
}

describe("the exit status", () => {
  it.each([["check"], ["snapshot"], ["run", "--for", "20s"]])(
    "of %s is 1 when no endpoint could be read, and its report is written all the same",
    async (...args) => {
      const { status, report, complaint } = await generate([...args, "--json"], UNREACHABLE);
      expect(status).toBe(1);
      expect(report).toMatchObject({ command: args[0], network: "mainnet", accepted: false });
      expect(report["unread"]).toContain("ECONNREFUSED");
      expect(report["rejected"]).toContainEqual({ reason: report["unread"] });
      expect(complaint).toContain(`rugwatch: ${args[0]} mainnet: no endpoint could be read: `);
    },
  );

  it("of transactions is 0 where they are kept, and its report says what was found", async () => {
    const endpoints = await startCluster({});
    const made = await openDirectory();
    expect(await generate(["snapshot", "--json"], endpoints, made)).toMatchObject({ status: 0 });
    const { status, report, complaint } = await generate(["transactions", "--json"], endpoints, made);
    expect(status).toBe(0);
    expect(report["transactions"]).toMatchObject({ searched: 11, pruned: 0, stopped: null, events: report["events"] });
    expect(report["events"]).toBeGreaterThan(0);
    expect(complaint).toMatch(/mainnet: 10 of \d+ searches made · .* withdraw authorities · \d+ events? found/s);
  });

  it("of transactions is 1 where no endpoint keeps them, and it is said what to do", async () => {
    const endpoints = await startCluster({ withoutTransactions: ["first", "second", "lagging"] });
    const made = await openDirectory();
    expect(await generate(["snapshot", "--json"], endpoints, made)).toMatchObject({ status: 0 });
    const { status, report } = await generate(["transactions", "--json"], endpoints, made);
    expect(status).toBe(1);
    expect(report["rejected"]).toEqual([
      { reason: expect.stringContaining("give MAINNET_RPC_URLS endpoints that do") as string },
    ]);
  });

  it.each(["check", "snapshot"])(
    "of %s is 0 when the endpoints answer and are behind, which passes",
    async (command) => {
      const url = await startBehind();
      const { status, report } = await generate([command, "--json"], `${url},http://127.0.0.1:1`);
      expect(report["rejected"]).toEqual([{ reason: expect.stringContaining("behind by 200 slots") as string }]);
      expect(report).not.toHaveProperty("unread");
      expect(status).toBe(0);
    },
  );
});
