import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { jobsOf, workflows } from "./workflows.ts";

const EXPRESSION = /\$\{\{/;

const jobs = jobsOf(workflows);
const steps = jobs.flatMap(([where, job]) => job.steps.map((step) => [where, step] as const));

describe("every workflow", () => {
  it("is one of those that these tests know", () => {
    expect(workflows.map(({ file }) => file)).toEqual([
      "ci.yml",
      "deploy.yml",
      "generate.yml",
      "release.yml",
      "soak.yml",
    ]);
  });

  it("has no permission but what a job names", () => {
    expect(workflows.filter(({ permissions }) => JSON.stringify(permissions) !== "{}").map(({ file }) => file)).toEqual(
      [],
    );
    expect(jobs.filter(([, { permissions }]) => permissions === undefined).map(([where]) => where)).toEqual([]);
  });

  it("may write nothing but the image of a release, and ask for a token of its identity only where it is shown to AWS", () => {
    const writing = jobs.flatMap(([where, { permissions = {} }]) =>
      Object.entries(permissions).flatMap(([scope, access]) => (access === "write" ? [`${where}: ${scope}`] : [])),
    );
    expect(writing.toSorted()).toEqual([
      "deploy.yml deploy: id-token",
      "generate.yml generate: id-token",
      "release.yml image: packages",
    ]);
  });

  it("ends each of its jobs by a time-out", () => {
    const endless = jobs.filter(([, job]) => job.uses === undefined && !((job["timeout-minutes"] ?? 0) > 0));
    expect(endless.map(([where]) => where)).toEqual([]);
  });

  it("is not started by what a stranger may do with the rights of the repository", () => {
    const triggers = workflows.flatMap(({ on }) => Object.keys(on));
    expect(new Set(triggers)).toEqual(
      new Set(["push", "pull_request", "workflow_call", "workflow_dispatch", "schedule"]),
    );
  });

  it("gives no secret to a run of a pull request", () => {
    const open = workflows.filter(({ on }) => "pull_request" in on);
    expect(open.map(({ file }) => file)).toEqual(["ci.yml"]);
    expect(open.filter(({ text }) => /secrets\b/.test(text))).toEqual([]);
  });

  it("says what it lets run beside it", () => {
    expect(workflows.every(({ concurrency }) => concurrency.group !== "")).toBe(true);
  });
});

describe("every step", () => {
  it("uses actions by the hash of a commit, with its version beside it", () => {
    const uses = workflows.flatMap(({ text }) => [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, use]) => use));
    expect(uses.length).toBeGreaterThan(8);
    const pinned =
      /^(?:[\w-]+(?:\/[\w-]+){1,2}@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/workflows\/[\w-]+\.yml(?: #.*)?)$/;
    expect(uses.filter((use) => !pinned.test(use ?? ""))).toEqual([]);
  });

  it("uses one commit of an action", () => {
    const uses = workflows.flatMap(({ text }) => [...text.matchAll(/uses: ([\w-]+\/[\w-]+)[\w/-]*@(.*)$/gm)]);
    const commits = Map.groupBy(uses, ([, action]) => action);
    expect([...commits].filter(([, found]) => new Set(found.map(([, , commit]) => commit)).size > 1)).toEqual([]);
  });

  it("has no expression in what it runs: text of others comes by the environment", () => {
    const running = steps.filter(([, { run }]) => run !== undefined);
    expect(running.length).toBeGreaterThan(5);
    expect(running.filter(([, { run = "" }]) => EXPRESSION.test(run))).toEqual([]);
  });

  it("leaves no token of the repository behind on the disk", () => {
    const checkouts = steps.filter(([, { uses = "" }]) => uses.startsWith("actions/checkout@"));
    expect(checkouts).toHaveLength(5);
    expect(checkouts.filter(([, step]) => step.with["persist-credentials"] !== false)).toEqual([]);
  });

  it("has the Node of .nvmrc", () => {
    const setups = steps.filter(([, { uses = "" }]) => uses.startsWith("actions/setup-node@"));
    expect(setups).toHaveLength(4);
    expect(setups.map(([, step]) => step.with["node-version-file"])).toEqual([".nvmrc", ".nvmrc", ".nvmrc", ".nvmrc"]);
    expect(readFileSync(new URL("../../../.nvmrc", import.meta.url), "utf8")).toMatch(/^\d+\n$/);
  });

  it("has AWS's keys for an hour, got by who it is: none is stored", () => {
    const credentials = steps.filter(([, { uses = "" }]) => uses.startsWith("aws-actions/"));
    expect(credentials.map(([where, step]) => [where, step.with["role-to-assume"]])).toEqual([
      ["deploy.yml deploy", "${{ vars.AWS_DEPLOY_ROLE_ARN }}"],
      ["generate.yml generate", "${{ vars.AWS_GENERATE_ROLE_ARN }}"],
    ]);
    const long = credentials.filter(
      ([, step]) => "aws-secret-access-key" in step.with || "role-duration-seconds" in step.with,
    );
    expect(long).toEqual([]);
  });
});
