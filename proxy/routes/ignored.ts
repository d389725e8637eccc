import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { CONTENT_TYPE } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { toAnswer, type Answer } from "../answer.ts";
import { toShown } from "./parameters.ts";

const NAMES_MAX = 10;
/** How every envelope ends: `meta` is last, and always has `network`. */
const END = "}}";

/**
 * Adds `meta.ignored`, the names of the query's unknown parameters, to an answer in JSON: a typing
 * error such as `?Network=testnet` would be answered with something else unseen.
 */
export function addIgnored(
  answer: Answer,
  operation: keyof typeof OPERATIONS,
  given: readonly string[],
): Answer {
  const ignored = given.filter((name) => !isKnown(operation, name));
  if (ignored.length === 0) return answer;
  const { cache, contentType = CONTENT_TYPE }: Operation = OPERATIONS[operation];
  if (contentType !== CONTENT_TYPE) return answer;
  const names = JSON.stringify(ignored.slice(0, NAMES_MAX).map(toShown));
  const open = answer.body.toString().slice(0, -END.length);
  return toAnswer(`${open},"ignored":${names}${END}`, cache, { modifiedAt: answer.modifiedAt });
}

function isKnown(operation: keyof typeof OPERATIONS, name: string): boolean {
  const { parameters }: Operation = OPERATIONS[operation];
  return parameters.some((key) => PARAMETERS[key].in === "query" && PARAMETERS[key].name === name);
}
