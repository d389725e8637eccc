import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

/** Says what in a value does not fit the schema at a JSON pointer; empty: it fits. */
type FindMisfits = (pointer: readonly string[], value: unknown) => string[];

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1, by another validator than zod. */
export function createSchemaCheck(document: object): FindMisfits {
  const ajv = formats
    .default(new Ajv2020({ strict: false, validateSchema: false, allErrors: true }))
    .addSchema(document, "api");
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    const reference = `api#/${pointer.map(escapePointer).join("/")}`;
    const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference });
    compiled.set(reference, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath || "the body"} ${message ?? ""}`,
    );
  };
}

/** RFC 6901, 3 and 6. */
function escapePointer(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}
