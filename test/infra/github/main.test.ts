import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createReport } from "../../../generator/service/report.ts";

const MAIN = new URL("../../../infra/github/main.ts", import.meta.url).pathname;

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "rugwatch-summary-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function run(...args: string[]): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });
}

describe("the program that writes the summary", () => {
  it("reads the output of the generator's step", () => {
    const file = join(directory, "generate.out");
    writeFileSync(file, `${JSON.stringify({ ...createReport("publish", "mainnet"), puts: 17 })}\n`);
    const { status, stdout } = run(file, "publish", "success");
    expect(status).toBe(0);
    expect(stdout).toContain("## generate publish: success\n\n| network | mainnet |\n");
    expect(stdout).toContain("| puts | 17&#44; 0&#46;0 kB |");
  });

  it("writes a summary where the step never began", () => {
    const { status, stdout } = run(join(directory, "generate.out"), "run --for 25m", "skipped");
    expect(status).toBe(0);
    expect(stdout).toContain("skipped\n\nIt ended without a report");
  });

  it("fails where the output is there and cannot be read", () => {
    expect(run(directory, "publish", "success").status).toBe(1);
  });
});
