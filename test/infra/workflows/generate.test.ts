import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { variables } from "../../../generator/settings/settings.ts";
import { NETWORKS } from "../../../generator/contract/networks.ts";
import { findStep, findWorkflow } from "./workflows.ts";

const { on, concurrency, jobs } = findWorkflow("generate.yml");
const job = jobs["generate"];
const step = findStep(job, "generate");

const { scripts } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  scripts: Record<string, string>;
};

/** Minutes of `--for`. */
const RUN_MINUTES = 25;

describe("the scheduled generator", () => {
  it("is due every ten minutes, off the full hour", () => {
    expect(on["schedule"]).toEqual([{ cron: "3-59/10 * * * *" }]);
  });

  it("runs for 25 minutes over all networks, where nobody chose anything else", () => {
    expect(job?.["env"]).toEqual({ COMMAND: `\${{ inputs.command || 'run --for ${RUN_MINUTES}m' }}` });
    expect(step.env["NETWORK"]).toBe("${{ inputs.network || vars.RUGWATCH_NETWORK || 'all' }}");
    expect(step.run).toContain('"${command[@]}" --network "$NETWORK" --json');
  });

  it("never ends a run for another one; what was begun by hand waits apart", () => {
    expect(concurrency).toEqual({ group: "generate-${{ github.event_name }}", "cancel-in-progress": false });
  });

  it("has a little more time than it takes", () => {
    expect(step["timeout-minutes"]).toBe(RUN_MINUTES + 3);
    expect(job?.["timeout-minutes"]).toBe(RUN_MINUTES + 8);
  });

  it("is the program of `npm run generate`, in place of the shell, so that it hears when it is cancelled", () => {
    expect(step.run).toContain(`exec ${scripts["generate"] ?? ""} `);
  });

  it("has packages for production only, and runs no script of theirs", () => {
    const installs = job?.steps.flatMap(({ run = "" }) => (run.includes("npm ") ? [run] : [])) ?? [];
    expect(installs).toEqual(["npm ci --omit=dev --ignore-scripts --no-audit --no-fund"]);
  });

  it("has every setting of the generator but its port: nobody reaches a runner", () => {
    const unset = Object.keys(variables.shape).filter((name) => !(name in step.env));
    expect(unset).toEqual(["METRICS_PORT", "METRICS_HOST"]);
  });

  it("is the one step that is given AWS's keys", () => {
    expect(findStep(job, "aws").with).toMatchObject({ "output-credentials": true, "output-env-credentials": false });
    const given = job?.steps.filter(({ env }) => "AWS_SECRET_ACCESS_KEY" in env);
    expect(given).toEqual([step]);
  });

  it("takes what may hold a key from the secrets", () => {
    const isSecret = (name: string) => /_RPC_URLS$|^AWS_(?:ACCESS|SECRET)/.test(name);
    for (const [name, value] of Object.entries(step.env))
      expect([name, /secrets\./.test(value)]).toEqual([name, isSecret(name)]);
  });

  it.each([
    // On a miss the action leaves cache-hit empty (https://github.com/actions/cache/issues/1466).
    ["downloaded anew", { kept: "success", hit: "", geo: "success" }, true],
    ["kept already", { kept: "success", hit: "true", geo: "success" }, false],
    ["not downloaded", { kept: "success", hit: "", geo: "failure" }, false],
    ["not asked for", { kept: "skipped", hit: "", geo: "success" }, false],
  ])("keeps databases that were %s: %o → %s", (_, { kept, hit, geo }, isSaved) => {
    const save = job?.steps.find(({ uses = "" }) => uses.startsWith("actions/cache/save@"));
    const values = { "steps.kept.outcome": kept, "steps.kept.outputs.cache-hit": hit, "steps.geo.outcome": geo };
    const says = (term: string) => {
      const [, name = "", comparison, value] = /^([\w.-]+) ([!=]=) '(\w*)'$/.exec(term) ?? [];
      return (values[name as keyof typeof values] === value) === (comparison === "==");
    };
    expect(save?.if?.split(" && ").every(says)).toBe(isSaved);
  });

  it("does nothing where a store is not set: a state on the runner would be empty in each run, and so would what it publishes", () => {
    expect(job?.if).toBe("vars.RUGWATCH_PUBLIC != '' && vars.RUGWATCH_STATE != ''");
  });

  it("has a summary, however it ended", () => {
    const summary = job?.steps.at(-1);
    expect(summary?.if).toBe("always() && steps.install.outcome == 'success'");
    expect(summary?.run).toBe(
      'node infra/github/summary.ts "$RUNNER_TEMP/generate.out" "$COMMAND" "$OUTCOME" >>"$GITHUB_STEP_SUMMARY"',
    );
    expect(step.run).toContain('>"$RUNNER_TEMP/generate.out"');
  });
});

describe("the generator begun by hand", () => {
  const { inputs } = on["workflow_dispatch"] as {
    inputs: Record<"command" | "network", { type: string; default: string; options: string[] }>;
  };

  it("takes no text but what it offers", () => {
    expect(Object.values(inputs).map(({ type }) => type)).toEqual(["choice", "choice"]);
  });

  it("offers every network", () => {
    expect(inputs.network.options).toEqual(["all", ...NETWORKS]);
  });

  it("offers first what the schedule does", () => {
    expect(inputs.command.options[0]).toBe(inputs.command.default);
    expect(inputs.command.default).toBe(`run --for ${RUN_MINUTES}m`);
  });
});
