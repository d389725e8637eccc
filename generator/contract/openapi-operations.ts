import type { CacheClass } from "./cache.ts";
import { ENDPOINT_TAGS, ENDPOINTS, type Endpoint } from "./endpoints.ts";
import { toJsonSchema, type SchemaCollector } from "./json-schema.ts";
import { toErrorResponses } from "./openapi-errors.ts";
import { findExample } from "./openapi-examples.ts";
import { RATE_LIMIT_HEADERS, toHeaders } from "./openapi-headers.ts";
import { PARAMETERS, type Parameter } from "./parameters.ts";

/** On a 200, and on the 304 in its place. */
const VALIDATOR_HEADERS = ["ETag", "Age", "X-Data-Stale", "Vary", ...RATE_LIMIT_HEADERS] as const;

/** A header of the request that every operation reads; no row of {@link PARAMETERS}, which is about path and query. */
const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description:
    "ETags of answers that the client holds: if one of them is still right, the answer is 304. Browsers send it by themselves.",
  schema: { type: "string" },
  example: '"4kPBSBTqRDBZjgTcXq0HCwkH3ETo9UJnGnI8rXJ2dQw"',
};

/** The paths in the order of reading: tag by tag, those of a tag as {@link ENDPOINTS} has them. */
export function toPaths(schemas: SchemaCollector): Record<string, unknown> {
  const endpoints: Endpoint[] = Object.values(ENDPOINTS);
  const inOrder = Object.keys(ENDPOINT_TAGS).flatMap((tag) => endpoints.filter((endpoint) => endpoint.tag === tag));
  return Object.fromEntries(inOrder.map((endpoint) => [endpoint.path, { get: toOperation(endpoint, schemas) }]));
}

/** For `components/parameters`. */
export function toParameters(): Record<string, unknown> {
  const parameters: [string, Parameter][] = Object.entries(PARAMETERS);
  const described = parameters.map(([key, row]): [string, unknown] => {
    const { name, in: place, required = false, description, schema, example } = row;
    return [key, { name, in: place, required, description, schema: toJsonSchema(schema, { bounded: true }), example }];
  });
  return Object.fromEntries([...described, ["ifNoneMatch", IF_NONE_MATCH]]);
}

function toOperation(endpoint: Endpoint, schemas: SchemaCollector): Record<string, unknown> {
  const { tag, operationId, summary, description, parameters, errors } = endpoint;
  return {
    tags: [tag],
    operationId,
    summary,
    description,
    parameters: [...parameters, "ifNoneMatch"].map((key) => ({ $ref: `#/components/parameters/${key}` })),
    responses: { ...toSuccessResponses(endpoint, schemas), ...toErrorResponses(errors, schemas) },
  };
}

/** For `components/responses`: 304, which differs between endpoints only by how long it may be kept. */
export function toNotModifiedResponses(): Record<string, unknown> {
  const caches = new Set(Object.values(ENDPOINTS).map(({ cache }) => cache));
  const toResponse = (cache: CacheClass) => ({
    description: "The document is still one whose ETag the request gave in If-None-Match.",
    headers: toHeaders(VALIDATOR_HEADERS, cache),
  });
  return Object.fromEntries([...caches].map((cache) => [toNotModifiedName(cache), toResponse(cache)]));
}

/** 200 with the document, and 304 for a client that has it. */
function toSuccessResponses(endpoint: Endpoint, schemas: SchemaCollector): Record<string, unknown> {
  const { document, cache, contentType = "application/json" } = endpoint;
  const example = findExample(endpoint);
  // The key is the media type alone: its parameters say how the bytes are to be read, not what they are.
  const [mediaType = contentType] = contentType.split(";");
  const content = { schema: schemas.add(document), ...(example && { examples: { [endpoint.operationId]: example } }) };
  return {
    200: {
      description: "The document.",
      headers: toHeaders(["Content-Encoding", ...VALIDATOR_HEADERS], cache),
      content: { [mediaType]: content },
    },
    304: { $ref: `#/components/responses/${toNotModifiedName(cache)}` },
  };
}

function toNotModifiedName(cache: CacheClass): string {
  return `NotModified.${cache}`;
}
