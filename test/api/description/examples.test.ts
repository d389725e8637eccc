import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OPERATIONS, type Operation } from "../../../generator/contract/operations.ts";
import { openApiDocument } from "../../../generator/contract/openapi.ts";
import { findExample, toExampleTarget } from "../../../generator/contract/openapi-operations.ts";
import { createSchemaCheck } from "../../proxy/fuzz/json-schema.ts";
import { openExampleNetwork, type ExampleNetwork } from "./_example-network.ts";

const EXAMPLES_FILE = "../../../generator/contract/openapi-examples.json";
const SERVED_MAX_BYTES = 200_000;
const ENDPOINT_LIST: readonly Operation[] = Object.values(OPERATIONS);

describe("the examples of the API's description", () => {
  let network: ExampleNetwork;
  beforeAll(async () => {
    network = await openExampleNetwork();
  });
  afterAll(() => network.close());

  // Written anew by `npm test -- test/api/description/examples.test.ts --update`.
  it("are what the API answers over the example network", async () => {
    const answers: Record<string, unknown> = {};
    for (const endpoint of ENDPOINT_LIST) {
      const response = await fetch(`${network.url}${toExampleTarget(endpoint)}`);
      expect([endpoint.operationId, response.status]).toEqual([endpoint.operationId, 200]);
      const example = await readExample(endpoint, response);
      if (example !== null) answers[endpoint.operationId] = example;
    }
    await expect(`${JSON.stringify(answers, null, 2)}\n`).toMatchFileSnapshot(EXAMPLES_FILE);
  });

  it.each(ENDPOINT_LIST.filter(isText))("fit the schema beside them: $operationId", (endpoint) => {
    const example = findExample(endpoint);
    expect(example).not.toBeNull();
    const [mediaType = ""] = (endpoint.contentType ?? "application/json").split(";");
    const place = ["paths", endpoint.path, "get", "responses", "200", "content", mediaType, "schema"];
    expect(createSchemaCheck(openApiDocument())(place, example?.value)).toEqual([]);
  });

  it("show something of every list", () => {
    for (const { operationId, value } of ENDPOINT_LIST.map((endpoint) => ({ ...endpoint, ...findExample(endpoint) }))) {
      const { data, items } = (value ?? {}) as { data?: unknown; items?: unknown };
      expect([operationId, data ?? items]).not.toEqual([operationId, []]);
    }
  });

  it("leave the description small enough to be read at once", () => {
    expect(Buffer.byteLength(JSON.stringify(openApiDocument()))).toBeLessThan(SERVED_MAX_BYTES);
  });
});

/** Of a table the head and the first rows are an example. */
const TABLE_LINES = 5;

/** What is shown of an answer: all of it, if it is a text that is no table. */
async function readExample(endpoint: Operation, response: Response): Promise<unknown> {
  if (!isText(endpoint)) return null;
  const text = await response.text();
  if (endpoint.contentType?.startsWith("text/csv") === true)
    return text
      .split(/(?<=\n)/)
      .slice(0, TABLE_LINES)
      .join("");
  if (!response.headers.get("content-type")?.includes("json")) return text;
  const body = JSON.parse(text) as Record<string, unknown>;
  return endpoint.operationId === OPERATIONS.openapi.operationId ? withoutPaths(body) : body;
}

/** The description cannot hold itself. */
function withoutPaths(body: Record<string, unknown>): unknown {
  const { title, version } = body["info"] as Record<string, unknown>;
  return { openapi: body["openapi"], info: { title, version }, paths: {} };
}

function isText({ contentType = "application/json" }: Operation): boolean {
  return /json|xml|^text\//.test(contentType);
}
