import { describe, expect, it } from "vitest";
import { variables } from "../../../generator/settings/settings.ts";
import { read, scripts } from "../_files.ts";
import { findStep, findWorkflow } from "./workflows.ts";

const { jobs } = findWorkflow("generate.yml");
const job = jobs["generate"];
const step = findStep(job, "generate");

describe("the scheduled generator", () => {
  it("reads only variables and secrets that the guide's table names", () => {
    const [, section = ""] = read("infra/README.md").split("## GitHub Actions\n");
    const table = (section.split("\n## ")[0] ?? "")
      .split("\n")
      .filter((line) => line.startsWith("|"));
    const asked = read(".github/workflows/generate.yml").matchAll(/\b(?:vars|secrets)\.(\w+)/g);
    const names = [...new Set([...asked].map(([, name = ""]) => name))];
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !table.some((row) => row.includes(`\`${name}\``)))).toEqual([]);
  });

  it("is the program of `npm run generate`, in place of the shell, so that it hears when it is cancelled", () => {
    expect(step.run).toContain(`exec ${scripts["generate"] ?? ""} `);
  });

  it("has every setting of the generator but its port (nobody reaches a runner), and takes what may hold a key from the secrets", () => {
    const unset = Object.keys(variables.shape).filter((name) => !(name in step.env));
    expect(unset).toEqual(["METRICS_PORT", "METRICS_HOST"]);
    const isSecret = (name: string) =>
      /_RPC_URLS$|^ALERT_WEBHOOKS$|^AWS_(?:ACCESS|SECRET)/.test(name);
    for (const [name, value] of Object.entries(step.env))
      expect([name, /secrets\./.test(value)]).toEqual([name, isSecret(name)]);
  });

  it("is the one step that is given AWS's keys", () => {
    expect(findStep(job, "aws").with).toMatchObject({
      "output-credentials": true,
      "output-env-credentials": false,
    });
    expect(job?.steps.filter(({ env }) => "AWS_SECRET_ACCESS_KEY" in env)).toEqual([step]);
  });
});
