import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Match, Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { HOUSE, makeDirectory } from "./_setup.ts";

async function synth(directory: string, ...context: string[]) {
  const flags = [
    "synth",
    "--quiet",
    "--output",
    directory,
    ...context.map((setting) => `--context=${setting}`),
  ];
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: directory,
    CI: "true",
    AWS_EC2_METADATA_DISABLED: "true",
  };
  return promisify(execFile)(join(HOUSE, "node_modules/.bin/cdk"), flags, {
    cwd: HOUSE,
    env: environment,
  });
}

describe("cdk synth", () => {
  it("describes the stack without an account, with all code that it deploys", async () => {
    const directory = await makeDirectory();
    await synth(directory, "repository=example/rugwatch", "rateLimitPerMinute=120");
    const template = Template.fromString(
      await readFile(join(directory, "Rugwatch.template.json"), "utf8"),
    );
    template.resourceCountIs("AWS::CloudFront::Distribution", 1);
    template.hasResourceProperties("AWS::Lambda::Function", { Handler: "lambda.handler" });
    const tellsLimit = Match.objectLike({
      Header: "RateLimit-Policy",
      Value: '"default";q=120;w=60',
    });
    template.hasResourceProperties("AWS::CloudFront::ResponseHeadersPolicy", {
      ResponseHeadersPolicyConfig: {
        CustomHeadersConfig: { Items: Match.arrayWith([tellsLimit]) },
      },
    });
    const manifest = await readFile(join(directory, "manifest.json"), "utf8");
    expect(manifest).toContain("aws://unknown-account/us-east-1");
    expect(manifest).toContain('"terminationProtection": true');
    const report = JSON.parse(
      await readFile(join(directory, "validation-report.json"), "utf8"),
    ) as object;
    expect(report).toMatchObject({ pluginReports: [] });
    const bundled = await readdir(directory, { recursive: true });
    expect(
      bundled.filter((file) => /^asset\.[^/]+\/(?:lambda|handler)\.mjs$/.test(file)),
    ).toHaveLength(2);
  });

  it("says what is missing and what is unknown, and how to give it", async () => {
    const failure = await synth(await makeDirectory(), "rateLimit=120").then(
      () => null,
      (error: unknown) => error as { stderr: string; stdout: string; code: number },
    );
    expect(failure?.code).not.toBe(0);
    const said = `${failure?.stdout}${failure?.stderr}`;
    expect(said).toMatch(
      /rateLimit is not a setting\. Use one of repository, .*rateLimitPerMinute/,
    );
    expect(said).toMatch(/repository is missing: it must be OWNER\/NAME .*-c repository=VALUE/);
  });
});
