import type { Endpoint } from "./endpoints.ts";
import { PARAMETERS, type Parameter } from "./parameters.ts";
import answers from "./openapi-examples.json" with { type: "json" };

/**
 * What the API answered over a small simulated network, by operation: JSON as it is, another text as a string; nothing of an
 * operation whose answers are no text. Written and compared by test/api/description/examples.test.ts, never by hand.
 */
const ANSWERS: Readonly<Record<string, unknown>> = answers;

/** The example of an operation's 200, with the request that it answers; null: there is none. */
export function findExample(endpoint: Endpoint): { summary: string; value: unknown } | null {
  const value = ANSWERS[endpoint.operationId];
  return value === undefined ? null : { summary: `GET ${toExampleTarget(endpoint)}`, value };
}

/** Path and query of the example request: the example of each parameter; what is at its default is left out of the query. */
export function toExampleTarget({ path, parameters }: Endpoint): string {
  const rows: readonly Parameter[] = parameters.map((key) => PARAMETERS[key]);
  const filled = rows
    .filter((parameter) => parameter.in === "path")
    .reduce((target, { name, example }) => target.replace(`{${name}}`, encodeURIComponent(example)), path);
  const query = rows
    .filter((parameter) => parameter.in === "query" && parameter.example !== parameter.default)
    .map(({ name, example }) => `${name}=${encodeURIComponent(example)}`);
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}
