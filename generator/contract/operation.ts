import type { z } from "zod";
import type { CacheClass } from "./cache.ts";
import { ERROR_CODES, type ErrorCode } from "./errors.ts";
import { FORMS } from "./forms.ts";
import { OBJECTS, type ObjectKind } from "./objects.ts";
import { PARAMETERS, type ParameterKey } from "./parameters.ts";

/** Groups of operations in the API reference (openapi-operations.ts). */
export type OperationTag =
  "Events" | "Validators" | "Wallets" | "Statistics" | "Exports" | "Network";

/** One operation of the API. All are GET. */
export interface Operation extends Served, Described {
  tag: OperationTag;
  /** Error codes that it can answer, in the order of ERROR_CODES. */
  errors: readonly ErrorCode[];
}

interface Served {
  /** Path template from the root, path parameters in braces. */
  path: string;
  /** The whole answer with its envelope; a text if not JSON. */
  document: z.ZodType;
  /** Content-Type of the answer; JSON when left out. */
  contentType?: string;
  cache: CacheClass;
}

interface Described {
  operationId: string;
  summary: string;
  description: string;
  parameters: readonly ParameterKey[];
  /** Error code if nothing exists for valid parameters. */
  notFound?: ErrorCode;
}

/** Returns how an operation that answers with an object is served. */
export function ofObject(kind: ObjectKind) {
  const { form, path, schema, cache } = OBJECTS[kind];
  const { folder, extension, contentType } = FORMS[form];
  const address =
    form === "document" ? `/${folder}/${path}` : `/${folder}/{network}/${path}.${extension}`;
  return { path: address, document: schema, cache, contentType };
}

/**
 * Makes an operation. Its errors follow from its parameters, `notFound` and what any operation may
 * answer; they are in the order of ERROR_CODES.
 */
export function operation<Own extends Served, const Row extends Described>(
  tag: OperationTag,
  served: Own,
  described: Row,
) {
  const own = described.parameters.map((key) => PARAMETERS[key].code);
  const all = new Set<ErrorCode | undefined>([
    ...own,
    described.notFound,
    "rate_limited",
    "upstream_unavailable",
  ]);
  const errors = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => all.has(code));
  return { ...served, tag, ...described, errors };
}
