import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const ROOT = new URL("../../../", import.meta.url);

/** What shows that a directory has something for it. */
const SIGNS: Readonly<Record<string, string>> = {
  npm: "package-lock.json",
  "github-actions": ".github/workflows/ci.yml",
  docker: "Dockerfile",
  "docker-compose": "compose.yaml",
};

const { updates } = parse(readFileSync(new URL(".github/dependabot.yml", ROOT), "utf8")) as {
  updates: { "package-ecosystem": string; directory: string; cooldown?: { "default-days": number }; groups?: object }[];
};

describe("updates of dependencies", () => {
  it("are looked for wherever there are some", () => {
    expect(updates.map((update) => update["package-ecosystem"]).toSorted()).toEqual(Object.keys(SIGNS).toSorted());
    const isThere = ({ "package-ecosystem": kind, directory }: (typeof updates)[number]) =>
      existsSync(new URL(`.${directory.replace(/\/$/, "")}/${SIGNS[kind] ?? ""}`, ROOT));
    expect(updates.filter((update) => !isThere(update))).toEqual([]);
  });

  it("come together, and not on the day of their release", () => {
    expect(updates.filter(({ groups }) => groups === undefined)).toEqual([]);
    expect(updates.map(({ cooldown }) => cooldown?.["default-days"])).toEqual(updates.map(() => 7));
  });
});
