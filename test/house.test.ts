import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../generator/contract/operations.ts";
import { variables as generatorVariables } from "../generator/settings/settings.ts";
import { variables as proxyVariables } from "../proxy/settings.ts";

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
const readme = read("README.md");
const manifest = JSON.parse(read("package.json")) as {
  engines: { node: string };
  dependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};

describe("the README", () => {
  it("shows every operation, by its path or a call of it", () => {
    const guide = readme + read("proxy/README.md");
    const shown = [...guide.matchAll(/(?:`|127\.0\.0\.1:8080)(\/[^\s`?]*)/g)].map(
      ([, path]) => path ?? "",
    );
    const isShown = (path: string) => {
      const pattern = new RegExp(
        `^${path.replace("/api/v1", "").replaceAll(/\{\w+\}/g, "[^/]+")}$`,
      );
      return shown.some((one) => pattern.test(one));
    };
    expect(Object.values(OPERATIONS).filter(({ path }) => !isShown(path))).toEqual([]);
  });

  it.each([
    ["generator", generatorVariables],
    ["proxy", proxyVariables],
  ])("of the %s explains every environment variable", (room, { shape }) => {
    const guide = read(`${room}/README.md`);
    expect(Object.keys(shape).filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("the packages", () => {
  it("name no address that they were downloaded from", () => {
    expect(read("package-lock.json")).not.toContain('"resolved"');
  });

  it("bring the Node of .nvmrc, which is newer than what is needed to install them", () => {
    const major = Number(read(".nvmrc"));
    expect(manifest.dependencies["node"]).toMatch(new RegExp(`^\\^${major}\\.`));
    expect(major).toBeGreaterThanOrEqual(Number(/^>=(\d+)$/.exec(manifest.engines.node)?.[1]));
    expect(manifest.allowScripts["node"]).toBe(true);
  });
});
