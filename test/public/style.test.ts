import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const STYLE = join(import.meta.dirname, "../../public/style");
const CHART = "chart.css";

function toSelectors(css: string): { selector: string; classes: string[] }[] {
  const heads = css.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/([^{}]+)\{/g);
  return [...heads]
    .flatMap(([, head = ""]) => (head.trim().startsWith("@") ? [] : head.split(",")))
    .map((selector) => ({ selector, classes: selector.match(/(?<=\.)[a-z][\w-]*/g) ?? [] }));
}

it("the style sheets of pages reach no other page: a sheet stays when its page is left", async () => {
  const names = await readdir(STYLE);
  const sheets = new Map<string, ReturnType<typeof toSelectors>>();
  for (const name of names)
    sheets.set(name, toSelectors(await readFile(join(STYLE, name), "utf8")));
  const isOfSeveral = (of: string) =>
    [...sheets.values()].filter((selectors) =>
      selectors.some(({ classes }) => classes.includes(of)),
    ).length > 1;

  const main = await readFile(join(STYLE, "../main.tsx"), "utf8");
  const ofPages = names.filter((name) => !main.includes(`./style/${name}`) && name !== CHART);
  expect(ofPages.length).toBeGreaterThan(5);
  for (const name of ofPages) {
    const selectors = sheets.get(name)!;
    expect(selectors.length).toBeGreaterThan(0);
    const reaching = selectors.filter(({ classes }) => classes.every(isOfSeveral));
    expect(reaching, name).toEqual([]);
  }
});
