import { createSchemaCollector } from "./json-schema.ts";
import { errorExamples, toSharedResponses } from "./openapi-errors.ts";
import { describeHeaders } from "./openapi-headers.ts";
import { OPERATION_TAGS, toNotModifiedResponses, toParameters, toPaths } from "./openapi-operations.ts";

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
  const responses = { ...toNotModifiedResponses(), ...toSharedResponses(schemas) };
  return {
    openapi: "3.1.1",
    info: INFO,
    externalDocs: EXTERNAL_DOCS,
    servers: [
      { url: serverUrl, description: serverUrl === "/" ? "The host that serves this description." : "The API." },
    ],
    // No key and no account: an empty list says so.
    security: [],
    tags: Object.entries(OPERATION_TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.named(),
      parameters: toParameters(),
      responses,
      headers: describeHeaders(),
      examples: errorExamples(),
    },
  };
}

const INFO = {
  title: "Rugwatch",
  version: API_VERSION,
  summary:
    "Which Solana validator changed its commission, when, by how much, and from which epoch it costs the delegator.",
  description: [
    "Read-only and open: no key, no account, any origin. Every path takes GET, HEAD and OPTIONS.",
    "## Answers",
    "Every document is `{ data, meta }`, and `meta.network` names the cluster; every error is `{ error: { code, message } }`: " +
      "read the code, its meaning does not change. Within v1 fields, parameters, error codes and values of enumerations are " +
      "added, never renamed, retyped or removed: a client ignores what it does not know.",
    "## Units",
    "Stake is an exact decimal string of lamports beside a rounded number of SOL. Commissions are percent with up to two " +
      "decimals (5.25 is 525 basis points), differences of them percentage points. Times are ISO 8601 in UTC, days begin at " +
      "midnight UTC. null means not known or not there, which is never the same as 0.",
    "## Limits and caching",
    "60 requests a minute for each client address, unless the headers say otherwise: they are on every answer, and a 429 says " +
      "in Retry-After how long to wait. Cache-Control says how long not to ask again; after that ask with If-None-Match. " +
      "Range, If-Modified-Since and If-Unmodified-Since are ignored; an If-Match that does not hold is 412. Answers of a " +
      "kilobyte or more are compressed with `br` or `gzip` where Accept-Encoding allows.",
    "## Requests",
    "Parameters that an operation does not know are ignored; one that is given twice is an error. Paths are case-sensitive, " +
      "and a slash behind one makes another path, which is 404. The content type is that of the path, whatever Accept says.",
    "## Examples",
    "The examples are what this API answered over a small simulated network: validators and events in them are made up.",
  ].join("\n\n"),
  license: { name: "MIT", identifier: "MIT" },
};

const EXTERNAL_DOCS = {
  description: "How commission and rewards of Solana's validators work.",
  url: "https://solana.com/docs/references/staking",
};
