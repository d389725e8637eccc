import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SITE_ASSETS_FOLDER, SITE_CACHE } from "../../../generator/contract/site-headers.ts";
import { findWorkflow } from "./workflows.ts";

const { on, concurrency, jobs } = findWorkflow("deploy.yml");
const deploy = jobs["deploy"];
const lines = deploy?.steps.flatMap(({ run = "" }) => run.split("\n")) ?? [];
const copies = lines.filter((line) => line.startsWith("aws s3 "));
const site = deploy?.steps.at(-1)?.run ?? "";

describe("the deployment", () => {
  it("is of what is tagged, or by hand, one at a time", () => {
    expect(on).toEqual({ push: { tags: ["v*"] }, workflow_dispatch: null });
    expect(concurrency).toEqual({ group: "deploy", "cancel-in-progress": false });
  });

  it("waits for the tests of the same commit", () => {
    expect(jobs["test"]?.uses).toBe("./.github/workflows/ci.yml");
    expect(deploy?.["needs"]).toBe("test");
    expect(findWorkflow("ci.yml").on).toHaveProperty("workflow_call");
  });

  it("is in an environment, whose rules say who may do it", () => {
    expect(deploy?.environment).toBe("production");
  });

  it("installs and builds before it has keys", () => {
    const steps = deploy?.steps.map(({ run = "", uses = "" }) => run + uses) ?? [];
    const keys = steps.findIndex((step) => step.startsWith("aws-actions/"));
    expect(steps.slice(0, keys).filter((step) => /npm ci|build:site/.test(step))).toHaveLength(2);
    expect(steps.slice(keys + 1).filter((step) => !/cdk deploy|aws s3/.test(step))).toEqual([]);
  });

  it("takes nothing from a cache, which others can fill", () => {
    expect(deploy?.steps.filter(({ uses = "" }) => uses.startsWith("actions/cache"))).toEqual([]);
    const setup = deploy?.steps.find(({ uses = "" }) => uses.startsWith("actions/setup-node@"));
    expect(setup?.with).toEqual({ "node-version-file": ".nvmrc", "package-manager-cache": false });
  });

  it("deploys the API before the site that reads it", () => {
    expect(lines.findIndex((line) => line.includes("cdk deploy"))).toBeLessThan(lines.indexOf(copies[0] ?? ""));
  });
});

describe("the site's files", () => {
  it("are kept for as long as the proxy would say", () => {
    expect(copies.map((line) => [line.split(" ")[3], /--cache-control "(.*)"/.exec(line)?.[1]])).toEqual([
      [`public/dist/${SITE_ASSETS_FOLDER}`, SITE_CACHE.asset],
      ["public/dist", SITE_CACHE.page],
      ["public/dist/index.html", SITE_CACHE.page],
    ]);
  });

  it("come before the page that names them, and none is deleted", () => {
    expect(copies[1]).toContain(`--exclude "${SITE_ASSETS_FOLDER}/*" --exclude index.html`);
    expect(lines.join("\n")).not.toMatch(/--delete|s3 rm|s3 sync/);
  });

  it("are asked for anew, where their name stays the same", () => {
    const [, paths = ""] = /--paths (.*)/.exec(lines.join("\n")) ?? [];
    const files = readdirSync(new URL("../../../public/static", import.meta.url));
    expect(paths.split(" ").toSorted()).toEqual(["/index.html", ...files.map((file) => `/${file}`)].toSorted());
  });
});

describe("where the site's files go", () => {
  /** The last step, with the outputs of a stack, and with an `aws` that only tells what it was asked for. */
  function run(outputs: Record<string, string>): string[] {
    const directory = mkdtempSync(join(tmpdir(), "rugwatch-deploy-"));
    try {
      writeFileSync(join(directory, "outputs.json"), JSON.stringify({ Rugwatch: outputs }));
      const script = `aws() { printf '%s ' "$@"; echo; }\n${site}`;
      const env = { PATH: process.env["PATH"], RUNNER_TEMP: directory };
      return execFileSync("bash", ["-ec", script], { env, encoding: "utf8", stdio: "pipe" }).trimEnd().split("\n");
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  it("is what the stack says", () => {
    const asked = run({ PublicBucketName: "public-bucket", DistributionId: "E123" });
    expect(asked.map((line) => line.split(" --")[0])).toEqual([
      "s3 cp public/dist/assets s3://public-bucket/assets",
      "s3 cp public/dist s3://public-bucket",
      "s3 cp public/dist/index.html s3://public-bucket/index.html",
      "cloudfront create-invalidation",
    ]);
    expect(asked.at(-1)).toContain("--distribution-id E123 ");
  });

  it.each([{ PublicBucketName: "public-bucket" }, { DistributionId: "E123" }])(
    "is nowhere where it only says %j",
    (some) => {
      expect(() => run(some as unknown as Record<string, string>)).toThrow(/Command failed/);
    },
  );

  it("is told by names that the stack has", () => {
    const stack = readFileSync(new URL("../../../infra/aws/stack.ts", import.meta.url), "utf8");
    const names = [...site.matchAll(/\$\(output (\w+)\)/g)].map(([, name]) => name ?? "");
    expect(names).toEqual(["PublicBucketName", "DistributionId"]);
    expect(names.filter((name) => !stack.includes(`${name}: [`))).toEqual([]);
  });
});
