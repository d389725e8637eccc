import { readFile } from "node:fs/promises";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { ERROR_CODES, errorSchema, type ErrorCode } from "../../generator/contract/errors.ts";
import { API_VERSION, openApiDocument } from "../../generator/contract/openapi.ts";
import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS, type Parameter } from "../../generator/contract/parameters.ts";
import { createSchemaCheck } from "../proxy/fuzz/json-schema.ts";

const reference = z.object({ $ref: z.string() });
const response = z.object({
  headers: z.record(z.string(), reference),
  content: z
    .record(z.string(), z.object({ examples: z.record(z.string(), z.unknown()).optional() }))
    .optional(),
});
const example = z.object({
  schema: z.looseObject({ pattern: z.string().optional() }),
  style: z.string().optional(),
  explode: z.boolean().optional(),
  example: z.unknown(),
});
const openApi = z.object({
  info: z.object({ version: z.string() }),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(
    z.string(),
    z.object({
      get: z.object({
        operationId: z.string(),
        tags: z.array(z.string()),
        parameters: z.array(reference),
        responses: z.record(z.string(), z.union([reference, response])),
      }),
    }),
  ),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    parameters: z.record(
      z.string(),
      example.extend({ name: z.string(), in: z.string(), required: z.boolean() }),
    ),
    headers: z.record(z.string(), example),
    examples: z.record(z.string(), z.unknown()),
  }),
});

const whole = openApiDocument();
const document = openApi.parse(whole);
const documented = Object.entries(document.paths).map(([path, { get }]) => ({ path, ...get }));
const { parameters, headers, schemas, examples } = document.components;

/** What lies at a JSON pointer of the document; undefined: nothing. */
function lookUp(pointer: string): unknown {
  const steps = pointer.split("/").slice(1);
  return steps.reduce<unknown>(
    (place, step) => (place as Record<string, unknown> | undefined)?.[step],
    whole,
  );
}

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1, by a validator that does find faults", async () => {
    expect(whole).toMatchObject({ openapi: "3.1.1" });
    expect(await new Validator().validate(openApiDocument())).toEqual({ valid: true });
    const faulty = { ...openApiDocument(), paths: { "/x": { get: { responses: { 200: {} } } } } };
    expect(await new Validator().validate(faulty)).toMatchObject({ valid: false });
  });

  it("has no fault by Redocly's strict rules, none of which is switched off, and others are told", async () => {
    expect(await lint(whole)).toEqual([]);
    expect(await lint({ ...whole, security: undefined })).toContain("security-defined");
    expect(
      await lint(JSON.parse(JSON.stringify(whole).replace('"page":1', '"page":0')) as object),
    ).not.toEqual([]);
  });

  it("names the server it is told, else the host that serves it", () => {
    expect(whole).toMatchObject({
      servers: [{ url: "/", description: "The host that serves this description." }],
    });
    const serverUrl = "https://api.example";
    expect(openApiDocument({ serverUrl })).toMatchObject({ servers: [{ url: serverUrl }] });
  });

  it("has the version of the newest entry in the changelog of the API", async () => {
    const changelog = await readFile(new URL("../../CHANGELOG_API.md", import.meta.url), "utf8");
    expect([/^## v(\S+)/m.exec(changelog)?.[1], document.info.version]).toEqual([
      API_VERSION,
      API_VERSION,
    ]);
  });

  it("has its endpoints tag by tag, each under an id of its own", () => {
    expect([...new Set(documented.flatMap(({ tags }) => tags))]).toEqual(
      document.tags.map(({ name }) => name),
    );
    expect(new Set(documented.map(({ operationId }) => operationId)).size).toBe(documented.length);
  });

  it("points only at what is there, and has nothing that is not pointed at", () => {
    const pointers = [...JSON.stringify(whole).matchAll(/"\$ref":"#([^"]+)"/g)].map(
      ([, pointer = ""]) => pointer,
    );
    expect(pointers.length).toBeGreaterThan(200);
    expect(pointers.filter((pointer) => lookUp(pointer) === undefined)).toEqual([]);
    expect(
      Object.keys(schemas).filter((name) => !pointers.includes(`/components/schemas/${name}`)),
    ).toEqual([]);
  });

  it("leaves every object open: clients must tolerate fields that are added", () => {
    expect(JSON.stringify(whole)).not.toContain("additionalProperties");
  });

  it("says of every field and every schema what it is", () => {
    const fields = fieldsOf(whole);
    expect(fields.length).toBeGreaterThan(150);
    const undescribed = [...Object.entries(schemas), ...fields].filter(
      ([, schema]) => !isDescribed(schema),
    );
    expect(undescribed.map(([name]) => name)).toEqual([]);
  });

  it("has an example of every parameter and every header, which fits its schema", () => {
    const findMisfits = createSchemaCheck(whole);
    for (const [kind, described] of Object.entries({ parameters, headers }))
      for (const [name, row] of Object.entries(described))
        expect([name, findMisfits(["components", kind, name, "schema"], row.example)]).toEqual([
          name,
          [],
        ]);
  });
});

