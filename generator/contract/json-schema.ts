import { z } from "zod";

/** Draft 2020-12. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface SchemaCollector {
  /** Parts with an id become references into {@link SchemaCollector.named}. */
  add(schema: z.ZodType): JsonSchema;
  named(): Record<string, JsonSchema>;
}

/** A shared shape is described once. */
export function createSchemaCollector(): SchemaCollector {
  const collected = new Map<string, JsonSchema>();
  return {
    add(schema) {
      const { $defs = {}, ...root } = pointToComponents(toJsonSchema(schema));
      for (const [id, definition] of Object.entries($defs)) collected.set(id, definition);
      return root;
    },
    named: () => Object.fromEntries([...collected].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * Objects stay open: clients must tolerate new fields. `bounded:
 * false` leaves out every integer's bound of 2^53 − 1.
 */
export function toJsonSchema(schema: z.ZodType, { bounded = false } = {}): JsonSchema {
  const jsonSchema: JsonSchema = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    // The output schema closes every object with `additionalProperties: false`.
    io: "input",
    override: ({ jsonSchema }) => {
      // zod's pattern is four lines of leap years.
      if (jsonSchema.format === "date-time" || jsonSchema.format === "date")
        delete jsonSchema.pattern;
      if (!bounded && jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  delete jsonSchema.$schema;
  return jsonSchema;
}

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
