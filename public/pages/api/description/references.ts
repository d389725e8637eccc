/** Anything that JSON can be, looked into by name. */
export type Json = Readonly<Record<string, unknown>>;

/** What something of the description is, its `$ref` followed; nothing of it where it leads nowhere. */
export type Resolve = (value: unknown) => Json;

/** Longer chains than this are a circle. */
const HOPS_MAX = 10;

/**
 * Follows references within a document (RFC 6901). What stands beside a `$ref` counts before what it leads to, as OpenAPI 3.1
 * has it for descriptions and JSON Schema for all.
 */
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

/** An object, or an empty one in place of anything else: a description that lacks something shows what it has. */
export function asRecord(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
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
