export interface Field {
  /** `data[].activeStake.lamports` */
  path: string;
  /** "integer", "text, date-time", "RUG, CAUTION or INFO", "list of object" */
  type: string;
  isNullable: boolean;
  isOptional: boolean;
  description: string;
}

/** Ends recursive schemas. */
const DEPTH_MAX = 8;

export function toFields(schema: unknown, resolve: Resolve): Field[] {
  return fieldsWithin(toCore(schema, resolve).core, "", resolve, 0);
}

function toType(schema: Json, resolve: Resolve): string {
  const { core } = toCore(schema, resolve);
  const values = "const" in core ? [core["const"]] : asList(core["enum"]);
  if (values.length > 0) return toChoice(values.filter((value) => value !== null).map(String));
  const type = asTypes(core).find((name) => name !== "null") ?? "anything";
  if (type === "array") return `list of ${toType(asRecord(core["items"]), resolve)}`;
  const name = type === "string" ? "text" : type;
  const format = asText(core["format"]);
  return format === "" ? name : `${name}, ${format}`;
}

function toChoice(values: readonly string[]): string {
  return values.length < 2
    ? values.join("")
    : `${values.slice(0, -1).join(", ")} or ${values.at(-1) ?? ""}`;
}

function fieldsWithin(core: Json, path: string, resolve: Resolve, depth: number): Field[] {
  if (depth > DEPTH_MAX) return [];
  if ("items" in core)
    return fieldsWithin(toCore(core["items"], resolve).core, `${path}[]`, resolve, depth + 1);
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

/** The outermost description is about the field, not the type. */
function toCore(
  schema: unknown,
  resolve: Resolve,
): { core: Json; isNullable: boolean; description: string } {
  const outer = resolve(schema);
  const choices = [...asList(outer["anyOf"]), ...asList(outer["oneOf"])].map((choice) =>
    resolve(choice),
  );
  const core = choices.find((choice) => !isNull(choice)) ?? outer;
  return {
    core,
    isNullable:
      choices.some(isNull) ||
      asTypes(outer).includes("null") ||
      asList(outer["enum"]).includes(null),
    description: asText(outer["description"] ?? core["description"]),
  };
}

function isNull(schema: Json): boolean {
  return schema["type"] === "null";
}

function asTypes({ type }: Json): readonly string[] {
  return (Array.isArray(type) ? asList(type) : [type]).map(asText).filter((name) => name !== "");
}

const NO_BOUND = Number.MAX_SAFE_INTEGER;
const PATTERN_LENGTH_MAX = 48;

/** Words that follow "must be". */
export function toBounds(schema: Json): string {
  const values = toValues(schema);
  if (values.length > 0) return toChoice(values);
  if (schema["type"] === "array")
    return `${toBounds(asRecord(schema["items"]))}, or several with commas between${toMost(schema)}`;
  if (isNumeric(schema)) {
    const number = schema["type"] === "integer" ? "a whole number" : "a number";
    return `${number}${toRange(schema["minimum"], schema["maximum"])}`;
  }
  const length = toRange(schema["minLength"], schema["maxLength"]);
  const pattern = schema["pattern"];
  const isShort = typeof pattern === "string" && pattern.length <= PATTERN_LENGTH_MAX;
  if (length === "" && !isShort) return "any text";
  return `text${length}${length === "" ? "" : " characters"}${isShort ? ` that fits ${pattern}` : ""}`;
}

function toMost({ maxItems }: Json): string {
  return typeof maxItems === "number" ? `, at most ${maxItems}` : "";
}

function isNumeric({ type }: Json): boolean {
  return type === "integer" || type === "number";
}

export function toValues(schema: Json): readonly string[] {
  return asList(schema["enum"]).map(String);
}

export function toDefault(schema: Json): string | null {
  return "default" in schema ? String(schema["default"]) : null;
}

/** Empty text leaves the parameter out. */
export function findFault(
  { name, isRequired, schema }: { name: string; isRequired: boolean; schema: Json },
  text: string,
): string | null {
  if (text === "") return isRequired ? `${name} is required: ${toBounds(schema)}.` : null;
  return isWithin(schema, text) ? null : `${name} must be ${toBounds(schema)}.`;
}

function isWithin(schema: Json, text: string): boolean {
  const values = toValues(schema);
  if (values.length > 0) return values.includes(text);
  if (schema["type"] === "array") {
    const parts = text.split(",");
    const items = asRecord(schema["items"]);
    return (
      isBetween(parts.length, 1, schema["maxItems"]) && parts.every((part) => isWithin(items, part))
    );
  }
  if (isNumeric(schema)) {
    const form = schema["type"] === "integer" ? /^\d+$/ : /^\d+(?:\.\d+)?$/;
    return form.test(text) && isBetween(Number(text), schema["minimum"], schema["maximum"]);
  }
  return (
    isBetween(Array.from(text).length, schema["minLength"], schema["maxLength"]) &&
    fits(schema["pattern"], text)
  );
}

function isBetween(value: number, least: unknown, most: unknown): boolean {
  return (
    !(typeof least === "number" && value < least) && !(typeof most === "number" && value > most)
  );
}

/** JSON Schema 6.3.3. */
function fits(pattern: unknown, text: string): boolean {
  return typeof pattern !== "string" || new RegExp(pattern, "u").test(text);
}

function toRange(least: unknown, most: unknown): string {
  const hasMost = typeof most === "number" && most < NO_BOUND;
  if (typeof least === "number")
    return hasMost ? ` from ${least} to ${most}` : ` of ${least} or more`;
  return hasMost ? ` of at most ${most}` : "";
}

export type Json = Readonly<Record<string, unknown>>;

export type Resolve = (value: unknown) => Json;

/** A longer chain is a circle. */
const HOPS_MAX = 10;

/** RFC 6901. Siblings of a `$ref` override its target. */
export function createResolver(document: unknown): Resolve {
  return (value) => {
    let found = asRecord(value);
    for (let hop = 0; hop < HOPS_MAX && typeof found["$ref"] === "string"; hop += 1) {
      const { $ref, ...beside } = found;
      found = { ...asRecord(find(document, $ref)), ...beside };
    }
    return "$ref" in found ? {} : found;
  };
}

/** An incomplete description shows what it has. */
export function asRecord(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function find(document: unknown, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  return reference
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>(
      (place, part) => (Object.hasOwn(asRecord(place), part) ? asRecord(place)[part] : undefined),
      document,
    );
}
