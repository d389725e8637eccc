import { createSchemaCollector } from "./json-schema.ts";
import { errorExamples, toSharedResponses } from "./openapi-errors.ts";
import { describeHeaders } from "./openapi-headers.ts";
import {
  OPERATION_TAGS,
  toNotModifiedResponses,
  toParameters,
  toPaths,
} from "./openapi-operations.ts";
import type { Operation } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";
import { toWebhooks } from "./openapi-webhooks.ts";

/** Version of the contract, not of the code: see CHANGELOG_API.md. */
export const API_VERSION = "1.1.0";

interface OpenApiOptions {
  /** Address of the API without `/api/v1`. Default: the host that serves the document. */
  serverUrl?: string;
}

/** Makes the OpenAPI document of the whole API, published at `/api/v1/openapi.json`. */
export function openApiDocument({ serverUrl = "/" }: OpenApiOptions = {}): Record<string, unknown> {
  const schemas = createSchemaCollector();
  const paths = toPaths(schemas);
  const webhooks = toWebhooks(schemas);
  const errors = Object.values(OPERATIONS).map((operation: Operation) => operation.errors);
  const responses = { ...toNotModifiedResponses(), ...toSharedResponses(schemas, errors) };
  return {
    openapi: "3.1.1",
    info: INFO,
    externalDocs: EXTERNAL_DOCS,
    servers: [
      {
        url: serverUrl,
        description: serverUrl === "/" ? "The host that serves this description." : "The API.",
      },
    ],
    // The API needs no key and no account; an empty list says so.
    security: [],
    tags: Object.entries(OPERATION_TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
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
    "Which Solana validator changed its commission, when, by how much, and from which epoch " +
    "it costs the delegator.",
  description: [
    "Read-only and open: no key, no account, any origin. Every path takes GET, HEAD and OPTIONS.",
    "## Answers",
    "Every JSON answer under `/api/v1`, except this document, is `{ data, meta }`; " +
      "`meta.network` names the cluster. Every error is `{ error: { code, message } }`: read " +
      "the code, whose meaning never changes. v1 may gain fields, parameters, error codes and " +
      "enum values. It never renames, retypes or removes one. Clients must ignore what they do " +
      "not know.",
    "## Units",
    "Stake is an exact decimal string of lamports beside a rounded number of SOL. " +
      "Commissions are percent with up to two decimals (5.25 is 525 basis points); differences " +
      "between them are percentage points. Times are ISO 8601 in UTC; days begin at midnight " +
      "UTC. null means unknown or absent. Some fields say otherwise where they are described: " +
      "a validator without leader slots has `skipRate` 0, stake that was not yet read in this " +
      "epoch is 0 (`stakeAccountsAsOf`), and a null `mevCommission` may mean disabled.",
    "## Limits and caching",
    "Each IPv4 address or IPv6 /64 network has 60 requests a minute, unless the X-RateLimit " +
      "headers of the answer say otherwise. Every answer counts, also 304, errors, HEAD, feeds " +
      "and badges, but for preflights (OPTIONS) and what is no well-formed request: these have " +
      "only those headers of the limit that are the same for everybody. A 429 says in " +
      "Retry-After how many seconds to wait. Cache-Control says how long to keep an answer; " +
      "after that, ask again with If-None-Match. Last-Modified says when an answer changed " +
      "last, and `/status` as of when all answers are. The API ignores Range, and answers 412 " +
      "to an If-Match or If-Unmodified-Since that does not hold. Where a CDN or nginx is before " +
      "it, answers are compressed as Accept-Encoding allows.",
    "## Requests",
    "Operations ignore unknown parameters, and name them in `meta.ignored`; a parameter given " +
      "twice is an error. Paths are " +
      "case-sensitive, and a trailing slash is 404. The path alone decides the content type; " +
      "Accept does not change it.",
    "## Examples",
    "The examples are real answers of this API over a small simulated network: their " +
      "validators and events are made up.",
  ].join("\n\n"),
  license: { name: "MIT", identifier: "MIT" },
};

const EXTERNAL_DOCS = {
  description: "How commission and rewards of Solana validators work.",
  url: "https://solana.com/docs/references/staking",
};
