import { ENDPOINT_TAGS, ENDPOINTS, type Endpoint } from "./endpoints.ts";
import { createSchemaCollector, toJsonSchema, type SchemaCollector } from "./json-schema.ts";
import {
  errorExamples,
  headers,
  toErrorResponses,
  toRefusalResponse,
  toSuccessResponses,
} from "./openapi-responses.ts";
import { PARAMETERS, type Parameter } from "./parameters.ts";

/** Version of the contract, not of the code: its history is CHANGELOG_API.md. The major one is in every path. */
export const API_VERSION = "1.0.0";

export interface OpenApiOptions {
  /** Where the API is reached, without `/api/v1`; by default the host that serves the document. */
  serverUrl?: string;
}

/** The API as an OpenAPI 3.1 document, made from the very schemas the documents are checked with. Equal at every call. */
export function openApiDocument({ serverUrl = "/" }: OpenApiOptions = {}): Record<string, unknown> {
  const schemas = createSchemaCollector();
  const paths = toPaths(schemas);
  const responses = { Refused: toRefusalResponse(schemas) };
  return {
    openapi: "3.1.1",
    info: INFO,
    servers: [{ url: serverUrl }],
    tags: Object.entries(ENDPOINT_TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: schemas.named(), parameters: toParameters(), responses, headers, examples: errorExamples() },
  };
}

const INFO = {
  title: "Rugwatch",
  version: API_VERSION,
  summary:
    "Which Solana validator changed its commission, when, by how much, and from which epoch it costs the delegator.",
  description: [
    "Read-only and open: no key, any origin. Every path takes GET, HEAD and OPTIONS.",
    "Every answer is `{ data, meta }`, every error `{ error: { code, message } }`.",
    "Amounts are exact decimal strings of lamports beside a rounded number of SOL. Times are ISO 8601 in UTC.",
    "Commissions are percent with up to two decimals.",
    "Fields are added within v1, never renamed, retyped or removed: clients ignore what they do not know.",
    "Parameters that an endpoint does not know are ignored; one that is given twice is an error.",
    "Paths are case-sensitive, and a slash behind one makes another path, which is 404.",
    "Answers are JSON whatever `Accept` says, compressed with `br` or `gzip` where `Accept-Encoding` allows. If-None-Match " +
      "and If-Match compare their ETags; Range, If-Modified-Since and If-Unmodified-Since are ignored.",
  ].join("\n"),
  license: { name: "MIT", identifier: "MIT" },
};

function toPaths(schemas: SchemaCollector): Record<string, unknown> {
  const endpoints: Endpoint[] = Object.values(ENDPOINTS);
  return Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, { get: toOperation(endpoint, schemas) }]));
}

function toOperation(endpoint: Endpoint, schemas: SchemaCollector): Record<string, unknown> {
  return {
    tags: [endpoint.tag],
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: endpoint.parameters.map((key) => ({ $ref: `#/components/parameters/${key}` })),
    responses: {
      ...toSuccessResponses(endpoint, schemas),
      ...toErrorResponses(endpoint, schemas),
      "4XX": { $ref: "#/components/responses/Refused" },
    },
  };
}

function toParameters(): Record<string, unknown> {
  const parameters: [string, Parameter][] = Object.entries(PARAMETERS);
  return Object.fromEntries(
    parameters.map(([key, { name, in: place, required = false, description, schema }]) => [
      key,
      { name, in: place, required, description, schema: toJsonSchema(schema, { bounded: true }) },
    ]),
  );
}
