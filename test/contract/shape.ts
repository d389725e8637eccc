import type { z } from "zod";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { errorSchema } from "../../generator/contract/errors.ts";
import { toJsonSchema, type JsonSchema } from "../../generator/contract/json-schema.ts";
import { joinAlternatives, type Shape } from "./shape-rules.ts";

/** The shape of everything that v1 answers, errors included. The OpenAPI document has a standard of its own. */
export function currentShape(): Shape {
  const documents = Object.entries(OPERATIONS)
    .filter(([name]) => name !== "openapi")
    .map(([name, { document }]) => [name, document] as const);
  return shapeOf({ ...Object.fromEntries(documents), error: errorSchema });
}

/** Flattens the schemas of documents, by the documents' names, to one line a path, sorted. */
export function shapeOf(documents: Record<string, z.ZodType>): Shape {
  const lines = Object.entries(documents).flatMap(([name, document]) => {
    const root = toJsonSchema(document);
    return flatten({ path: "", schema: root, required: true, root }).map(
      ([path, type]) => [`${name}: ${path}`.trimEnd(), type] as const,
    );
  });
  return Object.fromEntries(lines.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface Field {
  path: string;
  schema: JsonSchema;
  required: boolean;
  /** Holds what references point at. */
  root: JsonSchema;
}

/** The line of a field and the lines of all below it. */
function flatten({ path, schema, required, root }: Field): [string, string][] {
  const branches = branchesOf(schema, root);
  const type = joinAlternatives([...branches.flatMap(alternativesOf), ...(required ? [] : ["absent"])]);
  const below = branches.flatMap(({ items, properties = {}, required = [] }) => [
    ...(items === undefined ? [] : flatten({ path: `${path}[]`, schema: items as JsonSchema, required: true, root })),
    ...Object.entries(properties).flatMap(([name, property]) =>
      flatten({
        path: path === "" ? name : `${path}.${name}`,
        schema: property as JsonSchema,
        required: required.includes(name),
        root,
      }),
    ),
  ]);
  return [[path, type], ...below];
}

/** What a schema allows, one by one: `anyOf` is opened and references are followed. */
function branchesOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((branch) => branchesOf(branch, root));
  if (schema.$ref === undefined) return [schema];
  const definition = root.$defs?.[schema.$ref.replace("#/$defs/", "")];
  if (definition === undefined) throw new Error(`Nothing lies at ${schema.$ref}`);
  return branchesOf(definition, root);
}

function alternativesOf(schema: JsonSchema): string[] {
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${String(value)}'`);
  const types = [schema.type].flat().filter((type) => type !== undefined);
  if (types.length === 0) throw new Error(`The shape of this schema cannot be told: ${JSON.stringify(schema)}`);
  return types.map((type) => (type === "string" && schema.format !== undefined ? `string ${schema.format}` : type));
}
