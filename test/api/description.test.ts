import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentOf } from "../../generator/contract/objects.ts";
import { openApiDocument } from "../../generator/contract/openapi.ts";
import { findExample, toExampleTarget } from "../../generator/contract/openapi-operations.ts";
import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { createSchemaCheck } from "../proxy/fuzz/json-schema.ts";
import { openExampleNetwork } from "./_example-network.ts";

const EXAMPLES_FILE = "../../generator/contract/openapi-examples.json";
/** It is served compressed: what a client fetches once, and what a reader's memory holds. */
const SERVED_MAX_BYTES = 320_000;
const COMPRESSED_MAX_BYTES = 50_000;
/** Of a feed, in either form: one entry shows what all look like. */
const FEED_ENTRIES = 1;
/** Of a list of events, transactions or accounts one shows what all look like. */
const ONE = 1;
/** Of each ranking of stake. */
const LARGEST = 2;
const SHOWN_BY_ONE: readonly string[] = [
  OPERATIONS.events.operationId,
  OPERATIONS.epochEvents.operationId,
  OPERATIONS.validatorEvents.operationId,
  OPERATIONS.validatorTransactions.operationId,
  OPERATIONS.wallet.operationId,
];
const ALL: readonly Operation[] = Object.values(OPERATIONS);

let network: Awaited<ReturnType<typeof openExampleNetwork>>;
beforeAll(async () => {
  network = await openExampleNetwork();
});
afterAll(() => network.close());

const EXAMPLE_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

describe("the examples of the API's description", () => {
  const findMisfits = createSchemaCheck(openApiDocument());

  // Written anew by `npm test -- test/api/description.test.ts --update`.
  it("are what the API answers over the example network", async () => {
    const answers: Record<string, unknown> = {};
    for (const operation of ALL) {
      const response = await fetch(`${network.url}${toExampleTarget(operation)}`);
      expect([operation.operationId, response.status]).toEqual([operation.operationId, 200]);
      const example = await readExample(operation, response);
      if (example !== null) answers[operation.operationId] = example;
    }
    await expect(`${JSON.stringify(answers, null, 2)}\n`).toMatchFileSnapshot(EXAMPLES_FILE);
  });

  it.each(ALL.filter(isText))("fit the schema beside them: $operationId", (operation) => {
    const example = findExample(operation);
    expect(example).not.toBeNull();
    const [mediaType = ""] = (operation.contentType ?? "application/json").split(";");
    const place = [
      "paths",
      operation.path,
      "get",
      "responses",
      "200",
      "content",
      mediaType,
      "schema",
    ];
    expect(findMisfits(place, example?.value)).toEqual([]);
  });

  it.each(ALL)("show something of a list: $operationId", (operation) => {
    const { data, items } = (findExample(operation)?.value ?? {}) as {
      data?: unknown;
      items?: unknown;
    };
    expect(data ?? items).not.toEqual([]);
  });

  it("leave the description small enough to be read at once", () => {
    const served = JSON.stringify(openApiDocument());
    expect(Buffer.byteLength(served)).toBeLessThan(SERVED_MAX_BYTES);
    expect(gzipSync(served).byteLength).toBeLessThan(COMPRESSED_MAX_BYTES);
  });
});

/** Of a table the head and the first rows are an example. */
const TABLE_LINES = 5;

/** What is shown of an answer: all of it, if it is a text that is no table. */
async function readExample(operation: Operation, response: Response): Promise<unknown> {
  if (!isText(operation)) return null;
  const text = await response.text();
  if (operation.contentType?.startsWith("text/csv") === true)
    return text
      .split(/(?<=\n)/)
      .slice(0, TABLE_LINES)
      .join("");
  if (!response.headers.get("content-type")?.includes("json"))
    return text.replace(/(?<=<\/entry>).*<\/entry>/s, "");
  const body = JSON.parse(text) as Record<string, unknown>;
  if (Array.isArray(body["items"])) return { ...body, items: body["items"].slice(0, FEED_ENTRIES) };
  // Of the validators in it one is an example.
  if (operation.operationId === OPERATIONS.rugsPerEpoch.operationId) {
    const { standing, keeping } = (body as unknown as DocumentOf<"rugsPerEpoch">).meta;
    standing.worst.splice(ONE);
    keeping.most.splice(ONE);
  }
  if (operation.operationId === OPERATIONS.stakeConcentration.operationId)
    for (const ranking of Object.values(body["data"] as object))
      if (Array.isArray(ranking)) ranking.splice(LARGEST);
  if (operation.operationId === OPERATIONS.events.operationId)
    (body as unknown as DocumentOf<"events">).meta.validators.splice(ONE);
  if (SHOWN_BY_ONE.includes(operation.operationId)) (body as { data: unknown[] }).data.splice(ONE);
  // Entries name endpoints with their ports, which are others each time.
  if (operation.operationId === OPERATIONS.status.operationId)
    Object.assign((body as unknown as DocumentOf<"status">).data.journal ?? {}, {
      hash: EXAMPLE_HASH,
    });
  return operation.operationId === OPERATIONS.openapi.operationId ? withoutPaths(body) : body;
}

/** The description cannot hold itself. */
function withoutPaths(body: Record<string, unknown>): unknown {
  const { title, version } = body["info"] as Record<string, unknown>;
  return { openapi: body["openapi"], info: { title, version }, paths: {} };
}

function isText({ contentType = "application/json" }: Operation): boolean {
  return /json|xml|^text\//.test(contentType);
}
