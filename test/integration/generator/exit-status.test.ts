import { execFile } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { GENESIS_HASHES } from "../../../generator/rpc/genesis.ts";
import { startServer, type TestServer } from "../../rpc/rpc-server.ts";
import { makeDirectory } from "../../store/directory.ts";
import { startSmallSimulator } from "./small-simulator.ts";

let directory: string;
/** The right cluster, but behind by its own word. */
let behind: TestServer;
/** No JSON-RPC, so not retried. */
let gone: TestServer;

beforeAll(async () => {
  const made = await makeDirectory();
  directory = made.directory;
  behind = await startServer(({ body }, response) => {
    const error = { code: -32_005, message: "Node is behind by 200 slots" };
    const answer =
      body?.method === "getGenesisHash" ? { result: GENESIS_HASHES.mainnet } : { error };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer }));
  });
  gone = await startServer((_, response) => response.writeHead(404).end());
  return () => Promise.all([behind.close(), gone.close(), made.remove()]);
});

interface Ended {
  status: unknown;
  stdout: string;
  complaint: string;
}

function generate(args: string[], variables: Record<string, string> = {}): Promise<Ended> {
  const env = {
    PATH: process.env["PATH"],
    ...toStores("nothing"),
    MAINNET_MEV_URL: "none",
    ...variables,
  };
  const command = ["generator/main.ts", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env, timeout: 200_000 }, (error, stdout, complaint) =>
      resolve({ status: error === null ? 0 : error.code, stdout, complaint }),
    );
  });
}

function toStores(name: string) {
  return {
    RUGWATCH_PUBLIC: `file:${join(directory, name, "public")}`,
    RUGWATCH_STATE: `file:${join(directory, name, "state")}`,
  };
}

const reportOf = ({ stdout }: Ended) =>
  JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;

it.each([["check"], ["snapshot"], ["run", "--for", "1s"]])(
  "%s fails where no endpoint could be read, and its report is written all the same",
  async (...args) => {
    const ended = await generate([...args, "--json"], {
      MAINNET_RPC_URLS: `${gone.url},${gone.url}`,
    });
    const report = reportOf(ended);
    expect(ended.status).toBe(1);
    const unread = expect.stringContaining("status 404") as string;
    expect(report).toMatchObject({ command: args[0], network: "mainnet", accepted: false, unread });
    expect(report["rejected"]).toContainEqual({ reason: report["unread"] });
    expect(ended.complaint).toContain(`rugwatch: ${args[0]} mainnet: no endpoint could be read: `);
  },
);

it("check is done where the endpoints answer and are behind, which passes", async () => {
  const ended = await generate(["check", "--json"], { MAINNET_RPC_URLS: behind.url });
  const report = reportOf(ended);
  expect(report["rejected"]).toEqual([
    { reason: expect.stringContaining("behind by 200 slots") as string },
  ]);
  expect(report).not.toHaveProperty("unread");
  expect(ended.status).toBe(0);
});

it("transactions fails where no endpoint keeps them, and says what to do; an unknown event is wrong use", async () => {
  const simulator = await startSmallSimulator({
    withoutTransactions: ["first", "second", "lagging"],
  });
  onTestFinished(() => simulator.close());
  const variables = {
    ...toStores("observed"),
    MAINNET_RPC_URLS: simulator.rpcUrls("mainnet").join(","),
  };
  expect(await generate(["snapshot"], variables)).toMatchObject({ status: 0 });
  const ended = await generate(["transactions", "--json"], variables);
  const reason = expect.stringContaining("give MAINNET_RPC_URLS endpoints that do") as string;
  expect([ended.status, reportOf(ended)["rejected"]]).toEqual([1, [{ reason }]]);
  const complaint = expect.stringMatching(
    /^rugwatch: none of the \d+ events of mainnet has the id/,
  ) as string;
  expect(await generate(["explain", "123456"], variables)).toMatchObject({ status: 2, complaint });
});

it.each([
  [
    "a network nobody was observed of fails, for a person",
    ["transactions"],
    {},
    1,
    /no snapshot of mainnet was accepted yet: run "snapshot" first, then "transactions"/,
  ],
  [
    "settings are wrong use",
    ["publish"],
    { CHECK_SECONDS: "often" },
    2,
    /rugwatch: CHECK_SECONDS is "often"/,
  ],
  [
    "an unknown flag is wrong use",
    ["publish", "--often"],
    {},
    2,
    /unknown option '--often'[^]*--help shows/,
  ],
  [
    "a ruling on nothing is wrong use",
    ["rule", "--reason", "x", "--accept"],
    {},
    2,
    /--observation NUMBER or --event ID/,
  ],
])("%s", async (_, args, variables, status, complaint) => {
  const ended = await generate(args, variables);
  expect(ended.complaint).toMatch(complaint);
  expect(ended.status).toBe(status);
});
