import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ROOT } from "./_files.ts";

describe("the benchmarks", () => {
  it.each([
    [
      "--help",
      0,
      /^Usage: bench [^]*\bBenchmarks:\n {2}stake-scan +\w[^]*Example: npm run bench -- check/,
    ],
    ["nothing", 2, /^error: unknown benchmark nothing\n\(run with --help for usage\)\n$/],
    ["--days=401", 2, /--days[^]*must be a whole number from 1 to 400/],
  ])("say what to do and measure nothing with %s", (flag, status, text) => {
    const args = ["test/bench/main.ts", flag];
    const ran = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
    expect([ran.status, ran.stdout + ran.stderr]).toEqual([status, expect.stringMatching(text)]);
  });
});
