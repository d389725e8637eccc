import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { openApiDocument } from "../../generator/contract/openapi.ts";

it("the OpenAPI document has no fault by Redocly's strict rules, none of which is switched off", async () => {
  expect(await lint(openApiDocument())).toEqual([]);
});

it("a document with faults has them told", async () => {
  const unsecured = { ...openApiDocument(), security: undefined };
  expect(await lint(unsecured)).toContainEqual(expect.stringMatching(/^security-defined: /));
  const misspelt = JSON.parse(JSON.stringify(openApiDocument()).replace('"mainnet"', '"mainet"')) as object;
  expect(await lint(misspelt)).not.toEqual([]);
});

/** What Redocly finds, a line each, with the place it is at. */
async function lint(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? "?"}`);
}
