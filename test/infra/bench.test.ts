import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { read, ROOT } from "./_files.ts";

it.each([
  ["--help", 0, /^Usage: bench [^]*\bBenchmarks:\n {2}stake-scan +\w[^]*Example: npm run bench -- check/],
  ["nothing", 2, /^error: unknown benchmark nothing\n\(run with --help for usage\)\n$/],
  ["--days=401", 2, /--days[^]*must be a whole number from 1 to 400/],
])("npm run bench -- %s says what to do and measures nothing", (flag, status, text) => {
  const ran = spawnSync(process.execPath, ["--import", "tsx", "test/bench/main.ts", flag], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect([ran.status, ran.stdout + ran.stderr]).toEqual([status, expect.stringMatching(text)]);
});

it("each benchmark is in the file of its name", () => {
  const [, table = ""] = /const BENCHES[^{]*\{([^}]*)\}/.exec(read("test/bench/main.ts")) ?? [];
  const names = [...table.matchAll(/^ {2}"?([\w-]+)"?: /gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(read(`test/bench/${name}.ts`)).toMatch(/^export (?:async )?function bench\(/m);
});
