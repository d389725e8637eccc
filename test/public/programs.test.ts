import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { toFiles } from "../../public/vite-programs.config.ts";

const SITE = "https://rugwatch.example";
const REPOSITORY = "https://forge.example/rugwatch";
const OPTIONS = {
  siteUrl: SITE,
  repositoryUrl: REPOSITORY,
  contact: null,
  builtAt: Date.UTC(2026, 10, 28, 3),
};

describe("the site's files for programs", () => {
  it("name the API, its description, reference and status in a catalog, by whole addresses", async () => {
    const { "/.well-known/api-catalog": text = "" } = await toFiles(OPTIONS);
    expect(JSON.parse(text)).toEqual({
      linkset: [
        {
          anchor: `${SITE}/api/v1`,
          "service-desc": [{ href: `${SITE}/api/v1/openapi.json`, type: "application/json" }],
          "service-doc": [{ href: `${SITE}/api`, type: "text/html" }],
          status: [{ href: `${SITE}/api/v1/status`, type: "application/json" }],
        },
      ],
    });
  });

  it("name every operation for language models, in the shape that they expect", async () => {
    const { "/llms.txt": text = "" } = await toFiles(OPTIONS);
    const [title, summary, ...sections] = text.split("\n\n");
    expect(title).toBe("# Rugwatch");
    expect(summary).toMatch(/^> \S/);
    expect(sections.filter((line) => line.startsWith("#"))).toEqual([
      "## Description",
      "## Answers",
      "## Optional",
    ]);
    expect(Object.values(OPERATIONS).filter(({ path }) => !text.includes(path))).toEqual([]);
    for (const [, address = ""] of text.matchAll(/\]\((.*?)\)/g))
      expect(new URL(address).origin).toBe(SITE);
  });

  it("say whom to tell of a vulnerability, until a day that the build decides", async () => {
    const { "/.well-known/security.txt": text } = await toFiles(OPTIONS);
    expect(text?.split("\n")).toEqual([
      `Contact: ${REPOSITORY}/security/advisories/new`,
      "Expires: 2027-11-23T00:00:00Z",
      "Preferred-Languages: en",
      `Policy: ${REPOSITORY}/security/policy`,
      `Canonical: ${SITE}/.well-known/security.txt`,
      "",
    ]);
  });

  it("say whom else to tell, where there is no repository", async () => {
    const contact = "mailto:you@rugwatch.example";
    const { "/.well-known/security.txt": text } = await toFiles({
      ...OPTIONS,
      repositoryUrl: null,
      contact,
    });
    expect(text).toContain(`Contact: ${contact}\n`);
    expect(text).not.toMatch(/Policy|null/);
  });

  it("have no address of a site that is not known", async () => {
    const files = await toFiles({ ...OPTIONS, siteUrl: null });
    expect(files["/llms.txt"]).toContain("(/api/v1/openapi.json)");
    expect(files["/.well-known/api-catalog"]).toContain('"/api/v1"');
    const { "/.well-known/security.txt": text } = await toFiles({ ...OPTIONS, siteUrl: null });
    expect(text).not.toContain("Canonical");
  });
});
