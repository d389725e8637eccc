import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMetrics as createGeneratorMetrics } from "../../../generator/service/metrics/metrics.ts";
import { createMetrics as createProxyMetrics } from "../../../proxy/monitoring/metrics.ts";
import { isPresent } from "../../required.ts";

const SOURCE = join(import.meta.dirname, "../../../infra/prometheus");

const ask = (args: string[], input = "") => {
  const { status, stdout, stderr } = spawnSync("promtool", args, { input, encoding: "utf8" });
  return { status, output: stdout + stderr };
};
const hasPromtool = isPresent("promtool", ask(["--version"]).status === 0);

describe.skipIf(!hasPromtool)("Prometheus' own tool", () => {
  it("takes what is scraped and the rules as they are", () => {
    const { status, output } = ask([
      "check",
      "config",
      "--lint=all",
      "--lint-fatal",
      join(SOURCE, "prometheus.yml"),
    ]);
    expect([status, output]).toEqual([0, expect.stringContaining("1 rule files found")]);
    expect(
      ask(["check", "rules", "--lint=all", "--lint-fatal", join(SOURCE, "rules.yml")]).status,
    ).toBe(0);
  });

  it("sees each alert fire when it should, and none when all is well", () => {
    expect(ask(["test", "rules", join(SOURCE, "rules.test.yml")])).toMatchObject({ status: 0 });
  });

  it.each([
    ["generator", createGeneratorMetrics({ now: () => 0, steadyNow: () => 0 })],
    ["proxy", createProxyMetrics(() => 0)],
  ])(
    "finds nothing wrong with how the metrics of the %s are named and told",
    async (_, { registry }) => {
      const page = await registry.metrics();
      const own = page.split("\n\n").filter((metric) => /^# HELP rugwatch_/.test(metric));
      expect(own.length).toBeGreaterThan(8);
      expect(ask(["check", "metrics"], `${own.join("\n")}\n`)).toEqual({ status: 0, output: "" });
    },
  );
});
