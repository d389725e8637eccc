import { z } from "zod";
import { needsSuccessor } from "./chain.ts";

// node infra/github/next-run.ts: the last job of a run of generate.yml, which starts the next one.

const API = new URL(`${read("GITHUB_API_URL")}/repos/${read("GITHUB_REPOSITORY")}/actions/`);
const WORKFLOW = "workflows/generate.yml";
/** More than wait and work at any time, with those that somebody began. */
const RUNS_READ = 50;
/** A dispatch that fails breaks the chain until the next tick. */
const ATTEMPTS = 5;
const PAUSE_MILLISECONDS = 10_000;

const runSchema = z.object({ id: z.number(), status: z.string(), display_title: z.string() });
const jobsSchema = z.object({ jobs: z.array(z.object({ started_at: z.iso.datetime() })) });

const id = Number(read("GITHUB_RUN_ID"));
const command = read("COMMAND");
const { jobs } = jobsSchema.parse(await ask(`runs/${id}/jobs`));
// Not since the run was started: it may have waited for hours.
const begun = Math.min(...jobs.map(({ started_at: time }) => Date.parse(time)));
const { workflow_runs: listed } = z
  .object({ workflow_runs: z.array(runSchema) })
  .parse(await ask(`${WORKFLOW}/runs?per_page=${RUNS_READ}`));
const runs = listed
  // As run-name in generate.yml begins.
  .filter((run) => run.display_title.startsWith("run"))
  .map((run) => ({ id: run.id, isOver: run.status === "completed" }));
// eslint-disable-next-line no-restricted-properties -- a program of its own, which GitHub starts
const lastedMilliseconds = Date.now() - begun;
if (needsSuccessor({ id, lastedMilliseconds, runs })) {
  const inputs = { command, network: read("NETWORK") };
  await ask(`${WORKFLOW}/dispatches`, { ref: read("GITHUB_REF_NAME"), inputs });
  process.stdout.write("The next run waits until this one is over.\n");
} else {
  process.stdout.write("No next run was started: one waits already, or this one did no work.\n");
}

function read(name: string): string {
  // eslint-disable-next-line no-restricted-properties -- a program of its own, without settings
  const value = process.env[name] ?? "";
  if (value === "") throw new Error(`${name} is not set`);
  return value;
}

/** @param body to post; without one it gets */
async function ask(path: string, body?: object): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(new URL(path, API), {
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${read("GH_TOKEN")}`,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response.status === 204 ? null : response.json();
    if (response.status < 500 || attempt === ATTEMPTS)
      throw new Error(`${path}: GitHub answered ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
}
