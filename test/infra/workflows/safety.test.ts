import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { read, ROOT } from "../_files.ts";
import { workflows } from "./workflows.ts";

const jobs = workflows.flatMap(({ file, jobs: own }) =>
  Object.entries(own).map(([id, job]) => ({ where: `${file} ${id}`, ...job })),
);
const steps = jobs.flatMap(({ where, steps: own }) => own.map((step) => ({ where, ...step })));
const stepsThatUse = (action: string) => steps.filter(({ uses }) => uses.startsWith(action));

describe("every workflow", () => {
  it("has no permission but what a job names: to write the image of a release, to start the next run, and a token of its identity only where it is shown to AWS", () => {
    expect(workflows.map(({ permissions }) => permissions)).toEqual(workflows.map(() => ({})));
    expect(jobs.filter(({ permissions }) => permissions === undefined)).toEqual([]);
    const writing = jobs.flatMap(({ where, permissions = {} }) =>
      Object.entries(permissions).flatMap(([scope, access]) =>
        access === "write" ? [`${where}: ${scope}`] : [],
      ),
    );
    expect(writing.toSorted()).toEqual([
      "deploy.yml deploy: id-token",
      "generate.yml generate: id-token",
      "generate.yml next: actions",
      "release.yml image: packages",
    ]);
  });

  it("ends each of its jobs by a time-out, and says what it lets run beside it", () => {
    expect(
      jobs.filter((job) => job.uses === undefined && !((job["timeout-minutes"] ?? 0) > 0)),
    ).toEqual([]);
    expect(workflows.filter(({ concurrency }) => concurrency.group === "")).toEqual([]);
  });

  it("is not started by what a stranger may do with the rights or the secrets of the repository", () => {
    const triggers = new Set(workflows.flatMap(({ on }) => Object.keys(on)));
    const harmless = ["push", "pull_request", "workflow_call", "workflow_dispatch", "schedule"];
    expect(triggers).toEqual(new Set(harmless));
    const open = workflows.filter(({ on }) => "pull_request" in on);
    expect(open.map(({ file, text }) => [file, /secrets\b/.test(text)])).toEqual([
      ["ci.yml", false],
    ]);
  });
});

describe("every step", () => {
  it("uses actions by the hash of one commit, with its version beside it", () => {
    const found = workflows.flatMap(({ text }) => [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)]);
    const uses = found.map(([, use = ""]) => use);
    expect(uses.length).toBeGreaterThan(8);
    const pinned =
      /^(?:[\w-]+(?:\/[\w-]+){1,2}@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/workflows\/[\w-]+\.yml(?: #.*)?)$/;
    expect(uses.filter((use) => !pinned.test(use))).toEqual([]);
    const actions = uses
      .filter((use) => use.includes("@"))
      .map((use) => use.replace(/^([\w-]+\/[\w-]+)[\w/-]*/, "$1"));
    const names = [...new Set(actions)].map((use) => use.split("@")[0]);
    expect(names).toEqual([...new Set(names)]);
  });

  it("has no expression in what it runs: text of others comes by the environment", () => {
    const running = steps.filter(({ run }) => run !== "");
    expect(running.length).toBeGreaterThan(5);
    expect(running.filter(({ run }) => run.includes("${{"))).toEqual([]);
  });

  it("leaves no token of the repository on the disk, and has the Node of .nvmrc, but for the one that tries Node 20", () => {
    const kept = stepsThatUse("actions/checkout@").map((step) => step.with["persist-credentials"]);
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.filter((one) => one !== false)).toEqual([]);
    const nodes = stepsThatUse("actions/setup-node@");
    expect(nodes.length).toBeGreaterThan(5);
    const others = nodes.filter((step) => step.with["node-version-file"] !== ".nvmrc");
    expect(others.map((step) => [step.where, step.with["node-version"]])).toEqual([
      ["ci.yml node20", 20],
    ]);
    expect(read(".nvmrc")).toMatch(/^\d+\n$/);
  });

  it("has AWS's keys for an hour, got by who it is: none is stored", () => {
    const credentials = stepsThatUse("aws-actions/");
    expect(credentials.map((step) => [step.where, step.with["role-to-assume"]])).toEqual([
      ["deploy.yml deploy", "${{ vars.AWS_DEPLOY_ROLE_ARN }}"],
      ["generate.yml generate", "${{ vars.AWS_GENERATE_ROLE_ARN }}"],
    ]);
    for (const long of ["aws-secret-access-key", "role-duration-seconds"])
      expect(credentials.filter((step) => long in step.with)).toEqual([]);
  });
});

it("updates of dependencies are looked for wherever there are some, together, and not on the day of their release", () => {
  const SIGNS = {
    npm: "package-lock.json",
    "github-actions": ".github/workflows/ci.yml",
    docker: "Dockerfile",
    "docker-compose": "compose.yaml",
  };
  type Update = { "package-ecosystem": keyof typeof SIGNS; directory: string; groups?: object };
  const text = read(".github/dependabot.yml");
  const { updates } = parse(text) as { updates: Update[] };
  expect(updates.map((update) => update["package-ecosystem"]).toSorted()).toEqual(
    Object.keys(SIGNS).toSorted(),
  );
  for (const { "package-ecosystem": kind, directory, ...update } of updates) {
    expect(existsSync(new URL(`.${directory.replace(/\/$/, "")}/${SIGNS[kind]}`, ROOT)), kind).toBe(
      true,
    );
    expect(update).toMatchObject({ cooldown: { "default-days": 7 }, groups: {} });
  }
});
