import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { OPERATIONS, type Operation } from "../../generator/contract/operations.ts";
import { ERROR_CODES, errorSchema, type ErrorCode } from "../../generator/contract/errors.ts";
import { API_VERSION, openApiDocument } from "../../generator/contract/openapi.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { createSchemaCheck } from "../proxy/fuzz/json-schema.ts";

const reference = z.object({ $ref: z.string() });
const response = z.object({
  headers: z.record(z.string(), reference),
  content: z
    .record(z.string(), z.object({ schema: z.unknown(), examples: z.record(z.string(), z.unknown()).optional() }))
    .optional(),
});
const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(reference),
  responses: z.record(z.string(), z.union([reference, response])),
});
const jsonSchema = z.object({
  type: z.string(),
  default: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  pattern: z.string().optional(),
});
const openApi = z.object({
  openapi: z.string(),
  info: z.object({ version: z.string() }),
  servers: z.array(z.object({ url: z.string(), description: z.string() })),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.object({ get: operation })),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    parameters: z.record(
      z.string(),
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean(),
        description: z.string(),
        schema: jsonSchema,
        example: z.unknown(),
      }),
    ),
    headers: z.record(z.string(), z.object({ description: z.string(), schema: jsonSchema, example: z.unknown() })),
    examples: z.record(z.string(), z.object({ value: z.unknown() })),
  }),
});

const whole = openApiDocument();
const document = openApi.parse(whole);
const operations = Object.entries(document.paths).map(([path, { get }]) => ({
  path,
  ...get,
  responses: Object.entries(get.responses).map(([status, described]) => ({
    status: Number(status),
    ...response.parse("$ref" in described ? lookUp(described.$ref.slice(1)) : described),
  })),
}));
const ENDPOINT_LIST: readonly Operation[] = Object.values(OPERATIONS);
const LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
];
/** Any path can answer these, whatever it serves. */
const ANYWHERE: readonly ErrorCode[] = [
  "bad_request",
  "method_not_allowed",
  "request_timeout",
  "precondition_failed",
  "uri_too_long",
  "headers_too_large",
  "internal_error",
];

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    expect(document.openapi).toBe("3.1.1");
    expect(await new Validator().validate(openApiDocument())).toEqual({ valid: true });
  });

  it("is checked by a validator that does find faults", async () => {
    const faulty = { ...openApiDocument(), paths: { "/x": { get: { responses: { 200: {} } } } } };
    expect(await new Validator().validate(faulty)).toMatchObject({ valid: false });
  });

  it("has the same bytes every time", () => {
    expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(openApiDocument()));
  });

  it("names the server it is told, else the host that serves it", () => {
    expect(document.servers).toEqual([{ url: "/", description: "The host that serves this description." }]);
    expect(openApiDocument({ serverUrl: "https://api.example" })).toMatchObject({
      servers: [{ url: "https://api.example" }],
    });
  });

  it("has the version of the newest entry in the changelog of the API", async () => {
    const changelog = await readFile(new URL("../../CHANGELOG_API.md", import.meta.url), "utf8");
    expect(/^## v(\S+)/m.exec(changelog)?.[1]).toBe(API_VERSION);
    expect(document.info.version).toBe(API_VERSION);
  });

  it("describes all endpoints in the order of reading, tag by tag", () => {
    expect(operations.map(({ path }) => path)).toEqual([
      "/api/v1/events",
      "/api/v1/epochs/{epoch}/events",
      "/api/v1/validators/{votePubkey}/events",
      "/feeds/{network}/{feed}.atom",
      "/feeds/{network}/{feed}.json",
      "/feeds/{network}/validators/{votePubkey}.atom",
      "/feeds/{network}/validators/{votePubkey}.json",
      "/api/v1/validators",
      "/api/v1/search",
      "/api/v1/validators/{votePubkey}",
      "/api/v1/validators/{votePubkey}/commission-history",
      "/api/v1/validators/{votePubkey}/stake-history",
      "/api/v1/validators/{votePubkey}/uptime",
      "/api/v1/validators/{votePubkey}/location",
      "/api/v1/stats/rugs-per-epoch",
      "/api/v1/stats/stake-concentration",
      "/api/v1/exports",
      "/exports/{network}/events.csv",
      "/exports/{network}/events.parquet",
      "/exports/{network}/history/{epoch}.csv",
      "/exports/{network}/history/{epoch}.parquet",
      "/api/v1/epoch",
      "/api/v1/status",
      "/api/v1/openapi.json",
    ]);
    expect([...new Set(operations.flatMap(({ tags }) => tags))]).toEqual(document.tags.map(({ name }) => name));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it("points only at what is there, and has nothing that is not pointed at", () => {
    const pointers = [...JSON.stringify(whole).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer = ""]) => pointer);
    const missing = pointers.filter((pointer) => lookUp(pointer) === undefined);
    expect(missing).toEqual([]);
    expect(pointers.length).toBeGreaterThan(200);
    const schemas = Object.keys(document.components.schemas).map((name) => `/components/schemas/${name}`);
    expect(schemas.filter((pointer) => !pointers.includes(pointer))).toEqual([]);
  });

  it("leaves every object open: clients must tolerate fields that are added", () => {
    expect(JSON.stringify(whole)).not.toContain("additionalProperties");
  });

  it("says of every field and every schema what it is", () => {
    const { schemas } = document.components;
    const fields = fieldsOf(whole);
    expect(fields.length).toBeGreaterThan(150);
    const undescribed = [...Object.entries(schemas), ...fields].filter(([, schema]) => !isDescribed(schema));
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });

  it("has an example of every parameter and every header, which fits its schema", () => {
    const { parameters, headers } = document.components;
    const findMisfits = createSchemaCheck(whole);
    for (const [kind, described] of Object.entries({ parameters, headers })) {
      for (const [name, { example }] of Object.entries(described))
        expect([name, findMisfits(["components", kind, name, "schema"], example)]).toEqual([name, []]);
    }
  });
});

