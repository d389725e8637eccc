import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openServer } from "../../rpc/open-server.ts";
import { ROOT } from "../_files.ts";

const run = promisify(execFile);
const OWN = 7;

/** Starts the program beside a server that answers as GitHub does. */
async function endRun(runs: { id: number; status: string; display_title: string }[]) {
  const server = await openServer(({ path, method }, response) => {
    if (method === "POST") return void response.writeHead(204).end();
    const answer = path.endsWith("/jobs")
      ? { jobs: [{ started_at: "2026-11-20T05:00:00Z" }, { started_at: "2026-11-20T00:00:00Z" }] }
      : { workflow_runs: runs };
    response.end(JSON.stringify(answer));
  });
  await run(process.execPath, ["infra/github/next-run.ts"], {
    cwd: fileURLToPath(ROOT),
    env: {
      ...process.env,
      GITHUB_API_URL: server.url,
      GITHUB_REPOSITORY: "owner/name",
      GITHUB_RUN_ID: String(OWN),
      GITHUB_REF_NAME: "main",
      GH_TOKEN: "token",
      COMMAND: "run --for 50m",
      NETWORK: "mainnet",
    },
  });
  return server.asked.filter(({ method }) => method === "POST");
}

const own = { id: OWN, status: "in_progress", display_title: "run --for 50m · mainnet" };

describe("the last job of a run", () => {
  it("starts the next one for the same network, whatever was begun by hand meanwhile", async () => {
    const byHand = { id: 8, status: "queued", display_title: "backfill · mainnet" };
    const [asked, ...others] = await endRun([byHand, own]);
    expect(others).toEqual([]);
    expect(asked).toMatchObject({
      path: "/repos/owner/name/actions/workflows/generate.yml/dispatches",
      headers: { authorization: "Bearer token" },
      body: { ref: "main", inputs: { command: "run --for 50m", network: "mainnet" } },
    });
  });

  it("starts none where one waits", async () => {
    expect(await endRun([{ ...own, id: 8, status: "pending" }, own])).toEqual([]);
  });
});
