import { describe, expect, it } from "vitest";
import { read, scripts } from "../_files.ts";
import { findWorkflow } from "./workflows.ts";

const runsOf = (id: string) => (findWorkflow("ci.yml").jobs[id]?.steps ?? []).map(({ run }) => run);

describe("what GitHub tries of each change", () => {
  it("skips no test because something is missing", () => {
    const steps = ["ci.yml", "soak.yml"].flatMap((file) =>
      Object.values(findWorkflow(file).jobs).flatMap((job) => job.steps),
    );
    const tiers = steps.filter(({ run }) => run.startsWith(".ci/run"));
    expect(tiers.map(({ env }) => env["RUGWATCH_REQUIRE_ALL"])).toEqual(["1", "1"]);
  });

  it("builds the image, and starts the demo until it is ready", () => {
    const runs = runsOf("image").join("\n");
    expect(runs).toContain("docker build --file infra/Dockerfile");
    expect(runs).toMatch(/npm run demo &\n.*--fail .*\/readyz/);
    expect(scripts).toHaveProperty("demo");
  });

  it("runs `npm test` with the npm of Node 20, as the README promises", () => {
    expect(read("README.md")).toMatch(/Node(?:\.js)? 20/);
    expect(runsOf("node20")).toEqual(expect.arrayContaining(["npm test"]));
  });

  it("does not let a fault of lint, types or workflows hide the tests", () => {
    const lines = read(".ci/run").split("\n");
    const checks = lines.filter((line) =>
      /^ +(?:npm run (?:lint|typecheck)|\.ci\/audit|"\$actionlint")/.test(line),
    );
    expect(checks).toHaveLength(4);
    expect(checks.filter((line) => !line.endsWith("|| status=$?"))).toEqual([]);
  });
});
