import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  LLMS_PATH,
  SECURITY_PATH,
  SITE_FILE_TYPES,
} from "../../../generator/contract/site-files.ts";
import { SITE_ASSETS_FOLDER, SITE_CACHE } from "../../../generator/contract/site-headers.ts";
import { makeDirectory } from "../../store/directory.ts";
import { read, ROOT } from "../_files.ts";
import { findWorkflow } from "./workflows.ts";

const { jobs } = findWorkflow("deploy.yml");
const deploy = jobs["deploy"];
const lines = deploy?.steps.flatMap(({ run }) => run.split("\n")) ?? [];
const copies = lines.filter((line) => line.startsWith("aws s3 "));
const site = deploy?.steps.at(-1)?.run ?? "";

describe("the deployment", () => {
  it("installs and builds before it has keys", () => {
    const steps = deploy?.steps.map(({ run, uses }) => run + uses) ?? [];
    const keys = steps.findIndex((step) => step.startsWith("aws-actions/"));
    expect(steps.slice(0, keys).filter((step) => /npm ci|build:site/.test(step))).toHaveLength(2);
    expect(steps.slice(keys + 1).filter((step) => !/cdk deploy|aws s3/.test(step))).toEqual([]);
  });
});

describe("the site's files", () => {
  it("are kept for as long as the proxy would say", () => {
    expect(
      copies.map((line) => [line.split(" ")[3], /--cache-control "(.*)"/.exec(line)?.[1]]),
    ).toEqual([
      [`public/dist/${SITE_ASSETS_FOLDER}`, SITE_CACHE.asset],
      ["public/dist", SITE_CACHE.page],
      ["public/dist", SITE_CACHE.page],
      ["public/dist", SITE_CACHE.page],
      ["public/dist/index.html", SITE_CACHE.page],
    ]);
  });

  it("come before the page that names them, and none is deleted", () => {
    expect(copies[1]).toContain(`--exclude "${SITE_ASSETS_FOLDER}/*" `);
    expect(copies[1]).toContain(" --exclude index.html ");
    expect(site).not.toMatch(/--delete|s3 rm|s3 sync/);
  });

  it("have the media types that the proxy gives them, where the AWS CLI would guess another", () => {
    const typed = copies.flatMap((line) => {
      const type = /--content-type (["'])(.*?)\1 --/.exec(line)?.[2];
      const names = [...line.matchAll(/--include "?([^" ]+)/g)].map(([, name = ""]) => name);
      return type === undefined ? [] : names.map((name) => [name, type] as const);
    });
    const text = "text/plain; charset=utf-8";
    expect(Object.fromEntries(typed)).toEqual({
      "*.txt": text,
      ...Object.fromEntries(
        Object.entries(SITE_FILE_TYPES).map(([path, type]) => [path.slice(1), type]),
      ),
    });
    // What is copied with its type is not copied before without.
    for (const [name] of typed)
      expect(copies[1]?.replaceAll('"', "")).toContain(` --exclude ${name} `);
  });

  it("are asked for anew, where their name stays the same", () => {
    const [, paths = ""] = /--paths (.*)/.exec(site) ?? [];
    const files = readdirSync(new URL("public/static", ROOT));
    // Those of public/vite.config.ts.
    const made = [
      "/index.html",
      "/app.js",
      "/app.css",
      "/robots.txt",
      LLMS_PATH,
      SECURITY_PATH,
    ].concat(Object.keys(SITE_FILE_TYPES));
    expect(paths.split(" ").toSorted()).toEqual(
      [...made, ...files.map((file) => `/${file}`)].toSorted(),
    );
  });

  async function run(outputs: Record<string, string>): Promise<string[]> {
    const { directory, remove } = await makeDirectory();
    onTestFinished(remove);
    await writeFile(join(directory, "outputs.json"), JSON.stringify({ Rugwatch: outputs }));
    const script = `aws() { printf '%s ' "$@"; echo; }\n${site}`;
    const env = { PATH: process.env["PATH"], RUNNER_TEMP: directory };
    return execFileSync("bash", ["-ec", script], { env, encoding: "utf8", stdio: "pipe" })
      .trimEnd()
      .split("\n");
  }

  it("go where the stack says", async () => {
    const asked = await run({ PublicBucketName: "public-bucket", DistributionId: "E123" });
    expect(asked.map((line) => line.split(" --")[0])).toEqual([
      "s3 cp public/dist/assets s3://public-bucket/assets",
      "s3 cp public/dist s3://public-bucket",
      "s3 cp public/dist s3://public-bucket",
      "s3 cp public/dist s3://public-bucket",
      "s3 cp public/dist/index.html s3://public-bucket/index.html",
      "cloudfront create-invalidation",
    ]);
    expect(asked.at(-1)).toContain("--distribution-id E123 ");
    const stack = read("infra/aws/stack.ts");
    for (const [, name] of site.matchAll(/\$\(output (\w+)\)/g))
      expect(stack).toContain(`${name}: [`);
  });

  it.each(["PublicBucketName", "DistributionId"])(
    "go nowhere where it only says %s",
    async (name) => {
      await expect(run({ [name]: "some" })).rejects.toThrow(/Command failed/);
    },
  );
});
