import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { GENESIS_HASHES } from "../../generator/observe/endpoints.ts";
import { startServer, type TestServer } from "../observe/rpc-server.ts";
import { makeDirectory } from "../store/directory.ts";

/** Nobody listens on port 1; two endpoints, so that each is soon given up. */
const UNREACHABLE = "http://127.0.0.1:1,http://127.0.0.1:1";

const servers: TestServer[] = [];
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
async function generate(args: string[], endpoints: string): Promise<Ended> {
  const made = await makeDirectory();
  directories.push(made);
  const env = {
    PATH: process.env["PATH"],
    RUGWATCH_PUBLIC: `file:${join(made.directory, "public")}`,
    RUGWATCH_STATE: `file:${join(made.directory, "state")}`,
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
