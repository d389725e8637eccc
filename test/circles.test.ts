import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const files = globSync("{generator,proxy,infra,public}/**/*.{ts,tsx}", {
  cwd: ROOT,
  exclude: ["**/dist/**", "**/node_modules/**", "**/cdk.out/**"],
});

/** What a file imports of ours, types too: a type that is declared above its user ties two files together just as well. */
function readImports(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const found = text.matchAll(/^(?:import|export)\s[^;]*?from\s+"(\.[^"]+)"/gms);
  return Array.from(found, ([, path = ""]) => join(dirname(file), path)).filter((path) => files.includes(path));
}

/** What is left when, again and again, each file goes that imports none of those left: circles, and who imports them. */
function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(imports);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const [file, of] of left) if (!of.some((path) => left.has(path))) left.delete(file);
  }
  return [...left.keys()];
}

it("no file imports another in a circle", () => {
  const imports = new Map(files.map((file) => [file, readImports(file)]));
  expect([...imports.values()].flat().length).toBeGreaterThan(1_000);
  expect(findCircles(imports)).toEqual([]);
  expect(
    findCircles(
      new Map([
        ["a", ["b"]],
        ["b", ["c"]],
        ["c", ["b"]],
        ["d", []],
      ]),
    ),
  ).toEqual(["a", "b", "c"]);
});