describe("a documented parameter", () => {
  it.each(Object.entries(PARAMETERS))("has the bounds and the default of the table: %s", (key, row) => {
    const documented = document.components.parameters[key];
    expect(documented).toMatchObject({ name: row.name, in: row.in, required: "required" in row });
    const { schema: json } = documented!;
    expect(json.default).toBe("default" in row ? row.default : undefined);
    expect(json.enum).toEqual("values" in row ? [...row.values] : undefined);
    if ("min" in row) {
      const bounds = json.type === "string" ? [json.minLength, json.maxLength] : [json.minimum, json.maximum];
      expect(bounds).toEqual([row.min, "max" in row ? row.max : undefined]);
    }
  });

  it("that is searched for needs two characters between the blanks around it, as the proxy counts them", () => {
    const { pattern = "" } = document.components.parameters["q"]!.schema;
    const pieces = ["a", "🦀", " ", "\v", "\u001c", "\u0085", "\u200b", "\u2028", "\u3000", "\ufeff"];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((some) => some.join(""));
    const isAccepted = (text: string) => PARAMETERS.q.schema.safeParse(text).success;
    fc.assert(fc.property(texts, (text) => new RegExp(pattern, "u").test(text) === isAccepted(text)));
  });

  it.each(operations)("stands in the path where it belongs there: $path", ({ path, parameters }) => {
    const inPath = parameters
      .map(({ $ref }) => document.components.parameters[$ref.split("/").at(-1)!]!)
      .filter((parameter) => parameter.in === "path");
    expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  });
});

describe("a documented response", () => {
  it.each(ENDPOINT_LIST)("has the statuses of its error codes beside 200 and 304: $operationId", (endpoint) => {
    const { responses } = operations.find(({ operationId }) => operationId === endpoint.operationId)!;
    const statuses = new Set([200, 304, ...[...endpoint.errors, ...ANYWHERE].map((code) => ERROR_CODES[code])]);
    expect(responses.map(({ status }) => status)).toEqual([...statuses].toSorted((a, b) => a - b));
  });

  it.each(operations)("carries its headers: $operationId", ({ operationId, responses }) => {
    const { cache } = ENDPOINT_LIST.find((endpoint) => endpoint.operationId === operationId)!;
    for (const { status, headers } of responses) {
      const names = ["Access-Control-Allow-Origin", "Cache-Control", ...LIMIT_HEADERS];
      if (status < 400) names.push("ETag", "Age", "X-Data-Stale", "Vary");
      if (status === 200) names.push("Content-Encoding");
      if (status === 405) names.push("Allow");
      if (status === 429 || status === 503) names.push("Retry-After");
      expect([status, Object.keys(headers).toSorted()]).toEqual([status, names.toSorted()]);
      const cacheControl = lookUp(headers["Cache-Control"]!.$ref.slice(1));
      expect(cacheControl).toMatchObject({ example: CACHE_CLASSES[status < 400 ? cache : "error"] });
    }
  });

  it("of an error has an example of each of the operation's codes, and each is a valid error body", () => {
    for (const { operationId, responses } of operations) {
      const { errors } = ENDPOINT_LIST.find((endpoint) => endpoint.operationId === operationId)!;
      const shown = responses
        .filter(({ status }) => status >= 400)
        .flatMap(({ status, content }) => {
          const examples = Object.entries(content?.["application/json"]?.examples ?? {});
          return examples.map(([code, example]) => [status, code, reference.parse(example).$ref] as const);
        });
      for (const [status, code, pointer] of shown) {
        const { value } = lookUp(pointer.slice(1)) as { value: unknown };
        expect(errorSchema.parse(value).error.code).toBe(code);
        expect(ERROR_CODES[code as ErrorCode]).toBe(status);
      }
      const codes = shown.map(([, code]) => code);
      expect([operationId, codes.toSorted()]).toEqual([operationId, [...errors, ...ANYWHERE].toSorted()]);
    }
    expect(Object.keys(document.components.examples).toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
  });
});

/** Every property of every schema in a document, with the way to it. What is an example is no schema. */
function fieldsOf(node: unknown, way = ""): [way: string, schema: unknown][] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === "examples" || key === "example") return [];
    const own = key === "properties" ? Object.entries(value as Record<string, unknown>) : [];
    const named = own.map(([name, field]): [string, unknown] => [`${way}/${name}`, field]);
    return [...named, ...fieldsOf(value, `${way}/${key}`)];
  });
}

/** Whether a schema says what it is: itself, or that which it points at. */
function isDescribed(schema: unknown): boolean {
  const { description = "", $ref } = schema as { description?: string; $ref?: string };
  return description !== "" || ($ref !== undefined && isDescribed(lookUp($ref.slice(1))));
}

/** What lies at a JSON pointer of the document; undefined: nothing. */
function lookUp(pointer: string): unknown {
  const steps = pointer.split("/").slice(1);
  return steps.reduce<unknown>((place, step) => (place as Record<string, unknown> | undefined)?.[step], whole);
}
