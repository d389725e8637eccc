import type { CacheClass } from "./cache.ts";
import { toJsonSchema, type SchemaCollector } from "./json-schema.ts";
import { toErrorResponses } from "./openapi-errors.ts";
import answers from "./openapi-examples.json" with { type: "json" };
import { RATE_LIMIT_HEADERS, toHeaders } from "./openapi-headers.ts";
import type { Operation, OperationTag } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";
import { PARAMETERS, type Parameter } from "./parameters.ts";
import { CAUTION_POINTS, RUG_RATE } from "./severity.ts";

/** Groups of operations with their descriptions, in the order of the API reference. */
export const OPERATION_TAGS = {
  Events:
    "Commission changes: who, when, from what to what, and from which epoch the delegator " +
    "pays. Severity is RUG (a " +
    `rise to ${RUG_RATE} or more), CAUTION (a rise of at least ${CAUTION_POINTS.COMMISSION} percentage points, for MEV ` +
    `commission ${CAUTION_POINTS.MEV}, that ends below ${RUG_RATE}; or MEV enabled at ${RUG_RATE} or more) or INFO. ` +
    "A change becomes an event when a majority of the endpoints show it (if there is only " +
    "one: when it shows it again), or when its transaction proves it; until then `/status` " +
    "lists it as pending.",
  Validators:
    "The list of validators by active stake, the search, and for each validator its profile, " +
    "commissions and stake by epoch, uptime by day, and location.",
  Wallets:
    "The stake accounts of a wallet, or one stake account by its own key, and the validators " +
    "they are delegated to. All of it is public on chain. The API shows keys, not people.",
  Statistics: "Totals for a network: RUG events by epoch, and the concentration of stake.",
  Exports:
    "Whole tables to download, as CSV and Parquet: all events, and the stake and commissions " +
    "of each epoch. The files change when an epoch closes, and when Rugwatch learns " +
    "something new about a closed epoch.",
  Network: "Progress of the running epoch, how fresh the data is, and this description.",
} as const satisfies Record<OperationTag, string>;

/**
 * Example answers over a small simulated network. test/api/description.test.ts writes and
 * compares them; never edit them by hand.
 */
const ANSWERS: Readonly<Record<string, unknown>> = answers;

/** Headers that a 200 and its 304 share. */
const VALIDATOR_HEADERS = [
  "ETag",
  "Last-Modified",
  "Age",
  "X-Data-Stale",
  "Vary",
  "X-Request-Id",
  ...RATE_LIMIT_HEADERS,
] as const;

/** Described here because {@link PARAMETERS} holds only parameters of path and query. */
const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description:
    "ETags of the answers that the client holds. If one is still current, the answer is 304. " +
    "Browsers send this header by themselves.",
  schema: { type: "string" },
  example: '"4kPBSBTqRDBZjgTcXq0HCwkH3ETo9UJnGnI8rXJ2dQw"',
};

/**
 * Describes all operations by path, in the order of their groups. Shared shapes go to `schemas`.
 */
export function toPaths(schemas: SchemaCollector): Record<string, unknown> {
  const all: Operation[] = Object.values(OPERATIONS);
  const inOrder = Object.keys(OPERATION_TAGS).flatMap((tag) =>
    all.filter((operation) => operation.tag === tag),
  );
  return Object.fromEntries(
    inOrder.map((operation) => [operation.path, { get: toOperation(operation, schemas) }]),
  );
}

/** Describes all parameters, for `components/parameters`. */
export function toParameters(): Record<string, unknown> {
  const parameters: [string, Parameter][] = Object.entries(PARAMETERS);
  const described = parameters.map(([key, row]): [string, unknown] => {
    const { name, in: location, required = false, description, schema, example, listMax } = row;
    return [
      key,
      {
        name,
        in: location,
        required,
        description,
        ...(listMax !== undefined && { style: "form", explode: false }),
        schema: toJsonSchema(schema, { bounded: true }),
        example,
      },
    ];
  });
  return Object.fromEntries([...described, ["ifNoneMatch", IF_NONE_MATCH]]);
}

function toOperation(operation: Operation, schemas: SchemaCollector): Record<string, unknown> {
  const { tag, operationId, summary, description, parameters, errors } = operation;
  return {
    tags: [tag],
    operationId,
    summary,
    description,
    parameters: [...parameters, "ifNoneMatch"].map((key) => ({
      $ref: `#/components/parameters/${key}`,
    })),
    responses: { ...toSuccessResponses(operation, schemas), ...toErrorResponses(errors) },
  };
}

/**
 * Describes the 304 of each cache class, for `components/responses`. Operations differ in nothing
 * else.
 */
export function toNotModifiedResponses(): Record<string, unknown> {
  const caches = new Set(Object.values(OPERATIONS).map(({ cache }) => cache));
  const toResponse = (cache: CacheClass) => ({
    description:
      "Not changed since the answer that you hold: its ETag in If-None-Match is still " +
      "current, or its Last-Modified in If-Modified-Since. Counts as a request.",
    headers: toHeaders(VALIDATOR_HEADERS, cache),
  });
  return Object.fromEntries(
    [...caches].map((cache) => [toNotModifiedName(cache), toResponse(cache)]),
  );
}

function toSuccessResponses(
  operation: Operation,
  schemas: SchemaCollector,
): Record<string, unknown> {
  const { document, cache, contentType = "application/json" } = operation;
  const example = findExample(operation);
  const [mediaType = contentType] = contentType.split(";");
  const content = {
    schema: schemas.add(document),
    ...(example && { examples: { [operation.operationId]: example } }),
  };
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

/** Returns the example answer of an operation; null: it has none. */
export function findExample(operation: Operation): { summary: string; value: unknown } | null {
  const value = ANSWERS[operation.operationId];
  return value === undefined ? null : { summary: `GET ${toExampleTarget(operation)}`, value };
}

/**
 * Returns path and query of a request for an operation's example, without parameters at their
 * defaults.
 */
export function toExampleTarget({ path, parameters }: Operation): string {
  const rows: readonly Parameter[] = parameters.map((key) => PARAMETERS[key]);
  const filled = rows
    .filter((parameter) => parameter.in === "path")
    .reduce(
      (target, { name, example }) =>
        target.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    );
  const query = rows
    .filter(
      ({ in: location, isLeftOutOfExamples = false, ...parameter }) =>
        location === "query" && !isLeftOutOfExamples && parameter.example !== parameter.default,
    )
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}
