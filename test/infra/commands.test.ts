import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { PROOFS } from "../integration/commands/proofs.ts";
import { readShellBlocks, readShellLines } from "./shell-blocks.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

describe.each(Object.entries(PROOFS))("the commands of %s", (file, proofs) => {
  it("are all proved, and no other is", () => {
    const lines = readShellBlocks(read(file)).flatMap(readShellLines);
    expect(Object.keys(proofs).toSorted()).toEqual([...new Set(lines)].toSorted());
  });

  it("are proved by tests that there are", () => {
    const tests = Object.values(proofs).flatMap((proof) => ("test" in proof ? [proof.test] : []));
    expect(tests.filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
  });
});

it("the documents name only benches that there are", async () => {
  const documents = ["generator/README.md", "infra/README.md"].map(read).join("\n");
  const named = [...documents.matchAll(/`npm run bench -- ([a-z-]+)`/g)].map(([, name]) => name ?? "");
  expect(named.length).toBeGreaterThan(1);
  const { stdout: help } = await run(process.execPath, ["test/bench/main.ts", "--help"], { cwd: ROOT });
  const known = [...help.matchAll(/^ +([a-z-]+) /gm)].map(([, name]) => name);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});
