import { describe, expect, it } from "vitest";
import { variables } from "../../../generator/settings/settings.ts";
import { NETWORKS } from "../../../generator/contract/networks.ts";
import { read, scripts } from "../_files.ts";
import { findStep, findWorkflow } from "./workflows.ts";

const { on, concurrency, jobs } = findWorkflow("generate.yml");
const job = jobs["generate"];
const step = findStep(job, "generate");

const RUN_MINUTES = 25;

describe("the scheduled generator", () => {
  it("is due every ten minutes, off the full hour, and never ends a run for another one", () => {
    expect(on["schedule"]).toEqual([{ cron: "3-59/10 * * * *" }]);
    // What was begun by hand waits apart.
    expect(concurrency).toEqual({
      group: "generate-${{ github.event_name }}",
      "cancel-in-progress": false,
    });
  });

  it("runs for 25 minutes over all networks, where nobody chose anything else, and has a little more time", () => {
    expect(job?.env).toEqual({ COMMAND: `\${{ inputs.command || 'run --for ${RUN_MINUTES}m' }}` });
    expect(step.env["NETWORK"]).toBe("${{ inputs.network || vars.RUGWATCH_NETWORK || 'all' }}");
    expect(step.run).toContain('"${command[@]}" --network "$NETWORK" --json');
    expect([step["timeout-minutes"], job?.["timeout-minutes"]]).toEqual([
      RUN_MINUTES + 3,
      RUN_MINUTES + 8,
    ]);
  });

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

  it("has packages for production only, and runs no script of theirs", () => {
    const installs = job?.steps.map(({ run }) => run).filter((run) => run.includes("npm "));
    expect(installs).toEqual(["npm ci --omit=dev --ignore-scripts --no-audit --no-fund"]);
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

  it.each([
    // On a miss the action leaves cache-hit empty (https://github.com/actions/cache/issues/1466).
    ["downloaded anew", { kept: "success", hit: "", geo: "success" }, true],
    ["kept already", { kept: "success", hit: "true", geo: "success" }, false],
    ["not downloaded", { kept: "success", hit: "", geo: "failure" }, false],
    ["not asked for", { kept: "skipped", hit: "", geo: "success" }, false],
  ])("keeps databases that were %s: %o → %s", (_, { kept, hit, geo }, isSaved) => {
    const save = job?.steps.find(({ uses }) => uses.startsWith("actions/cache/save@"));
    const values = {
      "steps.kept.outcome": kept,
      "steps.kept.outputs.cache-hit": hit,
      "steps.geo.outcome": geo,
    };
    const says = (term: string) => {
      const [, name = "", comparison, value] = /^([\w.-]+) ([!=]=) '(\w*)'$/.exec(term) ?? [];
      return (values[name as keyof typeof values] === value) === (comparison === "==");
    };
    expect(save?.if?.split(" && ").every(says)).toBe(isSaved);
  });

  it("does nothing where a store is not set: a state on the runner would be empty in each run", () => {
    expect(job?.if).toBe("vars.RUGWATCH_PUBLIC != '' && vars.RUGWATCH_STATE != ''");
  });

  it("has a summary, however it ended", () => {
    expect(job?.steps.at(-1)).toMatchObject({
      if: "always() && steps.install.outcome == 'success'",
      run: 'node infra/github/summary.ts "$RUNNER_TEMP/generate.out" "$COMMAND" "$OUTCOME" >>"$GITHUB_STEP_SUMMARY"',
    });
    expect(step.run).toContain('>"$RUNNER_TEMP/generate.out"');
  });

  it("begun by hand takes no text but what it offers: every network, and first what the schedule does", () => {
    const { inputs } = on["workflow_dispatch"] as {
      inputs: Record<string, { type: string; options: string[] }>;
    };
    const { command, network, ...others } = inputs;
    const scheduled = `run --for ${RUN_MINUTES}m`;
    expect(command).toMatchObject({ type: "choice", default: scheduled });
    expect([command?.options[0], others]).toEqual([scheduled, {}]);
    expect(network).toMatchObject({ type: "choice", options: ["all", ...NETWORKS] });
  });
});
