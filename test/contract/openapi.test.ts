import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { ENDPOINTS } from "../../generator/contract/endpoints.ts";
import { ERROR_CODES, errorSchema } from "../../generator/contract/errors.ts";
import { API_VERSION, openApiDocument } from "../../generator/contract/openapi.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";

const reference = z.object({ $ref: z.string() });
const response = z.object({
  headers: z.record(z.string(), z.unknown()),
  content: z
    .record(z.string(), z.object({ schema: z.unknown(), examples: z.record(z.string(), reference).optional() }))
    .optional(),
});
const refused = "#/components/responses/Refused";
const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(reference),
  // The refusals that all share are described once, and looked at apart from the others.
  responses: z
    .object({ "4XX": z.object({ $ref: z.literal(refused) }) })
    .catchall(response)
    .transform(withoutShared),
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
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.object({ get: operation })),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    parameters: z.record(
      z.string(),
      z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: jsonSchema }),
    ),
    examples: z.record(z.string(), z.object({ value: z.unknown() })),
  }),
});

const whole = openApiDocument();
const document = openApi.parse(whole);
const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, ...get }));

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
    expect(document.servers).toEqual([{ url: "/" }]);
    expect(openApiDocument({ serverUrl: "https://api.example" })).toMatchObject({
      servers: [{ url: "https://api.example" }],
    });
  });

  it("has the version of the newest entry in the changelog of the API", async () => {
    const changelog = await readFile(new URL("../../CHANGELOG_API.md", import.meta.url), "utf8");
    expect(/^## v(\S+)/m.exec(changelog)?.[1]).toBe(API_VERSION);
    expect(document.info.version).toBe(API_VERSION);
  });

  it("describes the thirteen endpoints, the status and itself", () => {
    expect(operations.map(({ path }) => path)).toEqual([
      "/api/v1/validators",
      "/api/v1/validators/{votePubkey}",
      "/api/v1/validators/{votePubkey}/events",
      "/api/v1/validators/{votePubkey}/commission-history",
      "/api/v1/validators/{votePubkey}/stake-history",
      "/api/v1/validators/{votePubkey}/uptime",
      "/api/v1/validators/{votePubkey}/location",
      "/api/v1/events",
      "/api/v1/epochs/{epoch}/events",
      "/api/v1/stats/rugs-per-epoch",
      "/api/v1/stats/stake-concentration",
      "/api/v1/epoch",
      "/api/v1/search",
      "/api/v1/status",
      "/api/v1/openapi.json",
    ]);
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

  it("uses only tags that it explains", () => {
    const tags = document.tags.map(({ name }) => name);
    expect(operations.flatMap((one) => one.tags).filter((tag) => !tags.includes(tag))).toEqual([]);
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
  it.each(Object.values(ENDPOINTS))(
    "has the statuses of its error codes beside 200 and 304: $operationId",
    (endpoint) => {
      const { responses } = operations.find(({ operationId }) => operationId === endpoint.operationId)!;
      const statuses = new Set([200, 304, ...endpoint.errors.map((code) => ERROR_CODES[code])]);
      expect(Object.keys(responses).map(Number)).toEqual([...statuses].toSorted((a, b) => a - b));
    },
  );

  it("for the progress of the epoch may be 429 or 503, and no other error of its own", () => {
    expect(Object.keys(document.paths["/api/v1/epoch"]!.get.responses)).toEqual(["200", "304", "429", "503"]);
  });

  it.each(operations)("carries its headers: $operationId", ({ operationId, responses }) => {
    const { cache } = Object.values(ENDPOINTS).find((endpoint) => endpoint.operationId === operationId)!;
    for (const [status, { headers }] of Object.entries(responses)) {
      const isError = Number(status) >= 400;
      const names = ["Cache-Control", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
      names.push("RateLimit", "RateLimit-Policy");
      if (!isError) names.push("ETag", "Age", "X-Data-Stale");
      if (status === "429" || status === "503") names.push("Retry-After");
      expect(Object.keys(headers).toSorted()).toEqual(names.toSorted());
      expect(headers["Cache-Control"]).toMatchObject({ example: CACHE_CLASSES[isError ? "error" : cache] });
    }
  });

  it("of a refused request is the same everywhere, and has examples of what every path can answer", () => {
    const { content, headers } = response.parse(lookUp(refused.slice(1)));
    const codes = Object.keys(content?.["application/json"]?.examples ?? {});
    expect(codes).toEqual([
      "bad_request",
      "method_not_allowed",
      "request_timeout",
      "precondition_failed",
      "uri_too_long",
      "headers_too_large",
    ]);
    const statuses = codes.map((code) => ERROR_CODES[code as keyof typeof ERROR_CODES]);
    expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
    expect(Object.keys(headers)).toEqual(["Cache-Control", "Allow"]);
  });

  it("of an error has an example of each code, and each is a valid error body", () => {
    for (const { responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        for (const [code, { $ref }] of Object.entries(content?.["application/json"]?.examples ?? {})) {
          const { value } = lookUp($ref.slice(1)) as { value: unknown };
          expect(errorSchema.parse(value).error.code).toBe(code);
          expect(ERROR_CODES[code as keyof typeof ERROR_CODES]).toBe(Number(status));
        }
      }
    }
    expect(Object.keys(document.components.examples).toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
  });
});

function withoutShared<Responses extends object>(responses: Responses) {
  return Object.fromEntries(Object.entries(responses).filter(([status]) => status !== "4XX")) as Omit<Responses, "4XX">;
}

/** What lies at a JSON pointer of the document; undefined: nothing. */
function lookUp(pointer: string): unknown {
  const steps = pointer.split("/").slice(1);
  return steps.reduce<unknown>((place, step) => (place as Record<string, unknown> | undefined)?.[step], whole);
}
