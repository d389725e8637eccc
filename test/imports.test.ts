import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const files = new Set(
  globSync("{generator,proxy,infra,public,test}/**/*.{ts,tsx}", {
    cwd: ROOT,
    exclude: ["**/dist/**", "**/node_modules/**", "**/cdk.out/**"],
  }),
);

/**
 * What a file imports of ours, when it is asked for too, and types:
 * a type that is declared above its user ties two files as well.
 */
function readImports(file: string): string[] {
  return findSpecifiers(readFileSync(join(ROOT, file), "utf8"))
    .map((path) => join(dirname(file), path))
    .filter((path) => files.has(path));
}

function findSpecifiers(text: string): string[] {
  const found = text.matchAll(
    /(?:^import\s+|^(?:import|export)\s[^;]*?from\s+|\bimport\(\s*)"(\.[^"]+)"/gms,
  );
  return Array.from(found, ([, path = ""]) => path);
}

/**
 * What is left when, again and again, each file goes that
 * imports none of those left: circles, and who imports them.
 */
function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(imports);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const [file, of] of left) if (!of.some((path) => left.has(path))) left.delete(file);
  }
  return [...left.keys()];
}

const imports = new Map([...files].map((file) => [file, readImports(file)]));

it("no file imports another in a circle", () => {
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

it("no folder of the proxy imports another in a circle", () => {
  const inProxy = [...imports].filter(([file]) => file.startsWith("proxy/"));
  const places = Map.groupBy(inProxy, ([file]) => placeOf(file));
  const reached = [...places].map(([place, own]): [string, string[]] => {
    const others = own
      .flatMap(([, paths]) => paths.map(placeOf))
      .filter((other) => other !== place);
    return [place, others];
  });
  expect(places.size).toBeGreaterThan(10);
  expect(findCircles(new Map(reached))).toEqual([]);
});

/** Its folder; a file at the proxy's root is a place of its own. */
function placeOf(file: string): string {
  return dirname(file) === "proxy" ? file : dirname(file);
}

it("what a file exports, another file names", () => {
  const texts = [...files].map((file) => [file, readFileSync(join(ROOT, file), "utf8")] as const);
  const naming = new Map<string, number>();
  for (const [, text] of texts)
    for (const word of new Set(text.match(/\w+/g))) naming.set(word, (naming.get(word) ?? 0) + 1);
  const exported = texts.flatMap(([, text]) => findExportedNames(text));
  expect(exported.length).toBeGreaterThan(1_000);
  expect(exported.filter((name) => naming.get(name) === 1)).toEqual([]);
});

function findExportedNames(text: string): string[] {
  return Array.from(
    text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm),
    ([, name = ""]) => name,
  );
}

it("an import counts in whatever form", () => {
  const text = `import "./effect.ts";
import {
  name,
} from "./name.ts";
export { passed } from "./passed.ts";
const late = await import("./late.ts");
type Thing = import("./type.ts").Thing;
`;
  expect(findSpecifiers(text)).toEqual([
    "./effect.ts",
    "./name.ts",
    "./passed.ts",
    "./late.ts",
    "./type.ts",
  ]);
});
