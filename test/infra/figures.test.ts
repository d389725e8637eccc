import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { read, ROOT } from "./_files.ts";
import { FIGURES } from "./figures.ts";

const UNIT =
  "(?:%|ms|s|KB|MB|GB|seconds?|minutes?|hours?|days|years?|months?|calls|requests|connections|objects|bytes|characters|cores)";
const FIGURE = new RegExp(String.raw`(?<![\w./-])(?:\$\d[\d,.]*|\d[\d,]*(?:\.\d+)?[ -]?${UNIT}(?!\w))`, "g");

const BENCHES = read("test/bench/main.ts");

it("every guide is looked at", () => {
  const guides = globSync("{,*/}*.md", { cwd: ROOT, exclude: ["node_modules"] });
  expect(Object.keys(FIGURES).toSorted()).toEqual(guides.toSorted());
});

describe.each(Object.entries(FIGURES))("the figures of %s", (document, grounds) => {
  const text = read(document).replaceAll(/\s+/g, " ");

  it("each have a ground", () => {
    const rest = Object.keys(grounds).reduce((left, said) => left.replaceAll(said, "…"), text);
    const groundless = [...rest.matchAll(FIGURE)];
    expect(groundless.map(({ index }) => rest.slice(Math.max(index - 30, 0), index + 30))).toEqual([]);
  });

  it.each(Object.entries(grounds))("%s", (said, ground) => {
    expect(text.includes(said)).toBe(true);
    if ("file" in ground) for (const words of ground.has) expect(read(ground.file)).toContain(words);
    if ("bench" in ground) expect(BENCHES).toMatch(new RegExp(String.raw`^  "?${ground.bench}"?: "`, "m"));
    if ("because" in ground) expect(ground.because).not.toBe("");
  });
});
