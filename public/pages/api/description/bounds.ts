import type { Parameter } from "./description.ts";
import { toChoice } from "./fields.ts";
import { asList, type Json } from "./references.ts";

/** Bounds that only say that a number must fit into a client's integers: no bound for people. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;
/** A longer pattern tells nobody anything. */
const PATTERN_LENGTH_MAX = 48;

/** What a parameter may be, in words that follow "must be". */
export function toBounds(schema: Json): string {
  const values = toValues(schema);
  if (values.length > 0) return toChoice(values);
  if (schema["type"] === "integer") return `a whole number${toRange(schema["minimum"], schema["maximum"])}`;
  const length = toRange(schema["minLength"], schema["maxLength"]);
  const pattern = schema["pattern"];
  const isShort = typeof pattern === "string" && pattern.length <= PATTERN_LENGTH_MAX;
  if (length === "" && !isShort) return "any text";
  return `text${length}${length === "" ? "" : " characters"}${isShort ? ` that fits ${pattern}` : ""}`;
}

/** The values of an enumeration; none: it is not one. */
export function toValues(schema: Json): readonly string[] {
  return asList(schema["enum"]).map(String);
}

/** What a parameter is when it is left out; null: nothing. */
export function toDefault(schema: Json): string | null {
  return "default" in schema ? String(schema["default"]) : null;
}

/** What is wrong with the text given for a parameter, in a sentence; null: nothing. No text leaves the parameter out. */
export function findFault({ name, isRequired, schema }: Parameter, text: string): string | null {
  if (text === "") return isRequired ? `${name} is needed: ${toBounds(schema)}.` : null;
  return isWithin(schema, text) ? null : `${name} must be ${toBounds(schema)}.`;
}

function isWithin(schema: Json, text: string): boolean {
  const values = toValues(schema);
  if (values.length > 0) return values.includes(text);
  if (schema["type"] === "integer")
    return /^\d+$/.test(text) && isBetween(Number(text), schema["minimum"], schema["maximum"]);
  return isBetween(Array.from(text).length, schema["minLength"], schema["maxLength"]) && fits(schema["pattern"], text);
}

function isBetween(value: number, least: unknown, most: unknown): boolean {
  return !(typeof least === "number" && value < least) && !(typeof most === "number" && value > most);
}

/** Patterns of JSON Schema are those of ECMAScript, and stand anywhere in the text. */
function fits(pattern: unknown, text: string): boolean {
  return typeof pattern !== "string" || new RegExp(pattern, "u").test(text);
}

/** " from 1 to 100", " of 1 or more", " of at most 44"; nothing without bounds. */
function toRange(least: unknown, most: unknown): string {
  const hasMost = typeof most === "number" && most < NO_BOUND;
  if (typeof least === "number") return hasMost ? ` from ${least} to ${most}` : ` of ${least} or more`;
  return hasMost ? ` of at most ${most}` : "";
}
