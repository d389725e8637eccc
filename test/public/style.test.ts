import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const STYLE = join(import.meta.dirname, "../../public/style");
/** Imported by parts that several pages show. */
const OF_PARTS = ["chart.css"];

async function read(name: string): Promise<string> {
  return readFile(join(STYLE, name), "utf8");
}

/** The sheets of single pages: all that neither every page nor a shared part brings along. */
async function findPageSheets(): Promise<string[]> {
  const main = await readFile(join(STYLE, "../main.tsx"), "utf8");
  const names = await readdir(STYLE);
  return names.filter((name) => !main.includes(`./style/${name}`) && !OF_PARTS.includes(name));
}

function toSelectors(css: string): string[] {
  const heads = css.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/([^{}]+)\{/g);
  return [...heads]
    .map(([, head = ""]) => head.trim())
    .filter((head) => !head.startsWith("@"))
    .flatMap((head) => head.split(",").map((selector) => selector.trim()));
}

function toClasses(selector: string): string[] {
  return [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = ""]) => name);
}

describe("the style sheets of pages", () => {
  it("reach no other page: a sheet stays when its page is left", async () => {
    const names = await readdir(STYLE);
    const owners = new Map<string, Set<string>>();
    for (const name of names)
      for (const of of toSelectors(await read(name)).flatMap(toClasses))
        owners.set(of, (owners.get(of) ?? new Set()).add(name));
    const sheets = await findPageSheets();
    expect(sheets.length).toBeGreaterThan(5);
    for (const name of sheets) {
      const selectors = toSelectors(await read(name));
      expect(selectors.length).toBeGreaterThan(0);
      const reaching = selectors.filter((selector) => toClasses(selector).every((of) => owners.get(of)!.size > 1));
      expect({ name, reaching }).toEqual({ name, reaching: [] });
    }
  });
});
