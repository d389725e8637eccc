import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { errorSchema } from "../../generator/contract/errors.ts";
import { toJsonSchema, type JsonSchema } from "../../generator/contract/json-schema.ts";
import { OBJECTS, type ObjectKind } from "../../generator/contract/objects.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";

/**
 * What a client finds at each path of each document: `validators: data[].rank`
 * → `integer`. Alternatives are separated by bars: types, the values of an
 * enumeration in quotes, `null`, and `absent` for a field that may be missing.
 */
export type Shape = Record<string, string>;

/** The committed shape that every later v1 must keep. */
export const FROZEN_SHAPE_FILE = new URL("v1.shape.json", import.meta.url);

const BAR = " | ";
const MODIFIERS = ["null", "absent"];

/**
 * The shape of everything that v1 answers to requests that do not ask for less, errors included.
 * The OpenAPI document has a standard of its own.
 */
export function currentShape(): Shape {
  const described = Object.entries(OPERATIONS).filter(([name]) => name !== "openapi");
  const documents = described.map(
    ([name, { document }]) =>
      [name, name in OBJECTS ? OBJECTS[name as ObjectKind].schema : document] as const,
  );
  return shapeOf({ ...Object.fromEntries(documents), error: errorSchema });
}

/** Flattens the schemas of documents, by the documents' names, to one line a path, sorted. */
export function shapeOf(documents: Record<string, z.ZodType>): Shape {
  const lines = Object.entries(documents).flatMap(([name, document]) => {
    const root = toJsonSchema(document);
    const fields = flatten({ path: "", schema: root, required: true, root });
    return fields.map(([path, type]) => [`${name}: ${path}`.trimEnd(), type] as const);
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

function flatten({ path, schema, required, root }: Field): [string, string][] {
  const branches = branchesOf(schema, root);
  const type = joinAlternatives([
    ...branches.flatMap(alternativesOf),
    ...(required ? [] : ["absent"]),
  ]);
  const below = branches.flatMap(({ items, properties = {}, required: needed = [] }) => [
    ...(items === undefined
      ? []
      : flatten({ path: `${path}[]`, schema: items as JsonSchema, required: true, root })),
    ...Object.entries(properties).flatMap(([name, property]) => {
      const way = path === "" ? name : `${path}.${name}`;
      return flatten({
        path: way,
        schema: property as JsonSchema,
        required: needed.includes(name),
        root,
      });
    }),
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
  if (types.length === 0)
    throw new Error(`The shape of this schema cannot be told: ${JSON.stringify(schema)}`);
  return types.map((type) =>
    type === "string" && schema.format !== undefined ? `string ${schema.format}` : type,
  );
}

function joinAlternatives(alternatives: string[]): string {
  const place = (one: string) => `${String(MODIFIERS.indexOf(one) + 1)}${one}`;
  return [...new Set(alternatives)].toSorted((a, b) => (place(a) < place(b) ? -1 : 1)).join(BAR);
}

/** What would break a client that was written against the frozen shape; empty when nothing does. */
export function findBreaks(frozen: Shape, current: Shape): string[] {
  return Object.entries(frozen).flatMap(([path, was]) => {
    const is = current[path];
    if (is === undefined) return [`${path} was removed or renamed (was ${was})`];
    return findTypeBreaks(was, is).map((what) => `${path} ${what} (was ${was}, is ${is})`);
  });
}

function findTypeBreaks(was: string, is: string): string[] {
  const [before, after] = [toAlternatives(was), toAlternatives(is)];
  const breaks: string[] = [];
  if (before.types.symmetricDifference(after.types).size > 0) breaks.push("was retyped");
  else if (!before.values.isSubsetOf(after.values)) breaks.push("lost a value");
  if (after.nullable && !before.nullable) breaks.push("was made nullable");
  if (after.optional && !before.optional) breaks.push("was made optional");
  return breaks;
}

/** The values of an enumeration count as the type `enum`, so that it never equals a free string. */
function toAlternatives(type: string) {
  const all = type.split(BAR);
  const values = new Set(all.filter((one) => one.startsWith("'")));
  const types = new Set(
    all.map((one) => (values.has(one) ? "enum" : one)).filter((one) => !MODIFIERS.includes(one)),
  );
  return { types, values, nullable: all.includes("null"), optional: all.includes("absent") };
}

/**
 * The frozen shape and what is new beside it: paths, and values of
 * enumerations. A `null` that went is kept: clients were told to expect it.
 *
 * @throws Error that lists the breaks when the current shape breaks the frozen one
 */
export function extendShape(frozen: Shape, current: Shape): Shape {
  const breaks = findBreaks(frozen, current);
  if (breaks.length > 0) throw new Error(`The shape of v1 may only grow:\n${breaks.join("\n")}`);
  const extend = (was: string, is: string) =>
    joinAlternatives([...was.split(BAR), ...toAlternatives(is).values]);
  const kept = Object.entries(frozen).map(
    ([path, was]) => [path, extend(was, current[path] ?? was)] as const,
  );
  const extended = { ...current, ...Object.fromEntries(kept) };
  return Object.fromEntries(Object.entries(extended).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * @throws Error when there is no such file: it is
 * never begun anew, that would drop what was promised
 */
export async function readShape(file: URL): Promise<Shape> {
  return z.record(z.string(), z.string()).parse(JSON.parse(await readFile(file, "utf8")));
}

/**
 * Adds to the file what the current shape has beside it. Nothing is ever taken out or changed.
 *
 * @returns the paths that were added or gained a value
 * @throws Error that lists the breaks, the file
 * untouched, when the current shape breaks the frozen one
 */
export async function extendShapeFile(file: URL, current: Shape): Promise<string[]> {
  const frozen = await readShape(file);
  const extended = extendShape(frozen, current);
  const unfinished = new URL(`${file.href}.new`);
  await writeFile(unfinished, `${JSON.stringify(extended, null, 2)}\n`);
  await rename(unfinished, file);
  return Object.keys(extended).filter((path) => extended[path] !== frozen[path]);
}
