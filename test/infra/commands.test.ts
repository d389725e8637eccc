import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROOFS } from "../integration/commands/proofs.ts";
import { readShellBlocks, readShellLines } from "./shell-blocks.ts";

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

it("the documents name only benches that there are", () => {
  const documents = ["generator/README.md", "infra/README.md"].map(read).join("\n");
  const named = [...documents.matchAll(/`npm run bench -- ([a-z-]+)`/g)].map(([, name]) => name ?? "");
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((name) => !existsSync(join(ROOT, `test/bench/${name}.ts`)))).toEqual([]);
});
