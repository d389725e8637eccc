import { asList, asRecord, asText, type Json, type Resolve } from "./references.ts";

/** One field of an answer. */
export interface Field {
  /** From the root of the answer: `data[].activeStake.lamports`. */
  path: string;
  /** "integer", "text, date-time", "RUG, CAUTION or INFO", "list of object". */
  type: string;
  isNullable: boolean;
  /** Whether it may be missing. */
  isOptional: boolean;
  description: string;
}

/** Deeper than any document of the API, and an end for schemas that hold themselves. */
const DEPTH_MAX = 8;

/** Every field of what a schema describes, outer ones before what is in them. */
export function toFields(schema: unknown, resolve: Resolve): Field[] {
  return fieldsWithin(toCore(schema, resolve).core, "", resolve, 0);
}

/** In words, as {@link Field.type} has it. */
export function toType(schema: Json, resolve: Resolve): string {
  const { core } = toCore(schema, resolve);
  const values = "const" in core ? [core["const"]] : asList(core["enum"]);
  if (values.length > 0) return toChoice(values.filter((value) => value !== null).map(String));
  const type = asTypes(core).find((name) => name !== "null") ?? "anything";
  if (type === "array") return `list of ${toType(asRecord(core["items"]), resolve)}`;
  const name = type === "string" ? "text" : type;
  const format = asText(core["format"]);
  return format === "" ? name : `${name}, ${format}`;
}

/** "a", "a or b", "a, b or c". */
export function toChoice(values: readonly string[]): string {
  return values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} or ${values.at(-1) ?? ""}`;
}

function fieldsWithin(core: Json, path: string, resolve: Resolve, depth: number): Field[] {
  if (depth > DEPTH_MAX) return [];
  if ("items" in core) return fieldsWithin(toCore(core["items"], resolve).core, `${path}[]`, resolve, depth + 1);
  const required = asList(core["required"]);
  return Object.entries(asRecord(core["properties"])).flatMap(([name, schema]) => {
    const below = path === "" ? name : `${path}.${name}`;
    const { core: inner, isNullable, description } = toCore(schema, resolve);
    const field = {
      path: below,
      type: toType(inner, resolve),
      isNullable,
      isOptional: !required.includes(name),
      description,
    };
    return [field, ...fieldsWithin(inner, below, resolve, depth + 1)];
  });
}

/** What a schema is when null is set aside. The outermost description counts: it is about this field, not about its type. */
function toCore(schema: unknown, resolve: Resolve): { core: Json; isNullable: boolean; description: string } {
  const outer = resolve(schema);
  const choices = [...asList(outer["anyOf"]), ...asList(outer["oneOf"])].map((choice) => resolve(choice));
  const core = choices.find((choice) => !isNull(choice)) ?? outer;
  return {
    core,
    isNullable: choices.some(isNull) || asTypes(outer).includes("null") || asList(outer["enum"]).includes(null),
    description: asText(outer["description"] ?? core["description"]),
  };
}

function isNull(schema: Json): boolean {
  return schema["type"] === "null";
}

function asTypes({ type }: Json): readonly string[] {
  return (Array.isArray(type) ? asList(type) : [type]).map(asText).filter((name) => name !== "");
}