async function lint(faulty: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({
    source: JSON.stringify(faulty),
    absoluteRef: "openapi.json",
    config,
  });
  return problems.map(({ ruleId }) => ruleId);
}

/**
 * Every property of every schema in a document, with
 * the way to it. What is an example is no schema.
 */
function fieldsOf(node: unknown, way = ""): [way: string, schema: unknown][] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
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

describe("a documented parameter", () => {
  it.each<[string, Parameter]>(Object.entries(PARAMETERS))(
    "has the bounds and the default of the table: %s",
    (key, row) => {
      const { min, max, values } = row;
      expect(parameters[key]).toMatchObject({
        name: row.name,
        in: row.in,
        required: row.required === true,
      });
      const { schema, style, explode } = parameters[key]!;
      const isList = row.listMax !== undefined;
      expect([style, explode]).toEqual(isList ? ["form", false] : [undefined, undefined]);
      expect(schema["maxItems"]).toBe(row.listMax);
      const { enum: choices } = isList ? (schema["items"] as { enum?: unknown }) : schema;
      expect([schema["default"], choices]).toEqual([row.default, values]);
      const [least, most] =
        schema["type"] === "string" ? ["minLength", "maxLength"] : ["minimum", "maximum"];
      if (min !== undefined) expect([schema[least], schema[most]]).toEqual([min, max]);
    },
  );

  it("that is searched for needs two characters between the blanks around it, as the proxy counts them", () => {
    const pattern = new RegExp(parameters["q"]!.schema.pattern ?? "", "u");
    const pieces = [
      "a",
      "🦀",
      " ",
      "\v",
      "\u001c",
      "\u0085",
      "\u200b",
      "\u2028",
      "\u3000",
      "\ufeff",
    ];
    const texts = fc
      .array(fc.constantFrom(...pieces), { maxLength: 5 })
      .map((some) => some.join(""));
    const isAccepted = (text: string) => PARAMETERS.q.schema.safeParse(text).success;
    fc.assert(fc.property(texts, (text) => pattern.test(text) === isAccepted(text)));
  });

  it.each(documented)(
    "stands in the path where it belongs there: $path",
    ({ path, parameters: references }) => {
      const named = references.map(({ $ref }) => parameters[$ref.split("/").at(-1)!]!);
      const inPath = named.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    },
  );
});

describe("the documented responses", () => {
  /** Any path can answer these, whatever it serves. */
  const ANYWHERE: readonly ErrorCode[] = [
    ...(["bad_request", "method_not_allowed", "request_timeout", "precondition_failed"] as const),
    ...(["uri_too_long", "headers_too_large", "internal_error"] as const),
  ];
  const ALWAYS = [
    ...["Access-Control-Allow-Origin", "Cache-Control", "RateLimit-Policy", "RateLimit"],
    ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    "X-Request-Id",
  ];
  const OWN: Record<number, string[]> = {
    200: ["ETag", "Last-Modified", "Age", "X-Data-Stale", "Vary", "Content-Encoding"],
    304: ["ETag", "Last-Modified", "Age", "X-Data-Stale", "Vary"],
    404: ["Age", "X-Data-Stale"],
    405: ["Allow"],
    429: ["Retry-After"],
    503: ["Retry-After"],
  };

  it.each<Operation>(Object.values(OPERATIONS))(
    "of $operationId: statuses, headers, an example of each error",
    (endpoint) => {
      const { responses } = documented.find(
        ({ operationId }) => operationId === endpoint.operationId,
      )!;
      const errors = [...endpoint.errors, ...ANYWHERE];
      const statuses = new Set([200, 304, ...errors.map((code) => ERROR_CODES[code])]);
      expect(Object.keys(responses).map(Number)).toEqual([...statuses].toSorted((a, b) => a - b));
      const shown: string[] = [];
      for (const [text, described] of Object.entries(responses)) {
        const status = Number(text);
        const answer = response.parse(
          "$ref" in described ? lookUp(described.$ref.slice(1)) : described,
        );
        expect([status, Object.keys(answer.headers).toSorted()]).toEqual([
          status,
          [...ALWAYS, ...(OWN[status] ?? [])].toSorted(),
        ]);
        const cacheControl = lookUp(answer.headers["Cache-Control"]!.$ref.slice(1));
        expect(cacheControl).toMatchObject({
          example: CACHE_CLASSES[status < 400 ? endpoint.cache : "error"],
        });
        if (status < 400) continue;
        for (const [code, pointer] of Object.entries(
          answer.content?.["application/json"]?.examples ?? {},
        )) {
          const { value } = lookUp(reference.parse(pointer).$ref.slice(1)) as { value: unknown };
          expect([errorSchema.parse(value).error.code, ERROR_CODES[code as ErrorCode]]).toEqual([
            code,
            status,
          ]);
          shown.push(code);
        }
      }
      expect(shown.toSorted()).toEqual(errors.toSorted());
    },
  );

  it("have an example of every error code, and of no other", () => {
    expect(Object.keys(examples).toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
  });
});
