import { z } from "zod";

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Converts schemas to JSON Schema and collects those that they share. */
export interface SchemaCollector {
  /**
   * Converts a schema. Its parts with an id become references into `components/schemas`, which
   * {@link SchemaCollector.named} returns.
   */
  add(schema: z.ZodType): JsonSchema;
  /** Returns all parts with an id so far, by id, sorted. */
  named(): Record<string, JsonSchema>;
}

/** Makes a collector, so that a shape shared by several operations is described once. */
export function createSchemaCollector(): SchemaCollector {
  const collected = new Map<string, JsonSchema>();
  return {
    add(schema) {
      const { $defs = {}, ...root } = pointToComponents(toJsonSchema(schema, { isOpen: true }));
      for (const [id, definition] of Object.entries($defs)) collected.set(id, definition);
      return root;
    },
    named: () => Object.fromEntries([...collected].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * Converts a schema. Objects stay open, because clients must tolerate new fields. `bounded: false`
 * leaves out the bound of 2^53 − 1 that every integer has. `isOpen` describes the values of an
 * enumeration as those known so far, so that generated clients take new ones.
 */
export function toJsonSchema(
  schema: z.ZodType,
  { bounded = false, isOpen = false } = {},
): JsonSchema {
  const jsonSchema: JsonSchema = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    // The schema of the output would close every object with `additionalProperties: false`.
    io: "input",
    override: ({ jsonSchema }) => {
      // zod's pattern is long, because it checks leap years.
      if (jsonSchema.format === "date-time" || jsonSchema.format === "date")
        delete jsonSchema.pattern;
      if (isOpen) openEnumeration(jsonSchema);
      if (!bounded && jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  delete jsonSchema.$schema;
  return jsonSchema;
}

function openEnumeration(schema: JsonSchema): void {
  if (schema.enum === undefined) return;
  schema.anyOf = [{ type: "string", enum: schema.enum }, { type: "string" }];
  delete schema.enum;
  delete schema.type;
}

/** Answer of `/openapi.json`: the description of the API. */
export const openApiSchema = z
  .object({
    openapi: z.string().meta({ description: "Version of the OpenAPI Specification." }),
    info: z
      .object({
        title: z.string().meta({ description: "Name of the API." }),
        version: z
          .string()
          .meta({ description: "Version of the contract, as in CHANGELOG_API.md." }),
      })
      .meta({ description: "The described API." }),
    paths: z.object({}).meta({ description: "The operations of each path." }),
  })
  .meta({
    description:
      "A complete document of https://spec.openapis.org/oas/v3.1.1; this schema names only a " +
      "few of its fields.",
  });

function pointToComponents(schema: JsonSchema): JsonSchema {
  const pointed = JSON.stringify(schema, (key, value: unknown) =>
    key === "$ref" && typeof value === "string"
      ? value.replace("#/$defs/", "#/components/schemas/")
      : value,
  );
  return JSON.parse(pointed) as JsonSchema;
}
